package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/gramfuzz/gramfuzz/bench/coverage/reach"
	"github.com/gramfuzz/gramfuzz/grammar"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "coverage:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	flags := flag.NewFlagSet("coverage", flag.ContinueOnError)
	n := flags.Int("n", 10_000, "sentences for each configuration")
	seed := flags.Uint64("seed", 1, "seed")
	only := flags.String("targets", "", "comma-separated parts of the names of targets; all when empty")
	which := flags.String("configs", "", "names of configurations, or mixtures of strategies as in \"walk + balanced swarm both\", separated by ;; all when empty")
	dev := flags.String("grammars", "", "measure instead which alternatives, pairs of parts and paths are reached of the grammars in these comma-separated folders of GRAMFUZZ_DATA/grammars/dev")
	parts := flags.Bool("parts", false, "measure the same of the targets' grammars")
	per := flags.Int("per", 0, "with -grammars or -parts: sentences for each part of the grammar, in place of -n")
	byEdges := flags.Bool("edges", false, "measure edges reached in a time instead, by every way of making sentences")
	ways := flags.String("ways", strings.Join(reach.Ways, ";"), "with -edges: the ways, separated by ;")
	budget := flags.Duration("time", 10*time.Second, "with -edges: time of the processor for each way, target and seed")
	seeds := flags.Int("seeds", 3, "with -edges: seeds 1 to so many")
	if err := flags.Parse(args); err != nil {
		return err
	}
	makers, err := chosen(*which)
	if err != nil {
		return err
	}
	ts := slices.DeleteFunc(available(), func(t target) bool { return !matches(t.name, *only) })
	if *dev != "" || *parts {
		cols, err := loadDev(*dev)
		if *parts {
			cols, err = loadTargets(ts)
		}
		if err != nil {
			return err
		}
		return partTables(ctx, cols, makers, *n, *per, *seed, stdout, stderr)
	}
	dir, err := os.MkdirTemp("", "coverage")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)

	if *byEdges {
		return edges(ctx, ts, strings.Split(*ways, ";"), *budget, max(1, *seeds), dir, stdout, stderr)
	}
	cols, err := loadTargets(ts)
	if err != nil {
		return err
	}
	for i, t := range ts {
		fmt.Fprintf(stderr, "building %s\n", t.name)
		if cols[i].b, err = build(ctx, t, dir); err != nil {
			return err
		}
	}
	return statementTable(ctx, cols, makers, *n, *seed, stdout, stderr)
}

// column is a grammar with the program that reads its sentences. There is no program if the
// grammar's own parts are measured.
type column struct {
	name string
	b    *built
	g    *grammar.Grammar
}

func matches(name, only string) bool {
	return only == "" || slices.ContainsFunc(strings.Split(only, ","), func(part string) bool { return strings.Contains(name, part) })
}

// statementTable prints, for every configuration, the share of statements reached
// in every target, in percent.
func statementTable(ctx context.Context, cols []column, rows []config, n int, seed uint64, stdout, stderr io.Writer) error {
	return table(cols, rows, "configuration", "statements", stdout, stderr, func(c column, row config) (int, int, error) {
		return c.b.reached(ctx, func(w io.Writer) error { return row.write(ctx, w, c.g, n, seed) })
	})
}

// table prints, for every configuration and target, the share that count returns, in percent. The
// counted parts are called what in messages.
func table(cols []column, rows []config, head, what string, stdout, stderr io.Writer, count func(column, config) (some, all int, err error)) error {
	w := tabwriter.NewWriter(stdout, 0, 0, 1, ' ', 0)
	fmt.Fprintf(w, "| %s\t", head)
	for _, c := range cols {
		fmt.Fprintf(w, "| %s\t", c.name)
	}
	fmt.Fprintln(w, "| mean\t|")
	fmt.Fprintln(w, strings.Repeat("|---\t", len(cols)+2)+"|")
	for _, row := range rows {
		fmt.Fprintf(w, "| %s\t", row.name)
		total := 0.0
		for _, c := range cols {
			hit, all, err := count(c, row)
			if err != nil {
				return fmt.Errorf("%s, %s: %w", c.name, row.name, err)
			}
			share := 100 * float64(hit) / float64(max(all, 1))
			total += share
			fmt.Fprintf(w, "| %.1f\t", share)
			fmt.Fprintf(stderr, "%s, %s: %d of %d %s\n", row.name, c.name, hit, all, what)
		}
		fmt.Fprintf(w, "| %.1f\t|\n", total/float64(max(len(cols), 1)))
	}
	return w.Flush()
}
