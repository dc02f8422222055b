// Package describe writes grammars, trees, coverage and predictions for people to read.
//
//	err := describe.Grammar(ctx, os.Stdout, grammars.Must("json"))
package describe
