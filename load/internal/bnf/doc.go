// Package bnf reads and prints plain BNF, as the report on Algol 60 has it.
//
//	<expr>  ::= <expr> + <term> | <term>
//	<term>  ::= x | ( <expr> ) | "|" | <sign> <term>
//	<sign>  ::= - | <empty>
//
// Names of rules stand in angle brackets and may hold blanks; all other symbols stand
// for themselves, the signs of EBNF ( ) [ ] { } * + ? too. A symbol ends at a blank, at
// a name in angle brackets, and at |. Quotes around a symbol are left out: "|" and ' '.
// There are no escapes. An alternative without symbols, <empty> and ε are the empty
// text, unless there is a rule of that name. A line that begins with # or // is a
// comment. A rule goes on until the next "<name> ::=", and the first one is the start.
//
// The notation says nothing of tokens: the texts of symbols follow each other without
// blanks between. A companion file can say what may stand there.
package bnf
