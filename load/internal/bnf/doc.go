// Package bnf reads and prints plain BNF, the notation of the report on Algol 60.
//
//	<expr>  ::= <expr> + <term> | <term>
//	<term>  ::= x | ( <expr> ) | "|" | <sign> <term>
//	<sign>  ::= - | <empty>
//
// Names of rules are in angle brackets and may contain spaces. All other symbols represent
// themselves, even the operators of EBNF, ( ) [ ] { } * + ?. A symbol ends at a space, at a name in
// angle brackets, and at |. Quotes around a symbol are removed, as in "|" and ' '. There are no
// escapes. The empty text is an alternative without symbols, or <empty> or ε, unless there is a
// rule of that name. A line that begins with # or // is a comment. The first rule is the start. A
// rule ends at the next "<name> ::=".
//
// The notation has no tokens: no spaces stand between the texts of symbols. A companion file can
// define layout between them.
package bnf
