package stream_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/testing/brute"
	"github.com/gramfuzz/gramfuzz/load"
	"github.com/gramfuzz/gramfuzz/parse"
	"github.com/gramfuzz/gramfuzz/stream"
)

// TestTextsAreUniform draws over texts from ambiguous grammars: every distinct text within the
// bound must come equally often, whatever the number of its trees. Brute force lists the texts.
// The chi-square bound is exceeded about once in 10^4 times (mean and deviation of the
// distribution: n and √2n); seeds are fixed.
func TestTextsAreUniform(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 32))
	grammars, trees := 0, 0
	for grammars < 12 {
		g := brute.Random(rng)
		l := &brute.Lister{Facts: g.Facts(nil, grammar.Exact), Repeat: 2, Most: 250}
		list := l.List(g.Root, 4)
		want := map[string]int{}
		for _, d := range list {
			want[d.Text] = 0
		}
		b := count.Bound{Depth: 4, Repeat: 2}
		_, err := count.New(t.Context(), g, b, count.Options{Measure: grammar.Exact})
		_, perr := parse.New(t.Context(), g, parse.Options{})
		if l.Overflow || err != nil || perr != nil || len(want) < 4 || len(want) > 60 || len(list) < len(want)*5/4 {
			continue
		}
		grammars++
		trees += len(list)
		plan := &stream.Plan{Over: "texts", Bound: derive.BoundRef{Depth: 4, Repeat: 2}, Seed: uint64(grammars)}
		s, err := plan.Open(t.Context(), g, stream.Options{})
		if err != nil {
			t.Fatal(err)
		}
		src := s.Source()
		n := 40 * len(want)
		for i := range n {
			text, err := src.Append(t.Context(), nil, uint64(i))
			if err != nil {
				t.Fatalf("%v\n%s", err, load.Native(g))
			}
			if _, ok := want[string(text)]; !ok {
				t.Fatalf("%q is not within the bound\n%s", text, load.Native(g))
			}
			want[string(text)]++
		}
		chi := 0.0
		for _, k := range want {
			chi += float64((k-40)*(k-40)) / 40
		}
		free := float64(len(want) - 1)
		if limit := free + 5*math.Sqrt(2*free) + 5; chi > limit {
			t.Errorf("chi-square %.1f, %v degrees of freedom, of %d trees\n%s", chi, free, len(list), load.Native(g))
		}
	}
	if trees < 300 {
		t.Errorf("only %d trees", trees)
	}
}

// TestTextsBudget checks that the search for a text ends with an error at its budget.
func TestTextsBudget(t *testing.T) {
	g, _, err := load.Source("s.ebnf", []byte(`s = s s | "a" ;`), load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	plan := &stream.Plan{Over: "texts", Bound: derive.BoundRef{Min: 24, Max: 24, Unit: "terminals"}, Seed: 1}
	if _, err := plan.Open(t.Context(), g, stream.Options{}); err == nil || !strings.Contains(err.Error(), " trees none is the canonical one") {
		t.Errorf("%v", err)
	}
	plan.Bound.Min, plan.Bound.Max, plan.Tries = 5, 5, 1
	s, err := plan.Open(t.Context(), g, stream.Options{})
	if err != nil {
		t.Fatal(err)
	}
	src := s.Source()
	for i := uint64(0); err == nil && i < 100; i++ {
		_, err = src.Tree(t.Context(), i)
	}
	if err == nil || !strings.HasPrefix(err.Error(), "of 1 trees none is the canonical one") {
		t.Errorf("%v", err)
	}
}
