package main

import (
	"context"
	"io"

	"github.com/gramfuzz/gramfuzz/coverage"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/load"
)

const learnAbout = `
Print a grammar in the native notation with the weights of its alternatives as
sentences use them: gen --strategy weighted then makes sentences like these.
Alternatives of rules that no sentence came to keep what they have. FILE is a
text, a file of records, or a folder of either.`

func runLearn(ctx context.Context, args []string, std streams) error {
	f := newFlags(std, "learn -g GRAMMAR [flags] [FILE...]", learnAbout)
	gf := f.addGrammar()
	invert := f.Bool("invert", false, "weigh most what is rare in the sentences")
	memory := f.addParsing()
	f.addQuiet()
	if err := f.parse(args, -1); err != nil {
		return err
	}
	g, err := gf.load()
	if err != nil {
		return err
	}
	c, s, err := measureCoverage(ctx, f, g, coverage.Options{Measure: grammar.Exact}, *memory)
	if err != nil {
		return err
	}
	if _, err := io.WriteString(std.out, load.Native(g.WithWeights(c.Weights(*invert)))); err != nil {
		return writeError("", err)
	}
	return s.answer()
}
