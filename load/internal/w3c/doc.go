// Package w3c reads and prints the EBNF of the W3C's specifications (XML 1.0, section 6) and of
// tools that descend from it.
//
//	[1] Comment ::= '<!--' ((Char - '-') | ('-' (Char - '-')))* '-->'   /* a comment */
//	[2] Char    ::= #x9 | #xA | #xD | [#x20-#xD7FF] | [#xE000-#xFFFD]
//
// A rule ends at the next "Name ::=". Literals and classes have no escapes: a backslash represents
// itself. #xN is a code point. A - B are the texts of A that are not texts of B. The first rule is
// the start. Names may be in angle brackets, as in BNF.
//
// The notation has no tokens, so a plain file is scannerless. Two dialects have tokens. After
// @terminals or <?TOKENS?> rules are lexical: they are tokens if an earlier rule refers to them,
// and parts of tokens otherwise. @pass, and the comment /* ws: definition */ after a rule, define
// layout between tokens. With <?TOKENS?> tokens may overlap, and the parser's state distinguishes
// them. There is no layout between the parts of a rule followed by /* ws: explicit */.
//
// Some constructs have no counterpart in the rule graph and are listed in
// [grammar.Grammar.Ignored]: /* ws: explicit */ in other files, contexts (X^Y), preferences (<<,
// >>, \\, ==), lookahead (&), the order of alternatives with /, processing instructions. $ is the
// end of the input and reads as the empty text. A token that is only lookahead reads as the empty
// text, too.
package w3c
