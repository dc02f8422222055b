// Package texts numbers distinct texts in place of derivations. A text of an ambiguous
// grammar has several derivations; the first of them in lexicographic order of choices
// stands for it, the others are passed over.
//
//	p, err := parse.New(ctx, g, parse.Options{})
//	table := texts.NewTable(p, counted, nil) // the texts in order
//	n, err := table.Rank(ctx, "input", text)
//
// The number of texts within a bound is known only by looking at all derivations.
// Every search has a budget, and fails past it. Package stream draws texts, each equally
// likely, by plans over texts.
package texts
