package main

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gramfuzz/gramfuzz/internal/testing/cputime"
	"github.com/gramfuzz/gramfuzz/load"
	"github.com/gramfuzz/gramfuzz/sample"
)

// realRun measures the grammars listed in dev.tsv of a folder.
type realRun struct {
	s     settings
	dir   string
	n     uint64 // sentences per grammar
	only  string // names of grammars, separated by commas; "" is all
	rival string // a command; "": none
}

// tables prints a table for each strategy.
func (r *realRun) tables(ctx context.Context, out io.Writer, strategies []string) error {
	for _, name := range strategies {
		strategy, err := sample.ParseStrategy(name)
		if err != nil {
			return err
		}
		if err := r.table(ctx, out, strategy); err != nil {
			return err
		}
		r.rival = "" // measure the rival only once
	}
	return nil
}

// table prints a line for each grammar. It has the CPU times of loading, of the first sentence and
// of 1,000 sentences. For n sentences it has the rate, the rate of the second half, the bytes
// allocated per sentence, and the maximum memory obtained from the system.
func (r *realRun) table(ctx context.Context, out io.Writer, strategy sample.Strategy) error {
	f, err := os.Open(filepath.Join(r.dir, "dev.tsv"))
	if err != nil {
		return err
	}
	defer f.Close()
	head := fmt.Sprintf("| %v | load, ms | first, ms | 1,000, ms | MB/s of %d | MB/s of the second half | bytes allocated | memory, MiB |", strategy, r.n)
	if r.rival != "" {
		head += " rival's MB/s | ratio |"
	}
	fmt.Fprintf(out, "%s\n%s|\n", head, strings.Repeat("|---", strings.Count(head, "|")-1))
	logs, second, grammars := 0.0, 0.0, 0
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		fields := strings.Split(lines.Text(), "\t")
		if len(fields) < 3 || fields[0] == "class" || r.only != "" && !slices.Contains(strings.Split(r.only, ","), fields[1]) {
			continue
		}
		debug.FreeOSMemory()
		path := filepath.Join(r.dir, "dev", fields[1])
		row, err := r.measure(ctx, path, fields[2], strategy)
		if err != nil {
			return fmt.Errorf("%s: %w", fields[1], err)
		}
		fmt.Fprintf(out, "| %s | %.0f | %.0f | %.0f | %.2f | %.2f | %.0f | %d |", fields[1],
			row.loaded, row.first, row.thousand, row.rate, row.second, row.allocated, row.memory>>20)
		if r.rival != "" {
			words := strings.Fields(r.rival)
			for i, w := range words {
				words[i] = cmp.Or(map[string]string{"GRAMMAR": path, "START": fields[2], "N": strconv.FormatUint(r.n, 10)}[w], w)
			}
			if other, err := r.s.measureCommand(ctx, strings.Join(words, " ")); err != nil {
				fmt.Fprint(out, " none | |")
			} else {
				fmt.Fprintf(out, " %.3f | %.1f |", other.rate, row.rate/other.rate)
			}
		}
		fmt.Fprintln(out)
		logs, second, grammars = logs+math.Log(row.rate), second+math.Log(row.second), grammars+1
	}
	if grammars > 0 {
		mean := func(logs float64) float64 { return math.Exp(logs / float64(grammars)) }
		fmt.Fprintf(out, "\ngeometric mean: %.2f MB/s, of the second half %.2f MB/s\n\n", mean(logs), mean(second))
	}
	return lines.Err()
}

// realRow has the measurements of a grammar.
type realRow struct {
	loaded, first, thousand float64 // milliseconds
	rate, second, allocated float64
	memory                  uint64
}

func (r *realRun) measure(ctx context.Context, path, start string, strategy sample.Strategy) (row realRow, err error) {
	begin := cputime.Used()
	ms := func() float64 { return float64(cputime.Used()-begin) / float64(time.Millisecond) }
	g, _, err := load.File(path, load.Options{Start: start})
	if err != nil {
		return row, err
	}
	row.loaded = ms()
	after := cputime.Used()
	s, err := sample.New(ctx, g, sample.Options{Seed: 1, Strategy: strategy})
	if err != nil {
		return row, err
	}
	var m runtime.MemStats
	var buf []byte
	bytes, allocated, half, at := 0, uint64(0), 0, after
	src := s.Source()
	for i := range r.n {
		if buf, err = src.Append(ctx, buf[:0], i); err != nil {
			return row, err
		}
		bytes += len(buf) + 1
		switch i + 1 {
		case 1:
			row.first = ms() - row.loaded
		case 1000:
			row.thousand = ms() - row.loaded
		}
		if (i+1)%1000 == 0 || i+1 == r.n/2 || i+1 == r.n {
			runtime.ReadMemStats(&m)
			row.memory = max(row.memory, m.Sys-m.HeapReleased)
			if i < r.n/2 {
				allocated, half, at = m.TotalAlloc, bytes, cputime.Used()
			}
		}
	}
	row.rate = rate(bytes, cputime.Used()-after)
	row.second = rate(bytes-half, cputime.Used()-at)
	row.allocated = float64(m.TotalAlloc-allocated) / float64(max(r.n/2, 1))
	return row, nil
}
