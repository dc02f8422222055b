package main

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"hash/maphash"
	"io"
	"math"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/internal/core"
	"github.com/gramfuzz/gramfuzz/internal/testing/cputime"
	"github.com/gramfuzz/gramfuzz/load"
	"github.com/gramfuzz/gramfuzz/sample"
)

func main() {
	if err := run(context.Background(), os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "speed:", err)
		os.Exit(1)
	}
}

// settings holds the values of the flags.
type settings struct {
	mb, rounds int
	end        byte // the byte after each of a rival's sentences
	rivals     []string
}

func run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("speed", flag.ContinueOnError)
	name := flags.String("g", "expr", "a grammar")
	lengths := flags.String("lengths", "30,115,550,2700", "mean lengths in bytes; the depth that comes nearest is taken")
	rival := flags.String("rival", "", "commands to compare with, one for each length, separated by semicolons; with -real one, in which GRAMMAR, START and N are replaced")
	s := settings{}
	flags.IntVar(&s.mb, "mb", 50, "megabytes a measurement")
	flags.IntVar(&s.rounds, "rounds", 5, "measurements of each, in turns; the median counts")
	r := realRun{}
	flags.StringVar(&r.dir, "real", "", "a folder of grammars with a list of them in dev.tsv, to measure as they are used: by size, with layout")
	flags.Uint64Var(&r.n, "n", 100_000, "sentences of each grammar of -real")
	strategies := flags.String("strategy", "uniform", "strategies for -real, a table for each")
	flags.StringVar(&r.only, "only", "", "of -real only these grammars")
	nul := flags.Bool("0", false, "a rival's sentences end with NUL, not with a newline")
	if err := flags.Parse(args); err != nil {
		return err
	}
	s.end = '\n'
	if *nul {
		s.end = 0
	}
	if r.dir != "" {
		r.s, r.rival = s, *rival
		return r.tables(ctx, out, strings.Split(*strategies, ","))
	}
	g, _, err := grammars.Load(*name, load.Options{})
	if err != nil {
		return err
	}
	if *rival != "" {
		s.rivals = strings.Split(*rival, ";")
	}
	fmt.Fprintln(out, "| length wanted | depth | mean length | MB/s | distinct of 100,000 | rival's mean length | MB/s | distinct | ratio |")
	fmt.Fprintln(out, "|---|---|---|---|---|---|---|---|---|")
	logs, n := 0.0, 0
	for i, field := range strings.Split(*lengths, ",") {
		want, err := strconv.ParseFloat(field, 64)
		if err != nil {
			return err
		}
		ratio, err := s.row(ctx, out, g, want, i)
		if err != nil {
			return err
		}
		if ratio > 0 {
			logs += math.Log(ratio)
			n++
		}
	}
	if n > 0 {
		fmt.Fprintf(out, "\ngeometric mean of the ratios: %.2f\n", math.Exp(logs/float64(n)))
	}
	return nil
}

// nearest returns the depth whose sentences have a mean length nearest to want.
func nearest(g *grammar.Grammar, want float64) (int, error) {
	best, at := math.Inf(1), 0
	for d := g.Facts(nil, grammar.Exact).Depth(g.Root, grammar.Any); d < 200; d++ {
		p, err := count.NewProgram(g, count.Depth(d), count.Options{Measure: grammar.Exact})
		if err != nil {
			return 0, err
		}
		mean, _ := (*core.Program)(p).MeanBytes(0, d, math.Inf(1))
		if off := math.Abs(math.Log(mean / want)); off < best {
			best, at = off, d
		}
		if mean > 4*want {
			break
		}
	}
	return at, nil
}

// result is one measurement.
type result struct {
	mean, rate float64
}

