package main

import (
	"context"
	"fmt"
	"math/big"
	"strings"
	"text/tabwriter"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/dist"
	"github.com/gramfuzz/gramfuzz/sample"
	"github.com/gramfuzz/gramfuzz/stream"
	"github.com/gramfuzz/gramfuzz/swarm"
)

const distAbout = `
Compute the probability that each sentence within a bound is drawn; of a large
grammar, the probability that a sentence takes each alternative. Probabilities are
exact if configurations and sentences can be enumerated, or derivations counted;
else they are estimated, with intervals that hold in 99 of 100 cases.

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
	f.Uint64Var(&d.seed, "seed", 1, "of the sentences that an estimate draws")
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
			f.note("%s is estimated from %s: %s", columnName(accounts, i), plural(a.Samples, "sentence"), a.Why)
		}
	}
	out, err := create(std, "")
	if err != nil {
		return err
	}
	if d.json {
		if err := d.writeJSON(out, g, accounts); err != nil {
			return err
		}
	} else if err := writeTable(out, accounts); err != nil {
		return err
	}
	return out.finish()
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
	g, err := d.g.load()
	if err != nil {
		return nil, nil, err
	}
	line := d.f.progress("accounting")
	defer line.end()
	accounts, err := d.all(ctx, g, plan, o)
	for _, a := range accounts {
		if err == nil && a.By != accounts[0].By { // only rows of one kind can be compared
			o.By = dist.Alternatives
			accounts, err = d.all(ctx, g, plan, o)
			break
		}
	}
	return g, accounts, err
}

func (d *distFlags) all(ctx context.Context, g *grammar.Grammar, plan *stream.SwarmPlan, o dist.Options) ([]*dist.Account, error) {
	var all []*dist.Account
	for _, name := range d.strategies {
		strategy, err := sample.ParseStrategy(name)
		if err != nil {
			return nil, d.f.wrong("%v", err)
		}
		o.Sample.Strategy = strategy
		for _, mode := range d.modes {
			plan.Mode = mode
			sw, _, err := plan.Open(g, o.Sample.Measure)
			if err != nil {
				return nil, err
			}
			a, err := dist.New(ctx, sw, o)
			if err != nil {
				return nil, fmt.Errorf("strategy %s, swarm %s: %w", name, mode, err)
			}
			all = append(all, a)
		}
	}
	return all, nil
}

// options reads the flags that all accounts share.
func (d *distFlags) options() (dist.Options, error) {
	f := d.f
	o := dist.Options{Leaves: d.leaves, Samples: d.samples}
	switch {
	case d.leaves < 1:
		return o, f.wrong("--leaves %d cannot be; it begins with 1", d.leaves)
	case d.samples < 1:
		return o, f.wrong("--samples %d cannot be; it begins with 1", d.samples)
	}
	switch d.by {
	case "auto":
	case "sentences":
		o.By = dist.Leaves
	case "alternatives":
		o.By = dist.Alternatives
	default:
		return o, f.wrong("--by %q cannot be; there are sentences, alternatives and auto", d.by)
	}
	switch d.spread {
	case "even":
	case "count":
		o.Sample.Spread = sample.ByCount
	default:
		return o, f.wrong("there is no spread %q; there are even and count", d.spread)
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

// columnName names an account by its difference from the others.
func columnName(accounts []*dist.Account, i int) string {
	strategies, modes := map[sample.Strategy]bool{}, map[swarm.Mode]bool{}
	for _, a := range accounts {
		strategies[a.Strategy], modes[a.Mode] = true, true
	}
	a := accounts[i]
	switch {
	case a.Mode == swarm.Off && (len(modes) == 1 || len(strategies) > 1):
		return a.Strategy.String()
	case a.Mode == swarm.Off:
		return "no swarm"
	case len(strategies) == 1 && len(modes) > 1:
		return a.Mode.String()
	}
	return a.Strategy.String() + " " + a.Mode.String()
}

// longestFraction is how many letters of a fraction the table shows.
const longestFraction = 15

// writeTable prints a row for each sentence or alternative.
func writeTable(out *output, accounts []*dist.Account) error {
	w := tabwriter.NewWriter(out, 0, 8, 2, ' ', 0)
	head := []string{"sentence"}
	if accounts[0].By == dist.Alternatives {
		head[0] = "alternative"
	}
	for i := range accounts {
		head = append(head, columnName(accounts, i))
	}
	fmt.Fprintln(w, strings.Join(head, "\t"))
	for _, row := range dist.Compare(accounts...) {
		line := []string{row.Name}
		if row.Alt < 0 {
			line[0] = oneLine(row.Name)
		}
		for i, c := range row.Cells {
			line = append(line, cell(c, accounts[i].Exact))
		}
		fmt.Fprintln(w, strings.Join(line, "\t"))
	}
	return w.Flush()
}

// oneLine quotes a text that would break the table.
func oneLine(s string) string {
	if quoted := fmt.Sprintf("%q", s); s == "" || s != strings.TrimSpace(s) || len(quoted) > len(s)+2+strings.Count(s, `"`) {
		return quoted
	}
	return s
}

func cell(r dist.Row, exact bool) string {
	switch {
	case exact && r.P == nil:
		return "0"
	case !exact:
		return fmt.Sprintf("%.3f%% (%.3f to %.3f)", 100*r.Share, 100*r.Lo, 100*r.Hi)
	}
	percent := fmt.Sprintf("%.4f%%", 100*r.Share)
	if f := fraction(r.P); len(f) <= longestFraction {
		return percent + " = " + f
	}
	return percent
}

func fraction(r *big.Rat) string {
	if r.IsInt() {
		return r.Num().String()
	}
	return r.String()
}
