// Notations tests the grammars of the data folder in W3C EBNF, ISO 14977, Go's EBNF,
// ABNF, GBNF and fuzzingbook's JSON. It draws sentences of 5 to 200 terminals from
// each grammar that loads. It prints, as Markdown, which files load, which of the
// reachable alternatives occur, and whether the sentences parse back. The folder
// companions has rules that files leave to prose or to other files.
//
//	GRAMFUZZ_DATA=… go -C bench run ./notations
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"time"
)

// folders lists the folders of the data folder, with the names of their files.
var folders = []struct{ name, ext, notation string }{
	{"abnf", ".abnf", "ABNF"},
	{"fuzzingbook", ".json", "fuzzingbook's JSON"},
	{"gbnf", ".gbnf", "GBNF"},
	{"go-ebnf", ".ebnf", "Go's EBNF"},
	{"iso-ebnf", ".ebnf", "ISO 14977"},
	{"w3c-ebnf", ".ebnf", "W3C EBNF"},
}

func main() {
	data := flag.String("data", os.Getenv("GRAMFUZZ_DATA"), "the data folder")
	only := flag.String("only", "", "only files whose path holds this")
	var o options
	flag.IntVar(&o.sentences, "n", 20000, "at most so many sentences of a grammar by swarm, and as many by walks")
	flag.IntVar(&o.parse, "parse", 100, "about so many of the sentences are parsed")
	flag.IntVar(&o.min, "min", 5, "least size in terminals")
	flag.IntVar(&o.max, "max", 200, "greatest size in terminals")
	flag.DurationVar(&o.limit, "time", 10*time.Second, "at most about so much CPU time for a grammar's sentences, and as much again for parsing them")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *data, *only, o); err != nil {
		fmt.Fprintln(os.Stderr, "bench/notations:", err)
		os.Exit(2)
	}
}

func run(ctx context.Context, data, only string, o options) error {
	var all []*row
	for _, f := range folders {
		files, err := filepath.Glob(filepath.Join(data, "grammars", "formats", f.name, "*"+f.ext))
		if err != nil {
			return err
		}
		if len(files) == 0 {
			return fmt.Errorf("no files in %s; set GRAMFUZZ_DATA to the data folder", filepath.Join(data, "grammars", "formats", f.name))
		}
		for _, path := range files {
			if !strings.Contains(path, only) {
				continue
			}
			r := measure(ctx, path, o)
			if ctx.Err() != nil {
				return ctx.Err()
			}
			r.notation = f.notation
			all = append(all, r)
			fmt.Fprintf(os.Stderr, "%s %v: %d sentences, %s alternatives, %s parse back; %s\n", r.name, r.took.Round(time.Millisecond),
				r.sentences, share(r.reached.Reached, r.reached.Total), share(r.parsed, r.asked), r.remark(o))
		}
	}
	print(os.Stdout, all, o)
	return nil
}
