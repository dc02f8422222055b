package sample_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	gctx "github.com/gramfuzz/gramfuzz/context"
	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/internal/testing/brute"
	"github.com/gramfuzz/gramfuzz/load"
	"github.com/gramfuzz/gramfuzz/sample"
)

var ctx = context.Background()

// alpha is the significance of every distribution test here: at this seed none fails, at a
// random one each would fail once in 100,000 runs.
const alpha = 1e-5

// tally draws n sentences and counts their choice sequences.
func tally(t *testing.T, s *sample.Sampler, n int) map[string]int {
	t.Helper()
	got := map[string]int{}
	src := s.Source()
	for i := range n {
		choices, err := src.Choices(ctx, uint64(i))
		if err != nil {
			t.Fatal(err)
		}
		got[fmt.Sprint(choices)]++
	}
	return got
}

// evenness returns the chi-square probability that the tally of all want derivations is
// uniform; 0 if some sequence is not among them.
func evenness(got map[string]int, want []brute.Derivation) float64 {
	counts := make([]int, len(want))
	seen := 0
	for i, d := range want {
		if d.Choices == nil {
			d.Choices = []int{}
		}
		counts[i] = got[fmt.Sprint(d.Choices)]
		seen += counts[i]
	}
	for _, c := range got {
		seen -= c
	}
	if seen != 0 {
		return 0
	}
	if len(want) == 1 {
		return 1
	}
	return brute.ChiSquare(counts, brute.Even(len(want)))
}

// TestUniformOnRandomGrammars checks that uniform sampling gives every derivation of a plain
// list equally often, for depth and for each unit of size, on random grammars.
func TestUniformOnRandomGrammars(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	tried := 0
	for tried < 60 {
		g := brute.Random(rng)
		if _, err := count.NewProgram(g, count.Size(1, grammar.Bytes), count.Options{}); errors.Is(err, count.ErrCyclic) {
			continue
		}
		facts := g.Facts(nil, grammar.Exact)
		bound := count.Bound{Depth: 2 + rng.IntN(3), Repeat: 2}
		l := &brute.Lister{Facts: facts, Repeat: 2, Most: 300}
		want := l.List(g.Root, bound.Depth)
		if tried%2 == 1 {
			u := grammar.Unit(rng.IntN(3))
			bound = count.Size(2+rng.IntN(4), u)
			l = &brute.Lister{Facts: facts, Limit: bound.Max, Unit: u, Most: 300}
			want = nil
			for _, d := range l.List(g.Root, (bound.Max+2)*(len(g.Rules)+1)) {
				if d.Size[u] == bound.Max {
					want = append(want, d)
				}
			}
		}
		if l.Overflow || len(want) < 2 {
			continue
		}
		tried++
		s, err := sample.New(ctx, g, sample.Options{Bound: bound, Measure: grammar.Exact, Seed: uint64(tried)})
		if err != nil {
			t.Fatalf("%v\n%s", err, load.Native(g))
		}
		if p := evenness(tally(t, s, 40*len(want)), want); p < alpha {
			t.Errorf("%v: p = %g\n%s", bound, p, load.Native(g))
		}
	}
}

