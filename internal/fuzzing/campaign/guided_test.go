package campaign

import (
	"bytes"
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/guide"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/target"
)

// lock reports by edges how close a text is to a failure: how often it reaches a new maximum of
// open brackets.
func lock(deep int) Drive {
	return Func(func(_ context.Context, text []byte) (*Ran, error) {
		edges := make([]byte, deep+1)
		open := 0
		for _, c := range text {
			switch c {
			case '(':
				open++
				edges[min(open, deep)] = 1
			case ')':
				open--
			}
		}
		r := &Ran{Outcome: target.Outcome{Class: target.OK}, Result: &target.Result{}, Edges: edges}
		if edges[deep] > 0 {
			r.Outcome = target.Outcome{Class: target.Crash, Detail: "deep"}
		}
		return r, nil
	})
}

// TestGuided checks that every guide climbs by labels to a failure that the stream alone does not
// find in as many runs, and that the queue has its examples.
func TestGuided(t *testing.T) {
	const deep, runs = 17, 6000
	o := options(t, lock(deep))
	o.Runs = runs
	if sum := run(t, "expr", o); len(sum.Findings) != 0 {
		t.Errorf("without a guide it is found in %d runs; the test shows nothing", sum.Runs)
	}
	for _, name := range guide.Names() {
		if name == noGuide {
			continue
		}
		t.Run(name, func(t *testing.T) {
			o := options(t, lock(deep))
			o.Guide, o.Runs, o.Enough = name, runs, 1 // with one worker all runs are equal
			sum := run(t, "expr", o)
			t.Logf("%d runs, %d labels, %d examples, %d findings", sum.Runs, sum.Labels, sum.Examples, len(sum.Findings))
			if len(sum.Findings) != 1 {
				t.Errorf("%d findings after %d runs, %d labels", len(sum.Findings), sum.Runs, sum.Labels)
			}
			queue, err := filepath.Glob(filepath.Join(o.Dir, "queue", "*"))
			// Guide exemplars finds it in the first turn, and has few examples by then.
			if err != nil || len(queue) < 5 && name != "exemplars" {
				t.Errorf("%d texts in the queue, %v", len(queue), err)
			}
			// Another run begins with the examples of this one.
			o.Runs, o.Seed = 600, 77
			c, err := New(t.Context(), grammars.Must("expr"), o)
			if err != nil {
				t.Fatal(err)
			}
			again, err := c.Run(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if again.Labels < sum.Labels*3/4 && name != "exemplars" {
				t.Errorf("the first run has %d labels, a second one after 600 runs %d", sum.Labels, again.Labels)
			}
		})
	}
}

// part is a coordinator of a process with that number, which has all places.
type part struct {
	alone
	number uint64
}

func (p part) Part() uint64 { return p.number }

// TestGuidesDiffer checks that processes of one campaign have the same seed, but that their
// guides try different texts.
func TestGuidesDiffer(t *testing.T) {
	texts := func(number uint64) (all []string) {
		o := options(t, Func(func(_ context.Context, text []byte) (*Ran, error) {
			all = append(all, string(text))
			return &Ran{Outcome: target.Outcome{Class: target.OK}, Result: &target.Result{}}, nil
		}))
		o.Guide, o.Runs, o.Damage = "cover", 300, 0
		c, err := New(t.Context(), grammars.Must("expr"), o)
		if err != nil {
			t.Fatal(err)
		}
		c.divide = part{alone{c}, number}
		if _, err := c.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		return all
	}
	if one := texts(1); !slices.Equal(one, texts(1)) || slices.Equal(one, texts(2)) {
		t.Error("the guides of parts 1 and 2 try the same, or that of part 1 not the same each time")
	}
}

// late returns a driver whose runs of texts with a "*" time out if timeout is set, and report
// many edges of their own. No time passes.
func late(timeout bool) Drive {
	return Func(func(_ context.Context, text []byte) (*Ran, error) {
		edges := make([]byte, 512)
		r := &Ran{Outcome: target.Outcome{Class: target.OK}, Result: &target.Result{Wall: time.Millisecond}, Edges: edges}
		edges[min(len(text), 255)] = 1
		if bytes.Contains(text, []byte("*")) {
			edges[256+min(len(text), 255)] = 1
			r.Result.Wall = time.Second
			if timeout {
				r.Outcome, r.Result.Kind = target.Outcome{Class: target.Timeout}, target.TimedOut
			}
		}
		return r, nil
	})
}

// TestLate checks that runs that time out teach nothing: neither guides nor the count of labels
// learn from them.
func TestLate(t *testing.T) {
	o := options(t, late(true))
	o.Guide, o.Runs, o.Failing.Ignore = "cover", 3000, []target.Class{target.Timeout}
	sum := run(t, "expr", o)
	if sum.Labels > 256+2 {
		t.Errorf("%d labels; runs that took too long count", sum.Labels)
	}
	f, err := Open(o.Dir)
	if err != nil {
		t.Fatal(err)
	}
	texts, err := f.All()
	if err != nil || len(texts) == 0 {
		t.Fatalf("%d texts, %v", len(texts), err)
	}
	for _, text := range texts {
		if bytes.Contains(text, []byte("*")) {
			t.Errorf("%q is in the queue", text)
		}
	}
}

// TestStreamShare checks that the stream gets its share of the time, though its sentences are slow.
func TestStreamShare(t *testing.T) {
	o := options(t, late(false))
	o.Guide, o.Runs, o.Jobs = "cover", 10_000, 1
	c, err := New(t.Context(), grammars.Must("expr"), o)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	w := c.workers[0]
	t.Logf("%.0f of %.0f seconds went to the stream", w.streamed, w.spent)
	if most := w.spent*streamShare + Chunk + 1; w.spent < 100 || w.streamed == 0 || w.streamed > most {
		t.Errorf("%.0f of %.0f seconds went to the stream, for %.0f at most", w.streamed, w.spent, most)
	}
}

// TestCollect checks that texts are also kept without a guide: one for each way to end and pair
// of alternatives, and no second one after a resume.
func TestCollect(t *testing.T) {
	drive := Func(func(_ context.Context, text []byte) (*Ran, error) {
		r := &Ran{Outcome: target.Outcome{Class: target.OK}, Result: &target.Result{}}
		if bytes.Contains(text, []byte("*")) {
			r.Outcome = target.Outcome{Class: target.Exit, Detail: "1"}
		}
		return r, nil
	})
	o := options(t, drive)
	o.Runs, o.Damage = 20_000, 0
	kept := func() (texts []string) {
		sum := run(t, "expr", o)
		f, err := Open(o.Dir)
		if err != nil {
			t.Fatal(err)
		}
		all, err := f.All()
		if err != nil || sum.Examples == 0 {
			t.Fatalf("%d texts, %d counted, %v", len(all), sum.Examples, err)
		}
		for _, text := range all {
			texts = append(texts, string(text))
		}
		return texts
	}
	texts := kept()
	t.Logf("%q", texts)
	times := slices.DeleteFunc(slices.Clone(texts), func(s string) bool { return !strings.Contains(s, "*") })
	if n := len(texts); n < 10 || n > 100 || len(times) < 4 || len(times) > n-4 {
		t.Errorf("%d texts are kept of 20,000, %d of them with *", n, len(times))
	}
	if again := kept(); len(again) > len(texts)+2 {
		t.Errorf("a run that went on kept %d texts beside %d", len(again)-len(texts), len(texts))
	}
}

// TestSeedParts checks that the sentences in a seed that is none are run, and used by a guide.
func TestSeedParts(t *testing.T) {
	ran := map[string]int{}
	drive := Func(func(_ context.Context, text []byte) (*Ran, error) {
		ran[string(text)]++
		if s := string(text); strings.Contains(s, "12345678") {
			ran["12345678"]++
		}
		return &Ran{Outcome: target.Outcome{Class: target.OK}, Result: &target.Result{}}, nil
	})
	const seed, part = "?? no sentence\n1 + (12345678 * 2)\n", "1 + (12345678 * 2)"
	for _, name := range []string{noGuide, "cover"} {
		clear(ran)
		o := options(t, drive)
		o.Guide, o.Seeds, o.Runs = name, []Seed{{Name: "seed", Text: []byte(seed)}}, 2000
		notes := ""
		o.Event = func(e Event) { notes += e.Text }
		run(t, "expr", o)
		if ran[seed] == 0 || ran[part] == 0 || !strings.Contains(notes, "1 of 1 seeds are no sentences of the grammar; they are run as they are, and 1 sentence in them") {
			t.Errorf("guide %s: the seed ran %d times, its part %d times; %s", name, ran[seed], ran[part], notes)
		}
		if n := ran["12345678"]; (n > 20) != (name == "cover") {
			t.Errorf("guide %s: the number of the seed is in %d of 2000 texts", name, n)
		}
	}
}

// TestSlowLeftOut checks that a guide's inputs that are likely to time out are mostly left out: those
// with a division do, after a thousand times as long as others take.
func TestSlowLeftOut(t *testing.T) {
	var all, slow int
	o := options(t, Func(func(_ context.Context, text []byte) (*Ran, error) {
		r := &Ran{Outcome: target.Outcome{Class: target.OK}, Result: &target.Result{Wall: 100 * time.Microsecond}, Edges: make([]byte, 64)}
		for _, c := range text {
			r.Edges[c%64]++
		}
		all++
		if bytes.ContainsRune(text, '/') {
			slow++
			r.Result.Wall, r.Outcome.Class = 100*time.Millisecond, target.Timeout
		}
		return r, nil
	}))
	o.Guide, o.Runs, o.Damage = "cover", 4000, 0
	run(t, "expr", o)
	t.Logf("%d runs, %d slow", all, slow)
	if slow == 0 || slow > all/80 {
		t.Errorf("of %d runs %d were slow, want some, at most one in 80", all, slow)
	}
}
