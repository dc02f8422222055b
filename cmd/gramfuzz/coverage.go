package main

import (
	"bytes"
	"context"
	"io"

	"github.com/gramfuzz/gramfuzz/coverage"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/base/words"
	"github.com/gramfuzz/gramfuzz/internal/records/record"
	"github.com/gramfuzz/gramfuzz/internal/ui/describe"
)

const coverageAbout = `
Measure the parts of a grammar that sentences reach: rules, alternatives, terminals,
and k-paths (chains of k symbols, each the parent of the next). FILE is a text, a file
of records, or a folder of either. Files that are no sentences are named on
standard error and left out; the exit code is then 1.`

func runCoverage(ctx context.Context, args []string, std streams) error {
	f := newFlags(std, "coverage -g GRAMMAR [flags] [FILE...]", coverageAbout)
	gf := f.addGrammar()
	k := f.IntP("kpath", "k", 2, "the length of the paths; 0: none")
	measure := f.String("measure", "structure", "structure: a token is one terminal; exact: its inside counts too")
	asJSON := f.addJSON("everything")
	all := f.Bool("all", false, "list every part with its number, not only unreached ones")
	html := f.String("html", "", "write the grammar coloured by use to `FILE`, a self-contained page")
	memory := f.addParsing()
	f.addQuiet()
	if err := f.parse(args, -1); err != nil {
		return err
	}
	m, err := record.ParseMeasure(*measure)
	switch {
	case err != nil:
		return f.wrong("%v", err)
	case *k < 0:
		return f.wrong("-k %d is out of range; the least is 0", *k)
	case *asJSON && *all:
		return f.wrong("--json has everything anyway; leave --all out")
	}
	g, err := gf.load()
	if err != nil {
		return err
	}
	c, s, err := measureCoverage(ctx, f, g, coverage.Options{K: *k, Measure: m}, *memory)
	if err != nil {
		return err
	}
	if err := writeTo(std, *html, func(w io.Writer) error { return coverage.HTML(w, c) }); err != nil {
		return err
	}
	if *asJSON {
		err = std.printJSON(c.Report())
	} else {
		var out bytes.Buffer
		if err = describe.Coverage(&out, c.Report(), *all); err == nil {
			err = std.print(out.Bytes())
		}
	}
	if err != nil {
		return err
	}
	return s.answer()
}

// measureCoverage counts the coverage of the sentences in the files of the arguments.
func measureCoverage(ctx context.Context, f *flags, g *grammar.Grammar, o coverage.Options, memory words.Bytes) (*coverage.Coverage, *sentenceReader, error) {
	c, err := coverage.New(g, o)
	if err != nil {
		return nil, nil, err
	}
	s, err := newSentenceReader(ctx, f, g, memory)
	if err != nil {
		return nil, nil, err
	}
	s.Outline = o.Measure == grammar.Structure
	return c, s, s.each(ctx, f.Args(), c.Add)
}
