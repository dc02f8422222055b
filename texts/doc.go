// Package texts, which may change, numbers distinct texts instead of derivations. An ambiguous text has several
// derivations; the one with the lowest rank represents it, and the others are skipped.
//
//	p, err := parse.New(ctx, g, parse.Options{})
//	table := texts.NewTable(p, counted, nil) // the texts in order
//	n, err := table.Rank(ctx, "input", text)
//
// A table counts the texts within a bound by a look at every derivation. Every search has a
// budget, and fails beyond it. Package stream draws texts, each equally likely, by plans over
// texts.
package texts
