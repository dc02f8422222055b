// Package core compiles a grammar to sums and products, and counts its derivations.
//
//	p, err := core.New(g, nil, g.Facts(nil, grammar.Structure), grammar.Terminals, 0, 0)
//	t, err := core.NewTable(ctx, p, 1, 20, nil)     // exact numbers, by node and size
//	choices := t.Unrank(p.Root, 20, big.NewInt(7))  // the derivation of a number
//	f, err := core.NewFloats(ctx, p, 1000, nil)     // numbers with an error bound
//	v, e := f.At(p.Root, 1000), f.Error(p.Root, 1000, 0)
//
// A [Program] is compiled in two passes. The first settles repetitions, inline rules, layout and
// emptiness. The second splits its nodes by the states of an [Automaton], such as the names in
// play; core knows none of them. An [Expansion] makes derivations whose decisions come from a
// [Picker], [Follow] traces one, and [Reach] finds the states in which they end.
//
// A [Table], [Floats] and [Doubles] hold the numbers of a program's nodes: exact, in 53 bits, in
// 106 bits. An [Oracle] has the values of its generating functions, [Uses] averages over its
// derivations. Core knows steps of depth or size; bounds, budgets and the errors for users belong
// to package count.
package core
