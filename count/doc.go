// Package count counts the sentences of a grammar exactly, numbers them, and makes the sentence
// of any number.
//
//	g := grammars.Must("json")
//	t, err := count.New(ctx, g, count.Sizes(1, 20, grammar.Terminals), count.Options{})
//	fmt.Println(t.Total())                    // how many derivations there are
//	tree, err := t.Unrank(big.NewInt(123456)) // the one with this number
//	rank, err := t.Rank(tree)                 // its number again
//
// A [Bound] of depth or size makes the number finite. [New] refuses a bound without a sentence
// and one whose tables would not fit in memory; the error names a bound that works. [NewProgram]
// and [NewTable] do the same in two steps, for several bounds of one kind. Numbers are exact;
// package sample draws by them.
package count
