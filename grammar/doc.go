// Package grammar holds grammars as graphs of rules, checked and ready for use.
//
//	g, err := load.String(`list = "[" item* "]" ; item = [a-z] | list ;`)
//	for _, e := range g.Exprs {
//		fmt.Println(e.Pos, e.Op)
//	}
//	least := g.Facts(nil, grammar.Exact).Size(g.Root, grammar.Bytes, grammar.Any) // 2
//
// A [Grammar] is a list of [Rule] values; a rule's body is a tree of [Expr]
// nodes: literals, character classes, sequences, choices, repetitions and
// references, which lead to other rules. Every expression keeps the [Pos] it was
// written at, so that each message can name a place; a [Diagnostic] is such a
// message. A [Mask] switches parts of a grammar off, and [Facts] are its least
// depths and sizes.
//
// Package load makes grammars, from [Bound] ones. A Grammar is never changed and
// may be used by any number of goroutines.
package grammar
