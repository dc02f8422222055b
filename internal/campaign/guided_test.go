package campaign

import (
	"context"
	"path/filepath"
	"slices"
	"testing"

	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/internal/guide"
	"github.com/gramfuzz/gramfuzz/internal/target"
)

// lock tells by edges how far a text is the way to a failure: how often it has
// more brackets open than ever before.
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

// Every guide climbs by labels to what the stream alone does not find in as many
// runs, and the queue has what it went on from.
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
			o.Guide, o.Runs, o.Enough = name, runs, 1 // one worker: the same every time
			sum := run(t, "expr", o)
			t.Logf("%d runs, %d labels, %d examples, %d findings", sum.Runs, sum.Labels, sum.Examples, len(sum.Findings))
			if len(sum.Findings) != 1 {
				t.Errorf("%d findings after %d runs, %d labels", len(sum.Findings), sum.Runs, sum.Labels)
			}
			queue, err := filepath.Glob(filepath.Join(o.Dir, "queue", "*"))
			// Exemplars come there in the first turn, and have little to keep by then.
			if err != nil || len(queue) < 5 && name != "exemplars" {
				t.Errorf("%d texts in the queue, %v", len(queue), err)
			}
			// Another run begins with what this one has.
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

// Processes of one campaign have the same seed, but their guides try different texts.
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
