// Package texts draws and numbers distinct texts in place of derivations. A text of an
// ambiguous grammar has several derivations; the first of them in lexicographic order
// of choices stands for it, the others are passed over.
//
//	p, err := parse.New(ctx, g, parse.Options{})
//	t := texts.New(p, sampler.Source(), parse.Within{Bound: b}) // each text equally likely
//	tree, err := t.Tree(ctx, 7)                                 // text number 7
//
//	table := texts.NewTable(p, counted, nil) // the texts in order
//	n, err := table.Rank(ctx, "input", text)
//
// The number of texts within a bound is known only by looking at all derivations.
// Every search has a budget, and fails past it.
package texts