// TestBiasedSamplerIsRejected checks that the tests above reject a biased sampler, a plain
// walk.
func TestBiasedSamplerIsRejected(t *testing.T) {
	g := grammars.Must("lopsided")
	l := &brute.Lister{Facts: g.Facts(nil, grammar.Exact), Most: 100}
	want := l.List(g.Root, 6)
	for strategy, uniform := range map[sample.Strategy]bool{sample.Uniform: true, sample.Walk: false} {
		s, err := sample.New(ctx, g, sample.Options{Bound: count.Depth(6), Strategy: strategy, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		if p := evenness(tally(t, s, 600), want); p > alpha != uniform {
			t.Errorf("%v: p = %g", strategy, p)
		}
	}
}

// TestLopsided has six leaves: a walk halves the probability at every step, uniform sampling
// does not.
func TestLopsided(t *testing.T) {
	g := grammars.Must("lopsided")
	tests := []struct {
		strategy sample.Strategy
		want     []float64
	}{
		{sample.Walk, []float64{1. / 2, 1. / 4, 1. / 8, 1. / 16, 1. / 32, 1. / 32}},
		{sample.Uniform, brute.Even(6)},
	}
	for _, test := range tests {
		s, err := sample.New(ctx, g, sample.Options{Bound: count.Depth(6), Strategy: test.strategy, Seed: 7})
		if err != nil {
			t.Fatal(err)
		}
		counts := make([]int, 6)
		src := s.Source()
		for i := range 60_000 {
			text, err := src.Text(ctx, uint64(i))
			if err != nil {
				t.Fatal(err)
			}
			counts[text[0]-'A']++
		}
		if p := brute.ChiSquare(counts, test.want); p < alpha {
			t.Errorf("%v: %v, p = %g", test.strategy, counts, p)
		}
	}
}

// TestFacesAgree checks that text, choices and tree of sentence i agree, that it is within the
// bound, and that its choices replay, on every shipped grammar, by depth and by size.
func TestFacesAgree(t *testing.T) {
	names, measures := grammars.Names(), []grammar.Measure{grammar.Structure, grammar.Exact}
	if testing.Short() { // the race detector takes ten times as long, and one goroutine cannot race
		names, measures = []string{"assign", "expr", "select", "tree"}, measures[:1]
	}
	for _, name := range names {
		g := grammars.Must(name)
		for _, measure := range measures {
			facts := g.Facts(nil, measure)
			least := facts.Size(g.Root, grammar.Terminals, grammar.Any)
			bounds := []count.Bound{
				{},
				count.Depth(facts.Depth(g.Root, grammar.Any) + 2),
				count.Sizes(least, least+6, grammar.Bytes),
				count.Sizes(least, least+9, grammar.Nodes),
				count.Sizes(least, least+220, grammar.Terminals),
			}
			for _, b := range bounds {
				for strategy := sample.Uniform; strategy <= sample.Weighted; strategy++ {
					checkFaces(t, g, facts, sample.Options{Bound: b, Strategy: strategy, Measure: measure, Seed: 5})
				}
			}
		}
	}
}

func checkFaces(t *testing.T, g *grammar.Grammar, facts *grammar.Facts, o sample.Options) {
	t.Helper()
	if o.Strategy == sample.Limit && !o.Bound.ByDepth() {
		return
	}
	s, err := sample.New(ctx, g, o)
	if empty := new(count.EmptyError); errors.As(err, &empty) {
		return
	}
	if err != nil {
		t.Errorf("%s, %+v: %v", g.Name, o, err)
		return
	}
	src, other := s.Source(), s.Source()
	for i := uint64(0); i < 20; i++ {
		tree, err := src.Tree(ctx, i)
		if err != nil {
			t.Errorf("%s, %+v: sentence %d: %v", g.Name, o, i, err)
			return
		}
		text, err := other.Text(ctx, i)
		if err != nil || text != tree.Text() {
			t.Errorf("%s, %+v: sentence %d: text %q, tree %q, %v", g.Name, o, i, text, tree.Text(), err)
			return
		}
		if !sentenceAgrees(t, other, new(sample.Sentence), tree, facts, s.Bound().Unit, i) {
			t.Errorf("%s, %+v", g.Name, o)
			return
		}
		m, err := gctx.Machine(g, namesOf(t, g, o.Names), derive.Options{})
		if err != nil {
			t.Fatal(err)
		}
		again, err := m.Run(ctx, derive.Replay(tree.Choices()))
		if err != nil || again.Text() != text {
			t.Errorf("%s: replay: %v", g.Name, err)
		} else if diff := cmp.Diff(tree.Choices(), again.Choices(), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s: replay (-want +got)\n%s", g.Name, diff)
		}
		b := s.Bound()
		if n := derive.Size(tree, facts, b.Unit); !b.ByDepth() && (n < b.Min || n > b.Max) {
			t.Errorf("%s, %v: sentence %d has size %d: %q", g.Name, b, i, n, text)
		}
		if d := derive.Depth(tree, facts); b.ByDepth() && o.Strategy != sample.Limit && d > b.Depth {
			t.Errorf("%s, %v: sentence %d has depth %d", g.Name, b, i, d)
		}
	}
}
