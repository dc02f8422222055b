// Package coverage says what parts of a grammar a set of sentences reaches:
// rules, alternatives, terminals, and k-paths (Havrikov and Zeller,
// Systematically Covering Input Structure, 2019).
//
// The path through the package:
//
//	c, err := coverage.New(g, coverage.Options{K: 3})
//	c.Add(tree)               // for each derivation tree, parsed or made
//	c.Report()                // numbers and lists, for tables and JSON
//	coverage.HTML(w, c)       // the grammar coloured by use, one page
//	c.Weights(false)          // weights of alternatives as seen (or what is rare)
//	coverage.Cover(ctx, g, 3) // a small set of sentences that reaches all k-paths
package coverage
