package main

import (
	"context"
	"io"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/base/words"
	"github.com/gramfuzz/gramfuzz/internal/ui/dist"
	"github.com/gramfuzz/gramfuzz/internal/ui/report"
	"github.com/gramfuzz/gramfuzz/sample"
	"github.com/gramfuzz/gramfuzz/stream"
	"github.com/gramfuzz/gramfuzz/swarm"
)

const distAbout = `
Compute the probability that each sentence within a bound is drawn; of a large
grammar, the probability that a sentence takes each alternative. Probabilities are
exact if configurations and sentences can be enumerated, or derivations counted;
otherwise they are estimated, with intervals that hold in 99 of 100 cases.

Several strategies and swarm modes, as in --strategy walk,uniform --swarm off,both,
are compared side by side.`

// distFlags are the flags of dist.
type distFlags struct {
	f          *flags
	g          *grammarFlags
	b          *boundFlags
	swarm      *swarmFlags
	strategies []string
	modes      []string
	spread     string
	by         string
	leaves     int
	samples    int
	seed       uint64
	json       bool
	svg        string
}

func runDist(ctx context.Context, args []string, std streams) error {
	f := newFlags(std, "dist -g GRAMMAR [flags]", distAbout)
	d := &distFlags{f: f}
	d.g = f.addGrammar()
	d.b = f.addBound()
	f.StringVar(&d.spread, "spread", "even", "of a range of sizes: even (each size as likely) or count (each sentence as likely)")
	f.StringSliceVar(&d.strategies, "strategy", []string{"uniform"}, "how to draw: uniform, walk, limit, weighted or boltzmann; several with commas")
	f.StringSliceVar(&d.modes, "swarm", []string{"off"}, "how to leave out parts of the grammar: off, plain, down or both; several with commas")
	d.swarm = &swarmFlags{f: f}
	d.swarm.addCoins()
	f.StringVar(&d.by, "by", "auto", "the rows: sentences, alternatives, or auto (sentences where they are few)")
	f.IntVar(&d.leaves, "leaves", dist.DefaultLeaves, "list at most `N` sentences")
	f.IntVar(&d.samples, "samples", dist.DefaultSamples, "estimate from `N` sentences where nothing exact can be computed")
	f.Uint64Var(&d.seed, "seed", 1, "the seed of an estimate")
	f.BoolVar(&d.json, "json", false, "print one JSON object with all digits of all fractions")
	f.StringVar(&d.svg, "svg", "", "also draw a bar chart into `FILE`")
	f.addQuiet()
	if err := f.parse(args, 0); err != nil {
		return err
	}
	g, accounts, err := d.accounts(ctx)
	if err != nil {
		return err
	}
	if d.svg != "" {
		if err := d.draw(std, g, accounts); err != nil {
			return err
		}
	}
	for i, a := range accounts {
		if !a.Exact {
			f.note("%s is estimated from %s: %s", dist.ColumnName(accounts, i), words.Plural(a.Samples, "sentence"), a.Why)
		}
	}
	return writeTo(std, "-", func(w io.Writer) error {
		if d.json {
			o := dist.Origin{Version: version(), Grammar: refOf(d.g.ref(), g), Measure: d.b.measure, SwarmP: d.swarm.p, Seed: d.seed}
			return dist.WriteJSON(w, o, accounts)
		}
		return dist.WriteTable(w, accounts)
	})
}

// accounts computes the distribution of every strategy and mode.
func (d *distFlags) accounts(ctx context.Context) (*grammar.Grammar, []*dist.Account, error) {
	o, err := d.options()
	if err != nil {
		return nil, nil, err
	}
	plan := &stream.SwarmPlan{}
	if err := d.swarm.coins(plan); err != nil {
		return nil, nil, err
	}
	for _, m := range d.modes {
		if _, err := swarm.ParseMode(m); err != nil {
			return nil, nil, d.f.wrong("%v", err)
		}
	}
	var strategies []sample.Strategy
	for _, name := range d.strategies {
		strategy, err := sample.ParseStrategy(name)
		if err != nil {
			return nil, nil, d.f.wrong("%v", err)
		}
		strategies = append(strategies, strategy)
	}
	g, err := d.g.load()
	if err != nil {
		return nil, nil, err
	}
	line := d.f.progress("accounting")
	defer line.End()
	accounts, err := dist.SideBySide(ctx, g, plan, strategies, d.modes, o)
	return g, accounts, err
}

// options returns the options common to all accounts.
func (d *distFlags) options() (dist.Options, error) {
	f := d.f
	o := dist.Options{Leaves: d.leaves, Samples: d.samples}
	switch {
	case d.leaves < 1:
		return o, f.wrong("--leaves %d is out of range; the least is 1", d.leaves)
	case d.samples < 1:
		return o, f.wrong("--samples %d is out of range; the least is 1", d.samples)
	}
	switch d.by {
	case "auto":
	case "sentences":
		o.By = dist.Leaves
	case "alternatives":
		o.By = dist.Alternatives
	default:
		return o, f.wrong("--by %q is unknown; there are sentences, alternatives and auto", d.by)
	}
	switch d.spread {
	case "even":
	case "count":
		o.Sample.Spread = sample.ByCount
	default:
		return o, f.wrong("unknown spread %q; there are even and count", d.spread)
	}
	var err error
	if o.Sample.Bound, err = d.b.bound(); err != nil {
		return o, err
	}
	co, err := d.b.options()
	if err != nil {
		return o, err
	}
	o.Sample.Measure, o.Sample.MaxMemory, o.Sample.Seed = co.Measure, co.MaxMemory, d.seed
	return o, nil
}

// draw writes the picture.
func (d *distFlags) draw(std streams, g *grammar.Grammar, accounts []*dist.Account) error {
	if len(accounts) > report.MostSeries {
		return d.f.wrong("--svg shows at most %d strategies and modes, not %d", report.MostSeries, len(accounts))
	}
	return writeTo(std, d.svg, dist.Chart(g, accounts).WriteSVG)
}
