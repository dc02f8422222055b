// Package bnf reads and prints plain BNF, the notation of the report on Algol 60.
//
//	<expr>  ::= <expr> + <term> | <term>
//	<term>  ::= x | ( <expr> ) | "|" | <sign> <term>
//	<sign>  ::= - | <empty>
//
// Names of rules are in angle brackets and may contain spaces; all other symbols represent
// themselves, also the operators of EBNF ( ) [ ] { } * + ?. A symbol ends at a space, at a name
// in angle brackets, and at |. Quotes around a symbol are removed: "|" and ' '. There are no
// escapes. An alternative without symbols, <empty> and ε are the empty text, unless there is a
// rule of that name. A line that begins with # or // is a comment. A rule ends at the next
// "<name> ::=", and the first one is the start.
//
// The notation has no tokens: the texts of symbols follow each other without spaces. A companion
// file can define layout between them.
package bnf
