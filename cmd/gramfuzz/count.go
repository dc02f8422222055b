package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/big"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
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
	if texts {
		return countTexts(ctx, std, g, b, o, over.tries, *total)
	}
	at, sum, err := countWithin(ctx, f, g, b, o)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(std.out)
	if *total {
		fmt.Fprintln(out, sum)
		return out.Flush()
	}
	for n := max(b.Min, min(b.Depth, 1)); n <= b.Steps(); n++ {
		fmt.Fprintf(out, "%d\t%s\n", n, at(n))
	}
	return out.Flush()
}

// countTexts prints how many distinct texts there are.
func countTexts(ctx context.Context, std streams, g *grammar.Grammar, b count.Bound, o count.Options, tries int, total bool) error {
	p, err := parse.New(ctx, g, parse.Options{})
	if err != nil {
		return err
	}
	layout, err := derive.NewLayout(g, derive.Tight)
	if err != nil {
		return err
	}
	within := func(b count.Bound) (uint64, error) {
		table, err := count.New(ctx, g, b, o)
		if errors.As(err, new(*count.EmptyError)) {
			return 0, nil
		}
		if err != nil {
			return 0, err
		}
		all := texts.NewTable(p, table, layout.Lenient())
		all.MaxTries = tries
		return all.Count(ctx)
	}
	if total {
		n, err := within(b)
		if err == nil {
			fmt.Fprintln(std.out, n)
		}
		return err
	}
	for n := max(b.Min, min(b.Depth, 1)); n <= b.Steps(); n++ {
		step := b
		if b.ByDepth() {
			step.Depth = n
		} else {
			step.Min, step.Max = n, n
		}
		c, err := within(step)
		if err != nil {
			return err
		}
		fmt.Fprintf(std.out, "%d\t%d\n", n, c)
	}
	return nil
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
