// Package coverage, which may change, measures which parts of a grammar a set of sentences reaches:
// rules, alternatives, terminals, and k-paths.
//
//	c, err := coverage.New(g, coverage.Options{K: 3})
//	c.Add(tree)                        // for each derivation tree, parsed or generated
//	c.Report()                         // counts and lists, for tables and JSON
//	coverage.HTML(w, c)                // a page with the grammar coloured by use
//	g.WithWeights(c.Weights(false))    // a grammar with weights learned from the trees
//	coverage.Cover(ctx, g, 3, options) // a small set of sentences that reaches all 3-paths
//
// A k-path is a chain of k symbols from parent to child in a derivation tree
// (Havrikov and Zeller, Systematically Covering Input Structure, 2019).
package coverage
