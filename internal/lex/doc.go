// Package lex turns the token rules of a grammar into automata: it removes
// differences, shadowing and non-greedy loops from their bodies, scans texts
// into tokens, and says which tokens need layout between them.
//
// The path through the package:
//
//   - [Resolve], before Freeze, gives every token rule that says more than a
//     context-free expression can say (A - B; a text that an earlier rule
//     takes; `.*?` before its end) an ordinary body with the same texts.
//     Everything that counts and samples then needs no automata.
//   - [New] compiles the rules of a frozen grammar into a [Lexer]; its
//     [Lexer.Scan] cuts a text into tokens: longest match, first rule wins,
//     modes and all.
//   - [Lexer.Joiner] lays tokens out: it puts a separator, taken from the
//     grammar's own skip rules, where the lexer would otherwise read the
//     joined text differently. [Lexer.Layout] reports what there is to
//     separate tokens with.
package lex
