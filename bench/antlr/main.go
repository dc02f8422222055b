// Antlr measures how well gramfuzz and ANTLR agree about the grammars of the data folder: the
// share of the grammars' own examples that gramfuzz parses, the share of gramfuzz's sentences that
// ANTLR's parser accepts, and the share of the alternatives that occur in these sentences. It
// prints a table in Markdown, row by row, followed by the reasons for rejections and the missing
// alternatives. It needs a JDK.
//
//	GRAMFUZZ_DATA=… go -C bench run ./antlr -n 1000 -time 10m
//
// With -witness it prints another table, with the same shares for sentences of gen in every layout
// and for its covering sets. This table also has a lower bound on the number of sentences that
// cover all alternatives, and the CPU time to parse the sentences and to measure their coverage.
//
//	GRAMFUZZ_DATA=… ANTLR_TIMEOUT=20 go -C bench run ./antlr -witness -more GRAMMARS_V4 > RESULTS.md
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"strings"
	"time"
)

func main() {
	data := flag.String("data", os.Getenv("GRAMFUZZ_DATA"), "the data folder")
	only := flag.String("only", "", "grammars, separated by commas, by their paths; all")
	impure := flag.Bool("impure", false, "the grammars with actions and predicates instead")
	witness := flag.Bool("witness", false, "the table of witnesses: all layouts, covering sets, and the time to read sentences back")
	more := flag.String("more", "", "a copy of grammars-v4, for the table of witnesses: five grammars that the data folder does not have")
	longest := flag.Int("longest", 20000, "for the table of witnesses: ANTLR is not asked about texts of more bytes")
	n := flag.Int("n", 1000, "sentences for each grammar")
	limit := flag.Duration("time", 10*time.Minute, "at most so long for the sentences of a grammar")
	lo := flag.Int("min", 5, "least size of sentences, in terminals")
	hi := flag.Int("max", 200, "greatest size of sentences, in terminals")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	list := devGrammars
	if *impure {
		list = impureGrammars
	}
	gs, err := list(*data)
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench/antlr:", err)
		os.Exit(2)
	}
	b := &bench{data: *data, n: *n, limit: *limit, lo: *lo, hi: *hi, longest: *longest}
	fmt.Printf("Commit %s, %s, `go -C bench run ./antlr %s`\n\n", commit(), time.Now().Format("2006-01-02"), strings.Join(os.Args[1:], " "))
	if *witness {
		gs = append(gs, furtherGrammars(*more)...)
		gs = slices.DeleteFunc(gs, func(g testGrammar) bool { return *only != "" && !slices.Contains(strings.Split(*only, ","), g.path) })
		b.witnesses(ctx, gs)
		return
	}
	fmt.Println("| grammar | warnings | examples parsed | sentences | drawn anew | accepted by ANTLR | alternatives, uniform | in all | native |")
	fmt.Println("|---|---:|---:|---:|---:|---:|---:|---:|---:|")
	var rows []*row
	for _, g := range gs {
		if *only != "" && !slices.Contains(strings.Split(*only, ","), g.path) {
			continue
		}
		r := b.run(ctx, g)
		if ctx.Err() != nil {
			break
		}
		fmt.Println(r)
		rows = append(rows, r)
	}
	summary(rows)
}

// commit returns the commit of the build, "" if it is unknown.
func commit() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			return s.Value[:min(len(s.Value), 12)]
		}
	}
	return "unknown"
}

// summary prints the number of grammars that reach the goals, and the reasons why others miss them.
func summary(rows []*row) {
	good := 0
	for _, r := range rows {
		if r.err == nil && r.accepted.share() >= 0.99 && r.alts.share() >= 0.95 {
			good++
		}
	}
	fmt.Printf("\n%d of %d grammars: at least 99 %% of the sentences accepted and 95 %% of the alternatives in them.\n", good, len(rows))
	for _, r := range rows {
		r.explain()
	}
}
