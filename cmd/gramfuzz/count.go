package main

import (
	"context"
	"errors"
	"fmt"
	"math/big"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/describe"
	"github.com/gramfuzz/gramfuzz/internal/record"
	"github.com/gramfuzz/gramfuzz/parse"
	"github.com/gramfuzz/gramfuzz/texts"
)

const countAbout = `
Count the derivations within a bound, exactly. With --depth D, for each depth
d = 1 … D the number of those of depth at most d; with --size N, for each size
n = 0 … N (or M … N) the number of those of exactly that size. A line each: the
depth or size, a tab, the number. With --over texts each distinct text counts
once, which takes a look at every derivation.`

func runCount(ctx context.Context, args []string, std streams) error {
	f := newFlags(std, "count -g GRAMMAR (--depth D | --size N) [flags]", countAbout)
	gf := f.addGrammar()
	bf := f.addBound()
	over := f.addOver()
	containing := f.String("containing", "", "count only derivations with these `PARTS`, such as stmt/1 or 'stmt/1,expr/*' or, in order, 'stmt/1<expr/0'")
	total := f.Bool("total", false, "print one number: how many are within the bound")
	asJSON := f.addJSON("the bound and the numbers")
	f.addQuiet()
	if err := f.parse(args, 0); err != nil {
		return err
	}
	b, err := bf.bound()
	if err != nil {
		return err
	}
	if b == (count.Bound{}) {
		return f.wrong("no bound; give --depth D or --size N")
	}
	if b.Min == b.Max && !*total {
		b.Min = 0
	}
	texts, err := over.texts(bf)
	if err != nil {
		return err
	}
	o, err := bf.options()
	if err != nil {
		return err
	}
	if o.Containing = *containing; texts && o.Containing != "" {
		return f.wrong("--over texts counts texts, whose first tree need not have the parts; leave --containing out")
	}
	g, err := gf.load()
	if err != nil {
		return err
	}
	if fit, err := bf.of(g); err == nil {
		b.Unit = fit.Unit
	}
	all, steps, err := counters(ctx, f, g, b, o, texts, over.tries)
	if err != nil {
		return err
	}
	counts := describe.Counts{Grammar: g.Name, Bound: record.Bound(b), Measure: o.Measure.String(), Over: over.over}
	if *total {
		n, err := all()
		if err != nil {
			return err
		}
		if !*asJSON {
			return std.print(fmt.Appendln(nil, n))
		}
		counts.Total = &describe.Number{Int: n}
		return std.printJSON(counts)
	}
	var lines []byte
	for n := max(b.Min, min(b.Depth, 1)); n <= b.Steps(); n++ {
		k, err := steps(n)
		if err != nil {
			return err
		}
		if *asJSON {
			counts.Counts = append(counts.Counts, describe.Count{N: n, Sentences: describe.Number{Int: k}})
			continue
		}
		lines = fmt.Appendf(lines, "%d\t%s\n", n, k)
		if texts || len(lines) >= 1<<16 { // a text takes a look at its derivations: each line as soon as it is there
			if err := std.print(lines); err != nil {
				return err
			}
			lines = lines[:0]
		}
	}
	if *asJSON {
		return std.printJSON(counts)
	}
	return std.print(lines)
}

// counters return how many sentences are within the bound, and of depth at most n or of
// size n.
func counters(ctx context.Context, f *flags, g *grammar.Grammar, b count.Bound, o count.Options, overTexts bool, tries int) (all func() (*big.Int, error), steps func(n int) (*big.Int, error), err error) {
	if overTexts {
		return countTexts(ctx, g, b, o, tries)
	}
	at, sum, err := countWithin(ctx, f, g, b, o)
	return func() (*big.Int, error) { return sum, nil }, func(n int) (*big.Int, error) { return at(n), nil }, err
}

// countTexts counts distinct texts.
func countTexts(ctx context.Context, g *grammar.Grammar, b count.Bound, o count.Options, tries int) (all func() (*big.Int, error), steps func(n int) (*big.Int, error), err error) {
	p, err := parse.New(ctx, g, parse.Options{})
	if err != nil {
		return nil, nil, err
	}
	layout, err := derive.NewLayout(g, derive.Tight)
	if err != nil {
		return nil, nil, err
	}
	within := func(b count.Bound) (*big.Int, error) {
		table, err := count.New(ctx, g, b, o)
		if errors.As(err, new(*count.EmptyError)) {
			return new(big.Int), nil
		}
		if err != nil {
			return nil, err
		}
		of := texts.NewTable(p, table, layout.Lenient())
		of.MaxTries = tries
		n, err := of.Count(ctx)
		return new(big.Int).SetUint64(n), err
	}
	return func() (*big.Int, error) { return within(b) }, func(n int) (*big.Int, error) {
		step := b
		if b.ByDepth() {
			step.Depth = n
		} else {
			step.Min, step.Max = n, n
		}
		return within(step)
	}, nil
}

// countWithin counts. That there is no sentence is no error here: 0 is a number.
func countWithin(ctx context.Context, f *flags, g *grammar.Grammar, b count.Bound, o count.Options) (at func(int) *big.Int, total *big.Int, err error) {
	p := f.progress("counting")
	defer p.End()
	o.Progress = p.Share
	t, err := count.New(ctx, g, b, o)
	var none *count.EmptyError
	switch {
	case errors.As(err, &none):
		f.note("%v", none)
		return func(int) *big.Int { return new(big.Int) }, new(big.Int), nil
	case err != nil:
		return nil, nil, err
	}
	return t.At, t.Total(), nil
}
