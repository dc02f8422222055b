// Package lex cuts texts into the tokens of a grammar, and lays tokens out so that
// they are read as they were meant.
//
//	resolved, ds := lex.Resolve(bound)   // while loading: bodies without differences and shadowed texts
//	l, err := lex.New(g)                 // of a grammar that is loaded
//	toks, err := l.Tokens(text)          // longest match, first rule wins, modes and all
//	sep, err := l.Joiner(lex.Tight, nil).Next(l.KindOf(terminal), text)
//
// [Resolve] gives every token rule that says more than a context-free expression
// can say (A - B; a text that an earlier rule takes; `.*?` before its end) an
// ordinary body with the same texts. What counts and samples needs no automata
// then. [Lexer.Joiner] puts a separator, taken from the grammar's own skip rules,
// where the lexer would otherwise read the joined text differently.
// [Lexer.Layout] reports which separators there are.
package lex
