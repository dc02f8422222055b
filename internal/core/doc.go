// Package core compiles a grammar to sums and products, and counts its derivations.
//
//	p, err := core.New(g, nil, g.Facts(nil, grammar.Structure), grammar.Terminals, 0)
//	t, err := core.NewTable(ctx, p, 1, 20, nil)     // exact numbers, by node and size
//	choices := t.Unrank(p.Root, 20, big.NewInt(7))  // the derivation of a number
//	f, err := core.NewFloats(ctx, p, 1000, nil)     // numbers with an error bound
//	v, e := f.At(p.Root, 1000), f.Error(p.Root, 1000, 0)
//
// A [Program] settles repetitions, inline rules, emptiness and names in play once. A
// [Table], [Floats] and [Doubles] hold the numbers of its nodes: exact, in 53 bits, in
// 106 bits. An [Oracle] has the values of its generating functions, [Uses] averages over
// its derivations. It knows steps of depth or size; bounds, budgets and the errors that
// users see belong to package count.
package core
