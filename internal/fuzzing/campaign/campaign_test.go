package campaign

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/target"
	"github.com/gramfuzz/gramfuzz/stream"
)

// fails makes a driver whose failure is f's result: "" is no failure. Its standard error is the
// text.
func fails(f func(text string) string) Drive {
	return Func(func(_ context.Context, text []byte) (*Ran, error) {
		r := &Ran{Outcome: target.Outcome{Class: target.OK}, Result: &target.Result{Stderr: bytes.Clone(text)}}
		if detail := f(string(text)); detail != "" {
			r.Outcome = target.Outcome{Class: target.Crash, Detail: detail}
		}
		return r, nil
	})
}

// options returns the options of a short campaign.
func options(t *testing.T, d Drive) Options {
	return Options{
		Dir: filepath.Join(t.TempDir(), "found"), Drive: d, Seed: 1, Runs: 6_000,
		Grammar: derive.GrammarRef{Name: "expr"}, Command: []string{"calc", "{}"},
	}
}

func run(t *testing.T, name string, o Options) *Summary {
	t.Helper()
	c, err := New(t.Context(), grammars.Must(name), o)
	if err != nil {
		t.Fatal(err)
	}
	sum, err := c.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return sum
}

// two fails in two ways, one deeper in the grammar than the other.
func two(text string) string {
	switch {
	case strings.Contains(text, "((("):
		return "deep"
	case strings.Contains(text, "/ 0"):
		return "zero"
	}
	return ""
}

func texts(sum *Summary) map[string]string {
	out := map[string]string{}
	for _, fd := range sum.Findings {
		out[fd.Detail] = string(fd.Record.Text)
	}
	return out
}

// TestFindsAndShrinks checks that failures are told apart, that each is shrunk to the least
// sentence that fails in its way, and that the files have the same.
func TestFindsAndShrinks(t *testing.T) {
	for _, jobs := range []int{1, 4} {
		o := options(t, fails(two))
		o.Jobs, o.Damage = jobs, 0.25
		o.Words = []string{"/ 0"}
		sum := run(t, "expr", o)
		got := texts(sum)
		want := map[string]string{"deep": got["deep"], "zero": got["zero"]}
		if len(got["deep"]) > 7 || len(got["zero"]) > 5 || len(got) != 2 {
			t.Errorf("%d jobs: found %q", jobs, got)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("-want +got:\n%s", d)
		}
		for _, fd := range sum.Findings {
			text, err := os.ReadFile(filepath.Join(o.Dir, "findings", fd.Key))
			if err != nil || string(text) != string(fd.Record.Text) {
				t.Errorf("%s: the file has %q, %v", fd.Detail, text, err)
			}
			report, err := os.ReadFile(filepath.Join(o.Dir, "reports", fd.Key+".txt"))
			if line := "run again: calc " + filepath.Join(o.Dir, "findings", fd.Key) + "\n"; err != nil || !strings.Contains(string(report), line) {
				t.Errorf("the report has no line %q: %v\n%s", line, err, report)
			}
		}
		if sum.New != 2 || sum.Runs < 6_000 {
			t.Errorf("%d new findings in %d runs", sum.New, sum.Runs)
		}
	}
}

// TestToldOfShrunk checks that a finding's output is that of the text that it has when it is
// shrunk: the last text that was tried and failed may be another.
func TestToldOfShrunk(t *testing.T) {
	for seed := range uint64(5) {
		o := options(t, fails(func(text string) string {
			if i := strings.LastIndex(text, "/"); i >= 0 && strings.Count(text[:i], "(") > 3+strings.Count(text, ")") {
				return "quotient"
			}
			return ""
		}))
		o.Seed, o.Jobs, o.Damage = seed, 1, 1
		for _, fd := range run(t, "expr", o).Findings {
			if got := fd.Stderr; got != string(fd.Record.Text) {
				t.Errorf("seed %d: the text is %q, the output that of %q", seed, fd.Record.Text, got)
			}
		}
	}
}

// TestShrinkTimeEnds checks that a finding is reported in its present size when its time for
// shrinking is over.
func TestShrinkTimeEnds(t *testing.T) {
	o := options(t, fails(func(text string) string {
		if strings.Contains(text, "/ 0") {
			time.Sleep(30 * time.Millisecond)
			return "zero"
		}
		time.Sleep(time.Millisecond)
		return ""
	}))
	o.Words, o.Damage, o.Jobs, o.Enough, o.ShrinkTime = []string{"/ 0"}, 0.25, 2, 1, 100*time.Millisecond
	told := 0
	o.Event = func(e Event) {
		if e.Kind == Shrunk {
			told++
		}
	}
	sum := run(t, "expr", o)
	if len(sum.Findings) != 1 || !sum.Findings[0].Shrunk || told != 1 {
		t.Errorf("%d findings, told of %d times", len(sum.Findings), told)
	}
}

// TestFoundWhileShrinking checks that a failure met while another one is shrunk is a finding of
// its own.
func TestFoundWhileShrinking(t *testing.T) {
	o := options(t, fails(func(text string) string {
		switch {
		case len(text) > 40:
			return "long"
		case len(text) == 23:
			return "length 23"
		}
		return ""
	}))
	o.Runs, o.Enough = 5000, 1
	sum := run(t, "expr", o)
	if got := texts(sum); len(got["length 23"]) != 23 {
		t.Errorf("found %q", got)
	}
}

