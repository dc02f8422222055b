// Package describe writes grammars, trees, coverage and predictions for people to read.
//
//	c, err := describe.ContentsOf(ctx, grammars.Must("json"))
//	err = c.WriteText(os.Stdout)
package describe
