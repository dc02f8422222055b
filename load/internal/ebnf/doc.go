// Package ebnf reads, prints and formats the native notation of gramfuzz.
//
//	# comment      // comment      (* comment *)
//	assigns = assign ";\n" @commit(var) | assign ";\n" @commit(var) assigns ;
//	assign  = name @define(var) " = " expr ;
//	expr    = expr " + " expr %2 | "(" expr ")" | name @use(var) | NUMBER ;
//	name    = [a-z] ;
//	@token NUMBER = [1-9] [0-9]* | "0" ;
//	@skip  SPACE  = " "+ ;
//
// A rule is a name, = or :=, a body, and ; at its end. The first rule that is not lexical is the
// start. A body consists of, from the tightest to the loosest:
//
//	"…" '…'        a literal, with Go's escapes: \n, \", \x41 (one byte), \u00e9, \U0001f600
//	[a-z_] [^"\n]  one character of a class, or one not in it; the same escapes and \] \^ \-,
//	               but \x41 is the character U+0041
//	.              any character
//	name <a name>  a reference; names that are not plain words stand in < >, with Go's escapes
//	( … ) ()       a group; the empty sequence
//	* + ?          any number of times, at least once, at most once
//	{m} {m,} {m,n} m times, at least m times, m to n times
//	*? +? ??       the same, not greedy; {m,n}? too
//	@name(a, "b")  an annotation on the element before it
//	A - B          the texts of A that are not texts of B (in tokens)
//	A B            a sequence, perhaps empty
//	A | B          a choice; %N after an alternative is its weight (default 1), and
//	               "name:" before it its label
//
// Before a rule's name, @token, @skip and @fragment set its kind, @mode(M) its lexer mode, and
// @command(name, arg) the effect of a match on the lexer. Other annotations there are kept with the
// rule.
//
// [Parse] reads a file. [Print] writes text that reads back to the same graph. [Format] lays a file
// out in the canonical way and keeps its comments.
package ebnf
