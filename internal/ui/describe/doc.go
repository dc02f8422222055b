// Package describe writes grammars, trees, coverage and predictions for people to read.
//
//	c, err := describe.ContentsOf(ctx, grammars.Must("json"))
//	err = c.WriteText(os.Stdout)
//	missed, all := describe.MissedParts(ctx, g, options, 1000) // 44 of 105 alternatives are drowned by uniform sampling
//	rules, share := describe.Spelled(ctx, g)                   // int, 0.9
package describe
