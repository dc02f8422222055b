package texts_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/brute"
	"github.com/gramfuzz/gramfuzz/load"
	"github.com/gramfuzz/gramfuzz/parse"
	"github.com/gramfuzz/gramfuzz/sample"
	"github.com/gramfuzz/gramfuzz/texts"
)

// Over texts: on ambiguous grammars every distinct text within the bound comes
// equally often, whatever the number of its trees. Texts are listed by brute
// force; chi-square, with a bound that is passed about once in 10^4 times (mean
// and deviation of the distribution: n and √2n); seeds are fixed.
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
		table, err := count.New(ctx, g, b, count.Options{Measure: grammar.Exact})
		p, perr := parse.New(ctx, g, parse.Options{})
		if l.Overflow || err != nil || perr != nil || len(want) < 4 || len(want) > 60 || len(list) < len(want)*5/4 {
			continue
		}
		grammars++
		trees += len(list)
		s, err := sample.New(ctx, g, sample.Options{Bound: b, Measure: grammar.Exact, Seed: uint64(grammars)})
		if err != nil {
			t.Fatal(err)
		}
		src := texts.New(p, s.Source(), parse.Within{Bound: b, Facts: table.Facts()})
		n := 40 * len(want)
		for i := range n {
			text, err := src.Append(ctx, nil, uint64(i))
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
		if rate, err := src.Estimate(ctx, 200); err != nil || rate > 1.25*float64(len(want))/float64(len(list))+0.15 {
			t.Errorf("estimate %.2f, %v; %d texts of %d trees", rate, err, len(want), len(list))
		}
	}
	if trees < 300 {
		t.Errorf("only %d trees", trees)
	}
}

// A budget ends the search for a text honestly.
func TestTextsBudget(t *testing.T) {
	g := read(t, `s = s s | "a" ;`)
	p := must(t, g)
	s, err := sample.New(ctx, g, sample.Options{Bound: count.Size(40, grammar.Terminals), Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	src := texts.New(p, s.Source(), parse.Within{Bound: count.Size(40, grammar.Terminals)})
	src.MaxTries = 3
	if _, err := src.Tree(ctx, 0); err == nil || !strings.HasPrefix(err.Error(), "of 3 trees none is the canonical one") {
		t.Errorf("%v", err)
	}
}