func (s settings) row(ctx context.Context, out io.Writer, g *grammar.Grammar, want float64, i int) (float64, error) {
	depth, err := nearest(g, want)
	if err != nil {
		return 0, err
	}
	sampler, err := sample.New(ctx, g, sample.Options{Bound: count.Depth(depth), Measure: grammar.Exact, Seed: 1})
	if err != nil {
		return 0, err
	}
	o := &ours{src: sampler.Source()}
	if _, err := o.measure(ctx, s.mb/4+1); err != nil { // warm up: tables are made on first use
		return 0, err
	}
	var own, other []result
	for range s.rounds {
		r, err := o.measure(ctx, s.mb)
		if err != nil {
			return 0, err
		}
		own = append(own, r)
		if i < len(s.rivals) {
			r, err := s.measureCommand(ctx, s.rivals[i])
			if err != nil {
				return 0, err
			}
			other = append(other, r)
		}
	}
	a := median(own)
	seen, err := o.distinct(ctx)
	if err != nil {
		return 0, err
	}
	fmt.Fprintf(out, "| %.0f | %d | %.1f | %.1f | %d |", want, depth, a.mean, a.rate, seen)
	if other == nil {
		fmt.Fprintln(out, " | | | |")
		return 0, nil
	}
	b := median(other)
	seen, err = s.distinctOf(ctx, s.rivals[i])
	if err != nil {
		return 0, err
	}
	fmt.Fprintf(out, " %.1f | %.1f | %d | %.2f |\n", b.mean, b.rate, seen, a.rate/b.rate)
	return a.rate / b.rate, nil
}

func median(rs []result) result {
	slices.SortFunc(rs, func(a, b result) int {
		if a.rate < b.rate {
			return -1
		}
		return 1
	})
	return rs[len(rs)/2]
}

type ours struct {
	src  *sample.Source
	next uint64
	buf  []byte
}

func (o *ours) measure(ctx context.Context, mb int) (result, error) {
	start := cputime.Used()
	bytes, first := 0, o.next
	for bytes < mb*1_000_000 {
		var err error
		if o.buf, err = o.src.Append(ctx, o.buf[:0], o.next); err != nil {
			return result{}, err
		}
		bytes += len(o.buf) + 1 // with a newline, which rivals write
		o.next++
	}
	return result{float64(bytes)/float64(o.next-first) - 1, rate(bytes, cputime.Used()-start)}, nil
}

// tick is the least CPU time of a measurement. Some systems count CPU time in clock ticks and report
// 0 for a short run.
const tick = time.Millisecond

// rate returns megabytes a second.
func rate(bytes int, cpu time.Duration) float64 {
	return float64(bytes) / 1e6 / max(cpu, tick).Seconds()
}

const distinctSample = 100_000

func (o *ours) distinct(ctx context.Context) (int, error) {
	seen := map[uint64]bool{}
	seed := maphash.MakeSeed()
	for i := range uint64(distinctSample) {
		var err error
		if o.buf, err = o.src.Append(ctx, o.buf[:0], i); err != nil {
			return 0, err
		}
		seen[maphash.Bytes(seed, o.buf)] = true
	}
	return len(seen), nil
}

// measureCommand runs a command to its end and counts its output.
func (s settings) measureCommand(ctx context.Context, line string) (result, error) {
	var bytes, lines int
	cpu, err := s.eachLine(ctx, line, func(text []byte) bool {
		bytes += len(text)
		lines++
		return true
	})
	if err != nil || bytes == 0 {
		return result{}, fmt.Errorf("%s: wrote %d bytes: %v", line, bytes, err)
	}
	return result{float64(bytes)/float64(lines) - 1, rate(bytes, cpu)}, nil
}

// distinctOf counts the distinct lines among the first lines that a command writes.
func (s settings) distinctOf(ctx context.Context, line string) (int, error) {
	seen := map[uint64]bool{}
	seed := maphash.MakeSeed()
	n := 0
	_, err := s.eachLine(ctx, line, func(text []byte) bool {
		n++
		if n <= distinctSample {
			seen[maphash.Bytes(seed, text)] = true
		}
		return true
	})
	return len(seen), err
}

// eachLine runs a command, calls f with every sentence and returns the user CPU time
// of the command. System time does not count, since sentences made in this process
// are not written.
func (s settings) eachLine(ctx context.Context, line string, f func([]byte) bool) (time.Duration, error) {
	fields := strings.Fields(line)
	cmd := exec.CommandContext(ctx, fields[0], fields[1:]...)
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		return 0, err
	}
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	in := bufio.NewReaderSize(pipe, 1<<20)
	for {
		text, err := in.ReadBytes(s.end)
		if len(text) > 0 && !f(text) || err != nil {
			break
		}
	}
	if err := cmd.Wait(); err != nil {
		return 0, fmt.Errorf("%s: %w", line, err)
	}
	return cmd.ProcessState.UserTime(), nil
}
