// Reduce runs the reduction tasks of the data folder with several algorithms and
// prints a table: bytes, tokens, calls, seconds, sizes after 100, 300 and 1,000
// calls, and geometric means. With -peers it also runs other reducers that are
// installed.
//
//	GRAMFUZZ_DATA=… go -C bench run ./reduce -algorithms auto,lines -calls 3000 -time 2m
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"
	"unicode"

	"github.com/gramfuzz/gramfuzz/internal/base/folder"
	"github.com/gramfuzz/gramfuzz/reduce"
)

func main() {
	data := flag.String("data", os.Getenv("GRAMFUZZ_DATA"), "the data folder")
	own := flag.String("own", filepath.Join("bench", "reduce", "testdata", "tasks"), "the folder of the tasks that are not in the data folder")
	only := flag.String("tasks", "", "names of tasks, separated by commas; all")
	names := flag.String("algorithms", "auto", "algorithms, separated by spaces")
	jobs := flag.Int("j", 1, "predicates at once")
	calls := flag.Int("calls", 0, "at most so many calls a run")
	limit := flag.Duration("time", 5*time.Minute, "at most so long a run")
	answers := flag.String("cache", "", "a folder that keeps answers between runs")
	grammars := flag.Bool("grammars", true, "use the tasks' grammars where they read the input")
	few := flag.Bool("few", false, "the plan for few calls")
	show := flag.Bool("show", false, "print the results' texts and the passes' counters")
	others := flag.String("peers", "", "other reducers to run beside, separated by spaces: cvise, shrinkray, picireny, treereduce; those that are on PATH")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	ts, err := tasks(*data, *own, fields(*only))
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench/reduce:", err)
		os.Exit(2)
	}
	b := &bench{jobs: *jobs, calls: *calls, limit: *limit, answers: *answers, few: *few, show: *show}
	if *grammars {
		b.data = *data
	}
	b.out = tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(b.out, "task\talgorithm\tinput\tbytes\ttokens\tcalls\tseconds\tat 100\tat 300\tat 1000\t")
	for _, a := range strings.Fields(*names) {
		b.table(ctx, ts, a, b.run)
	}
	for _, a := range strings.Fields(*others) {
		b.table(ctx, ts, a, b.peer)
	}
}

// table runs all tasks with one algorithm or peer.
func (b *bench) table(ctx context.Context, ts []*task, name string, run func(context.Context, *task, string) (row, error)) {
	var rows []row
	for _, t := range ts {
		r, err := run(ctx, t, name)
		if ctx.Err() != nil {
			return
		}
		if err != nil {
			fmt.Fprintf(b.out, "%s\t%s\t%d\t%v\t\t\t\t\t\t\t\n", t.name, name, len(t.text), err)
			continue
		}
		r.print(b.out, t.name, name)
		b.out.Flush()
		rows = append(rows, r)
	}
	mean(rows).print(b.out, "geometric mean", name)
	b.out.Flush()
}

func fields(list string) []string {
	return strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' })
}

// row is the outcome of one run.
type row struct {
	input, bytes, tokens, calls, seconds float64
	at                                   [3]float64
	cut                                  bool // a budget ended the run before a fixed point
}

var marks = [3]int{100, 300, 1000}

// mark records the size after a number of calls.
func (r *row) mark(calls, size int) {
	for i, n := range marks {
		if calls <= n {
			r.at[i] = float64(size)
		}
	}
}

func (r row) print(out *tabwriter.Writer, task, algorithm string) {
	cut := ""
	if r.cut {
		cut = "T"
	}
	fmt.Fprintf(out, "%s\t%s\t%.0f\t%.0f%s\t%.0f\t%.0f\t%.1f\t%.0f\t%.0f\t%.0f\t\n",
		task, algorithm, r.input, r.bytes, cut, r.tokens, r.calls, r.seconds, r.at[0], r.at[1], r.at[2])
}

// mean returns the geometric mean of every column.
func mean(rows []row) row {
	g := func(v func(row) float64) float64 {
		sum := 0.0
		for _, r := range rows {
			sum += math.Log(max(v(r), 1e-3))
		}
		return math.Exp(sum / float64(max(len(rows), 1)))
	}
	m := row{
		input: g(func(r row) float64 { return r.input }), bytes: g(func(r row) float64 { return r.bytes }),
		tokens: g(func(r row) float64 { return r.tokens }), calls: g(func(r row) float64 { return r.calls }),
		seconds: g(func(r row) float64 { return r.seconds }),
	}
	for i := range m.at {
		m.at[i] = g(func(r row) float64 { return r.at[i] })
	}
	return m
}

// countTokens counts words, numbers and other characters. Each of the latter is a token.
func countTokens(text []byte) int {
	n, inWord := 0, false
	for _, r := range string(text) {
		word := unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_'
		if !unicode.IsSpace(r) && !(word && inWord) {
			n++
		}
		inWord = word
	}
	return n
}

// bench has the settings shared by all runs.
type bench struct {
	jobs, calls int
	limit       time.Duration
	answers     string
	data        string // the folder of grammars; "" for none
	few, show   bool
	out         *tabwriter.Writer
}

// run reduces one task with one algorithm.
func (b *bench) run(ctx context.Context, t *task, algorithm string) (row, error) {
	o := reduce.Options{Algorithm: algorithm, Jobs: b.jobs, MaxCalls: b.calls, Time: b.limit, FewCalls: b.few}
	check, err := t.predicate()
	if err != nil {
		return row{}, err
	}
	defer check.Close()
	p := reduce.Predicate(check.Test)
	var kept *cache
	if b.answers != "" {
		if kept, err = openCache(b.answers, t.name); err != nil {
			return row{}, err
		}
		defer kept.Close()
		p = kept.over(p)
	}
	if b.data != "" {
		if o.Parse, err = t.parser(ctx, b.data); err != nil && !errors.Is(err, errNoGrammar) {
			fmt.Fprintf(os.Stderr, "%s: its grammar is not used: %v\n", t.name, err)
		}
	}
	if t.folder {
		o.Valid = folder.Valid
	}
	r := row{input: float64(len(t.text))}
	size := len(t.text)
	o.Trace = func(e reduce.Event) {
		if e.Accepted {
			size = len(e.Text)
		}
		r.mark(e.Calls, size)
	}
	begin := time.Now()
	got, err := reduce.Run(ctx, reduce.Input{Text: t.text}, p, o)
	if errors.Is(err, reduce.ErrNotInteresting) {
		return row{}, errors.New("skipped: its predicate does not hold; its NOTES say which programs it needs")
	}
	if err != nil {
		return row{}, err
	}
	r.seconds = time.Since(begin).Seconds()
	if kept != nil {
		r.seconds += kept.saved.Seconds()
	}
	r.cut = got.Stats.Stopped
	r.bytes, r.tokens, r.calls = float64(len(got.Text)), float64(countTokens(got.Text)), float64(got.Stats.Calls)
	if b.show {
		fmt.Printf("%s %s: %d calls\n%s\n", t.name, algorithm, got.Stats.Calls, got.Text)
		for _, p := range got.Stats.Passes {
			fmt.Printf("  %-12s %5d tries %5d calls %4d accepted %6d bytes\n", p.Name, p.Tries, p.Calls, p.Accepted, p.Bytes)
			for _, k := range p.Kinds {
				fmt.Printf("    %-10s %5d tries %5d calls %4d accepted %6d bytes\n", k.Name, k.Tries, k.Calls, k.Accepted, k.Bytes)
			}
		}
	}
	return r, nil
}
