package sample

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/internal/testing/brute"
	"github.com/gramfuzz/gramfuzz/load"
	"github.com/gramfuzz/gramfuzz/sample/internal/fastdraw"
)

// TestLimitsChangeNothing checks that the limits change no probability: chi-square over all
// derivations of random grammars, under limits from nothing to much.
func TestLimitsChangeNothing(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, l := range []fastdraw.Limits{
		{Outcomes: 1, Texts: 0}, {Outcomes: 2, Texts: 1}, {Outcomes: 3, Texts: 4, Bytes: 8}, {Outcomes: 8, Texts: 30, Bytes: 100}, {Outcomes: 200, Texts: 1 << 16, Bytes: 1 << 20},
	} {
		for tried := 0; tried < 15; {
			g := brute.Random(rng)
			facts := g.Facts(nil, grammar.Exact)
			bound := count.Bound{Depth: 2 + rng.IntN(3), Repeat: 2}
			lister := &brute.Lister{Facts: facts, Repeat: 2, Most: 300}
			want := lister.List(g.Root, bound.Depth)
			if lister.Overflow || len(want) < 5 {
				continue
			}
			tried++
			s, err := New(context.Background(), g, Options{Bound: bound, Measure: grammar.Exact, Seed: uint64(tried), limits: &l})
			if err != nil {
				t.Fatal(err)
			}
			counts := tallyOf(t, s, 50*len(want), want)
			if p := brute.ChiSquare(counts, brute.Even(len(want))); p < 1e-5 {
				t.Errorf("%+v, %v: p = %g\n%s", l, bound, p, load.Native(g))
			}
		}
	}
}

// tallyOf draws n sentences and counts each of the wanted derivations.
func tallyOf(t *testing.T, s *Sampler, n int, want []brute.Derivation) []int {
	t.Helper()
	got := map[string]int{}
	src := s.Source()
	for i := range n {
		choices, err := src.Choices(context.Background(), uint64(i))
		if err != nil {
			t.Fatal(err)
		}
		got[fmt.Sprint(choices)]++
	}
	counts := make([]int, len(want))
	for i, d := range want {
		counts[i] = got[fmt.Sprint(append([]int{}, d.Choices...))]
	}
	return counts
}

// TestUniformStraight checks that sizes are uniform, both those with slots and those drawn
// straight from the numbers.
func TestUniformStraight(t *testing.T) {
	g := grammars.Must("tree")
	for _, size := range []int{7, 10, 13, 16, 19} { // 2, 5, 14, 42 and 132 trees
		l := &brute.Lister{Facts: g.Facts(nil, grammar.Structure), Limit: size, Unit: grammar.Terminals, Most: 1e5}
		var want []brute.Derivation
		for _, d := range l.List(g.Root, size+1) {
			if d.Size[grammar.Terminals] == size {
				want = append(want, d)
			}
		}
		s, err := New(context.Background(), g, Options{Bound: count.Size(size, grammar.Terminals), Seed: 5, limits: &fastdraw.Limits{Size: 8, Outcomes: 2, Texts: 8, Bytes: 1 << 8}})
		if err != nil {
			t.Fatal(err)
		}
		if p := brute.ChiSquare(tallyOf(t, s, 100*len(want), want), brute.Even(len(want))); len(want) < 2 || p < 1e-5 {
			t.Errorf("size %d, %d derivations: p = %g", size, len(want), p)
		}
	}
}

// TestBalancedChain checks rules that each refer to the next one in two ways. There are 2^100
// paths through them, and the states of parts are found without walking the paths.
func TestBalancedChain(t *testing.T) {
	var src strings.Builder
	for i := range 100 {
		fmt.Fprintf(&src, "r%d = r%d | r%d r%d ;\n", i, i+1, i+1, i+1)
	}
	src.WriteString("r100 = \"a\" | \"b\" ;\n")
	s, err := New(t.Context(), load.MustString(src.String()), Options{Bound: count.Sizes(1, 20, grammar.Terminals), Strategy: Balanced, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	for i := range uint64(20) {
		tree, err := s.Source().Tree(t.Context(), i)
		if err != nil {
			t.Fatal(err)
		}
		if n := len(tree.Text()); n < 1 || n > 20 {
			t.Errorf("sentence %d has %d terminals: %q", i, n, tree.Text())
		}
	}
}
