// Package w3c reads and prints the EBNF of the W3C's specifications (XML 1.0,
// section 6) and of tools that descend from it.
//
//	[1] Comment ::= '<!--' ((Char - '-') | ('-' (Char - '-')))* '-->'   /* a comment */
//	[2] Char    ::= #x9 | #xA | #xD | [#x20-#xD7FF] | [#xE000-#xFFFD]
//
// A rule has no end: it goes on until the next "Name ::=". Literals and classes
// have no escapes: a backslash is itself, "#xN" is a code point. A - B are the
// texts of A that are not texts of B. The first rule is the start. Names may
// stand in angle brackets, as in BNF.
//
// The notation says nothing of tokens, so a plain file is scannerless. Two
// dialects say more. After @terminals or <?TOKENS?> rules are lexical: tokens
// where a rule before it refers to them, else parts of tokens. @pass, and the
// comment /* ws: definition */ behind a rule, say what may stand between tokens.
// With <?TOKENS?> tokens may overlap: the parser's state tells them apart, and no
// layout stands between the parts of a rule with /* ws: explicit */ behind it.
//
// Noted as [grammar.Grammar.Ignored], since the rule graph has no words for it:
// /* ws: explicit */ in other files, contexts (X^Y), preferences (<<, >>, \\, ==), lookahead (&),
// the order of alternatives with /, processing instructions. $ is the end of
// the input and reads as the empty text; a token that is lookahead alone does too.
package w3c
