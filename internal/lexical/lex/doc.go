// Package lex cuts texts into the tokens of a grammar. It also lays tokens out, so that
// the lexer reads the same tokens back from their text.
//
//	resolved, ds := lex.Resolve(bound)   // while loading: bodies without differences and shadowed texts
//	l, err := lex.New(g)                 // of a grammar that is loaded
//	toks, err := l.Tokens(text)          // longest match, first rule wins, modes and all
//	sep, err := l.Joiner(lex.Tight, nil).Next(l.KindOf(terminal), text)
//
// [Resolve] rewrites token rules that say more than a context-free expression can say:
// A - B, a text that an earlier rule takes, `.*?` before its end. Such a rule gets an
// ordinary body with the same texts, so counting and sampling need no automata.
// [Lexer.Joiner] puts a separator where the lexer would otherwise read the joined text
// differently. The separators come from the grammar's own skip rules.
// [Lexer.Layout] reports them.
package lex
