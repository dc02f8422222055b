package main

import (
	"context"
	"fmt"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/internal/ui/describe"
)

const countAbout = `
Count the derivations within a bound, exactly. With --depth D, for each depth
d = 1 … D the number of those of depth at most d; with --size N, for each size
n = 0 … N (or M … N) the number of those of exactly that size. A line each: the
depth or size, a tab, the number. With --over texts each distinct text counts
once: texts are joined from those of parts of the grammar; where names, fields
or layout are in play, every derivation is looked at.`

func runCount(ctx context.Context, args []string, std streams) error {
	f := newFlags(std, "count -g GRAMMAR (--depth D | --size N) [flags]", countAbout)
	gf := f.addGrammar()
	bf := f.addBound()
	over := f.addOver()
	containing := f.String("containing", "", "count only derivations with these `PARTS`, such as stmt/1 or 'stmt/1,expr/*' or, in order, 'stmt/1<expr/0'")
	total := f.Bool("total", false, "print one number: all within the bound")
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
	o.Containing = *containing
	if texts && o.Containing != "" {
		return f.wrong("--over texts counts texts, whose first tree need not have the parts; leave --containing out")
	}
	g, err := gf.load()
	if err != nil {
		return err
	}
	if fit, err := bf.of(g); err == nil {
		b.Unit = fit.Unit
	}
	p := f.progress("counting")
	defer p.End() // counting texts goes on until the last number is printed
	o.Progress = p.Share
	c, err := describe.NewCounter(ctx, g, b, o, texts, over.tries)
	if err != nil {
		return err
	}
	if c.Empty != nil { // not an error here: the count is 0
		f.note("%v", c.Empty)
	}
	return printCounts(std, c, *total, *asJSON, texts)
}

// printCounts prints the total or a line for each step; with slow, each line as soon as it is
// known.
func printCounts(std streams, c *describe.Counter, total, asJSON, slow bool) error {
	var lines []byte
	counts := c.Total
	if !total {
		counts = func() (*describe.Counts, error) {
			return c.Steps(func(n describe.Count) (err error) {
				lines = fmt.Appendf(lines, "%d\t%s\n", n.N, n.Sentences)
				if !asJSON && (slow || len(lines) >= 1<<16) {
					std.line.Load().Clear()
					err = std.print(lines)
					lines = lines[:0]
				}
				return err
			})
		}
	}
	all, err := counts()
	switch {
	case err != nil:
		return err
	case asJSON:
		return std.printJSON(all)
	case total:
		lines = fmt.Appendln(lines, all.Total)
	}
	return std.print(lines)
}
