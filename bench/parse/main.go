// Parse compares the times that gramfuzz and ANTLR's Java runtime take to parse JSON texts, with
// ANTLR's JSON grammar. Both run in turns. The least time of several passes counts, so the start of
// the JVM and its first compilations do not matter. Times are CPU times of all threads of a process
// if the system reports them for other processes (Linux), otherwise elapsed times. Rows for texts
// of growing length show whether parsing is linear. ANTLR's tree ends at its tokens, like an
// outline. A "tree" is the whole derivation, whose tokens are checked and counted, and expanded on
// demand. "nodes" also has all nodes inside tokens, one or more for every character.
//
//	GRAMFUZZ_DATA=… go -C bench run ./parse -bytes 250000,1000000,4000000
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/internal/testing/cputime"
	"github.com/gramfuzz/gramfuzz/internal/testing/jsontext"
	"github.com/gramfuzz/gramfuzz/load"
	"github.com/gramfuzz/gramfuzz/parse"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "bench/parse:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("parse", flag.ContinueOnError)
	data := flags.String("data", os.Getenv("GRAMFUZZ_DATA"), "the data folder")
	sizes := flags.String("bytes", "250000,1000000,4000000", "lengths of texts")
	passes := flags.Int("passes", 5, "passes of each over every text, after the first; the least time counts")
	if err := flags.Parse(args); err != nil {
		return err
	}
	dir := filepath.Join(*data, "grammars", "dev", "json")
	g, _, err := load.File(filepath.Join(dir, "JSON.g4"), load.Options{Start: "json"})
	if err != nil {
		return err
	}
	p, err := parse.New(ctx, g, parse.Options{MaxMemory: 8 << 30})
	if err != nil {
		return err
	}
	rival, err := startANTLR(ctx, *data, dir, "json")
	if err != nil {
		return err
	}
	defer rival.close()
	fmt.Fprintln(out, "| bytes | ANTLR ms | forest ms | times as fast | outline ms | times as fast | tree ms | times as fast | nodes ms | times as fast | MB held by the forest |")
	fmt.Fprintln(out, "|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|")
	for _, field := range strings.Split(*sizes, ",") {
		n, err := strconv.Atoi(field)
		if err != nil {
			return err
		}
		if err := row(ctx, out, p, rival, jsontext.Make(n), *passes); err != nil {
			return err
		}
	}
	return nil
}

func row(ctx context.Context, out io.Writer, p *parse.Parser, rival *antlr, text string, passes int) error {
	theirs := least{clock: rival.used}
	var forest, outline, tree, nodes least
	if _, ok := rival.cpu(); ok {
		forest.clock, outline.clock, tree.clock, nodes.clock = cputime.Used, cputime.Used, cputime.Used, cputime.Used
	}
	var held float64
	for range passes + 1 {
		if err := theirs.time(func() error { return rival.accepts(text) }); err != nil {
			return err
		}
		before := heap()
		var f *parse.Forest
		if err := forest.time(func() (err error) { f, err = p.Parse(ctx, "text", text); return err }); err != nil {
			return err
		}
		held = heap() - before
		if err := outline.time(func() error { _, err := f.Outline(ctx); return err }); err != nil {
			return err
		}
		runtime.GC()
		var t *derive.Tree
		if err := tree.time(func() (err error) { t, err = f.Tree(ctx); return err }); err != nil {
			return err
		}
		if err := nodes.time(func() error { t.Nodes(); return nil }); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(out, "| %d | %.0f |", len(text), theirs.ms())
	for _, ms := range []float64{forest.ms(), forest.ms() + outline.ms(), forest.ms() + tree.ms(), forest.ms() + tree.ms() + nodes.ms()} {
		if err == nil {
			_, err = fmt.Fprintf(out, " %.0f | %.2f |", ms, theirs.ms()/ms)
		}
	}
	if err == nil {
		_, err = fmt.Fprintf(out, " %.0f |\n", held)
	}
	return err
}

// least is the least time of all calls except the first, which warms up.
type least struct {
	clock func() time.Duration // nil for elapsed time
	n     int
	took  time.Duration
}

func (l *least) time(f func() error) error {
	clock := l.clock
	if clock == nil {
		begin := time.Now()
		clock = func() time.Duration { return time.Since(begin) }
	}
	before := clock()
	err := f()
	took := clock() - before
	l.n++
	if l.n == 2 || l.n > 2 && took < l.took {
		l.took = took
	}
	return err
}

func (l *least) ms() float64 { return float64(l.took.Microseconds()) / 1000 }

// heap returns the size of the heap after a garbage collection, in megabytes.
func heap() float64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc) / 1e6
}
