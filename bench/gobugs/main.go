package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// plan holds the values of the flags.
type plan struct {
	budget     budget
	seeds      int
	enough     bool
	strategies []string
	cases      *regexp.Regexp
	data       string
	cache      string
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := runMain(ctx, os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "gobugs:", err)
		os.Exit(2)
	}
}

func runMain(ctx context.Context, args []string, out, log io.Writer) error {
	p := plan{data: os.Getenv("GRAMFUZZ_DATA")}
	f := flag.NewFlagSet("gobugs", flag.ContinueOnError)
	f.SetOutput(log)
	f.DurationVar(&p.budget.time, "time", 60*time.Second, "CPU time for each case, strategy and seed; for gofuzz that on the clock")
	f.IntVar(&p.budget.inputs, "inputs", 0, "most inputs for each case, strategy and seed; 0 is any number")
	f.IntVar(&p.seeds, "seeds", 3, "how many seeds, from 1")
	f.BoolVar(&p.enough, "enough", false, "no further seed once most of them have found the bug, or can no longer")
	names := f.String("strategy", "walk,uniform,swarm,defaults", "which, separated by commas; also weights, mixed, balanced, pairs, broad, guided, and the rivals rapid and gofuzz")
	cases := f.String("cases", "", "only those whose name this regular expression matches")
	f.StringVar(&p.cache, "cache", "", "folder for built programs, kept; default a temporary one")
	if err := f.Parse(args); err != nil {
		return err
	}
	var err error
	if p.cases, err = regexp.Compile(*cases); err != nil {
		return err
	}
	for _, name := range strings.Split(*names, ",") {
		if _, ok := strategies[name]; !ok && name != goFuzz && name != guided {
			return fmt.Errorf("unknown strategy %q", name)
		}
		p.strategies = append(p.strategies, name)
	}
	if p.data == "" {
		fmt.Fprintln(log, "gobugs: nothing is done: GRAMFUZZ_DATA does not name the data folder with the cases")
		return nil
	}
	if p.cache == "" {
		if p.cache, err = os.MkdirTemp("", "gobugs-built-"); err != nil {
			return err
		}
		defer os.RemoveAll(p.cache)
	}
	if p.cache, err = filepath.Abs(p.cache); err != nil {
		return err
	}
	if err := os.MkdirAll(p.cache, 0o777); err != nil {
		return err
	}
	return p.run(ctx, out, log)
}

// run hunts all cases and prints a row for each as soon as it is done, in Markdown.
func (p *plan) run(ctx context.Context, out, log io.Writer) error {
	dirs, err := filepath.Glob(filepath.Join(p.data, "gobugs", "cases", "*", "target.go"))
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "| case | crasher | %s |\n|---|--:|%s\n", strings.Join(p.strategies, " | "), strings.Repeat("---|", len(p.strategies)))
	total, n := make([]int, len(p.strategies)), 0
	for _, file := range dirs {
		dir := filepath.Dir(file)
		if !p.cases.MatchString(filepath.Base(dir)) {
			continue
		}
		n++
		b, err := prepare(ctx, dir, p.cache)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "| %s | %d |", b.name, len(b.crasher))
		for i, name := range p.strategies {
			hits, cell, err := p.cell(ctx, b, name, log)
			if err != nil {
				return fmt.Errorf("%s, %s: %w", b.name, name, err)
			}
			if p.most(hits) {
				total[i]++
			}
			fmt.Fprintf(out, " %s |", cell)
		}
		fmt.Fprintln(out)
	}
	fmt.Fprintf(out, "| **found, of %d** | |", n)
	for _, t := range total {
		fmt.Fprintf(out, " **%d** |", t)
	}
	fmt.Fprintln(out)
	return nil
}

// most reports whether hits is more than half of the seeds.
func (p *plan) most(hits int) bool { return 2*hits > p.seeds }

// settled reports whether the remaining hunts cannot change the result of most.
func (p *plan) settled(hits, hunted int) bool {
	return p.most(hits) || !p.most(p.seeds-(hunted-hits))
}

// hunt hunts one case with one strategy and seed.
func (p *plan) hunt(ctx context.Context, b *bug, name string, seed uint64) (*result, error) {
	switch name {
	case goFuzz:
		return huntGoFuzz(ctx, b, seed, p.budget)
	case guided:
		return huntGuided(ctx, b, seed, p.budget)
	}
	return hunt(ctx, b, strategies[name], seed, p.budget)
}

// cell hunts one case with one strategy and all seeds. The cell has, for each seed, the number of
// inputs until the find and its reduced length, or a dash.
func (p *plan) cell(ctx context.Context, b *bug, name string, log io.Writer) (hits int, cell string, err error) {
	var parts []string
	for seed := 1; seed <= p.seeds && !(p.enough && p.settled(hits, seed-1)); seed++ {
		r, err := p.hunt(ctx, b, name, uint64(seed))
		if err != nil {
			return 0, "", err
		}
		part := "–"
		if r.found {
			hits++
			part = fmt.Sprintf("%d → %d B", r.inputs, len(r.shrunk))
		}
		if r.others > 0 {
			part += fmt.Sprintf(" (+%d)", r.others)
		}
		parts = append(parts, part)
		fmt.Fprintf(log, "%s %s seed %d: found %v after %d inputs and %v, %d other bugs, %q shrunk to %q in %d calls\n",
			b.name, name, seed, r.found, r.inputs, r.took.Round(time.Millisecond), r.others, r.input, r.shrunk, r.shrinks)
	}
	return hits, strings.Join(parts, ", "), nil
}