// TestFlaky checks that a failure that does not recur is kept unshrunk, and marked so.
func TestFlaky(t *testing.T) {
	var once atomic.Bool
	o := options(t, fails(func(text string) string {
		if len(text) > 20 && !once.Swap(true) {
			return "once"
		}
		return ""
	}))
	sum := run(t, "expr", o)
	if len(sum.Findings) != 1 || len(sum.Findings[0].Record.Text) != sum.Findings[0].From || !strings.Contains(sum.Findings[0].Note, "run again") {
		t.Errorf("found %+v", sum.Findings)
	}
}

// TestGoesOn checks that the stream is the same for every number of workers, and continues where
// an earlier run ended.
func TestGoesOn(t *testing.T) {
	const n = 1000
	seen := func(jobs int, part uint64) map[string]bool {
		var mu sync.Mutex
		all := map[string]bool{}
		o := options(t, Func(func(_ context.Context, text []byte) (*Ran, error) {
			mu.Lock()
			defer mu.Unlock()
			all[string(text)] = true
			return &Ran{Outcome: target.Outcome{Class: target.OK}}, nil
		}))
		o.Jobs, o.Runs = jobs, part
		for i, done := 0, uint64(0); done < n; i++ {
			c, err := New(t.Context(), grammars.Must("expr"), o)
			if err != nil {
				t.Fatal(err)
			}
			if c.Resumed() != (i > 0) {
				t.Errorf("part %d: resumed %v", i, c.Resumed())
			}
			sum, err := c.Run(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if sum.Sentences <= done && jobs == 1 {
				t.Fatalf("%d sentences are done after %d were", sum.Sentences, done)
			}
			done = sum.Sentences
		}
		return all
	}
	whole := seen(1, n)
	for _, jobs := range []int{1, 3} {
		parts := seen(jobs, 300)
		for s := range whole {
			if !parts[s] {
				t.Fatalf("%d jobs: sentence %q is missing in the run of parts", jobs, s)
			}
		}
	}
}

// TestEnumerates checks that the last generator's blocks are enumerated, and that the campaign
// reports the size up to which all sentences were run.
func TestEnumerates(t *testing.T) {
	ran := map[string]bool{}
	o := options(t, Func(func(_ context.Context, text []byte) (*Ran, error) {
		ran[string(text)] = true
		return &Ran{Outcome: target.Outcome{Class: target.OK}}, nil
	}))
	o.Runs = 4 * generators * stream.Block
	c, err := New(t.Context(), grammars.Must("tree"), o)
	if err != nil {
		t.Fatal(err)
	}
	sum, err := c.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if sum.Covered < 4 {
		t.Errorf("covered up to size %d after %d sentences", sum.Covered, sum.Sentences)
	}
	inputs := c.inputs()
	for rank := range min(sum.Enumerated, inputs.last) {
		text, err := inputs.ranked.Append(t.Context(), nil, rank)
		if err != nil {
			t.Fatal(err)
		}
		if !ran[string(text)] {
			t.Fatalf("sentence %d, %s, was not run", rank, text)
		}
	}
}

func TestEnumerated(t *testing.T) {
	n := uint64(0)
	for i := uint64(0); i < 3*16*64+7; i++ {
		if got := enumerated(i); got != n {
			t.Fatalf("before place %d: %d, want %d", i, got, n)
		}
		if i/64%16 == 15 {
			n++
		}
	}
}

// TestEnumeratesLast checks that only the blocks of the last generator are enumerated: all others
// keep their turns, and the one that draws uniformly is not the last.
func TestEnumeratesLast(t *testing.T) {
	if all := stream.DefaultMix(); len(all) != 16 || all[len(all)-1].Strategy != stream.RandomWeights {
		t.Fatalf("the default generators are %+v", all)
	}
	c, err := New(t.Context(), grammars.Must("expr"), options(t, fails(func(string) string { return "" })))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	s := c.inputs()
	for i := range uint64(2 * 16 * 64) {
		in, err := s.at(t.Context(), i, false)
		if err != nil {
			t.Fatal(err)
		}
		want := fromSchedule
		if i/64%16 == 15 {
			want = fromRank
		}
		if in.from != want {
			t.Fatalf("sentence %d is from %s, want %s", i, in.from, want)
		}
	}
}

// TestTime checks that the time limit ends drawing.
func TestTime(t *testing.T) {
	o := options(t, fails(func(string) string { return "" }))
	o.Runs, o.Time = 0, 50*time.Millisecond
	if sum := run(t, "expr", o); sum.Runs == 0 {
		t.Error("nothing was run")
	}
}

// TestBroken checks that a driver's error ends the campaign and is its error.
func TestBroken(t *testing.T) {
	var n atomic.Int64
	broken := fmt.Errorf("the program is gone")
	o := options(t, Func(func(context.Context, []byte) (*Ran, error) {
		if n.Add(1) > 100 {
			return nil, broken
		}
		return &Ran{Outcome: target.Outcome{Class: target.OK}}, nil
	}))
	o.Jobs = 3
	c, err := New(t.Context(), grammars.Must("expr"), o)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Run(t.Context()); err == nil || !strings.Contains(err.Error(), broken.Error()) {
		t.Errorf("the error is %v", err)
	}
}

// TestSeeds checks that seeds run first, sentences or not.
func TestSeeds(t *testing.T) {
	o := options(t, fails(func(text string) string {
		if strings.Contains(text, "@") || strings.Contains(text, "99999") {
			return text[:1]
		}
		return ""
	}))
	o.Seeds = []Seed{{Name: "a", Text: []byte("(99999)")}, {Name: "b", Text: []byte("no sentence @ all")}}
	o.Runs = 500
	got := texts(run(t, "expr", o))
	if len(got) < 2 {
		t.Errorf("found %q", got)
	}
}
