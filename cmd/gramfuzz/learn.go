package main

import (
	"context"

	"github.com/gramfuzz/gramfuzz/coverage"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/ui/describe"
	"github.com/gramfuzz/gramfuzz/load"
)

const learnAbout = `
Print a grammar in the native notation, with the uses of its alternatives by the
sentences as weights: gen --strategy weighted then makes similar sentences.
Rules that no sentence reaches keep their weights. FILE is a text, a file of
records, or a folder of either.`

func runLearn(ctx context.Context, args []string, std streams) error {
	f := newFlags(std, "learn -g GRAMMAR [flags] [FILE...]", learnAbout)
	gf := f.addGrammar()
	invert := f.Bool("invert", false, "give rare alternatives the most weight")
	asJSON := f.addJSON("the weights learned")
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
	if *asJSON {
		err = std.printJSON(describe.LearnedFrom(g, c.Weights(*invert)))
	} else {
		err = std.print([]byte(load.Native(g.WithWeights(c.Weights(*invert)))))
	}
	if err != nil {
		return err
	}
	return s.answer()
}
