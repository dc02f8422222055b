package sample

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/brute"
	"github.com/gramfuzz/gramfuzz/load"
)

// How far the program is unfolded must not change any probability: chi-square
// over all derivations of random grammars, under limits from nothing to much.
func TestLimitsChangeNothing(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, l := range []limits{
		{outcomes: 1, texts: 0}, {outcomes: 2, texts: 1}, {outcomes: 3, texts: 4, bytes: 8}, {outcomes: 8, texts: 30, bytes: 100}, {outcomes: 200, texts: 1 << 16, bytes: 1 << 20},
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
			got := map[string]int{}
			src := s.Source()
			for i := range 50 * len(want) {
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
			if p := brute.ChiSquare(counts, brute.Even(len(want))); p < 1e-5 {
				t.Errorf("%+v, %v: p = %g\n%s", l, bound, p, load.Native(g))
			}
		}
	}
}

// An outcome with a share below 2^-64 is neither lost nor taken for another.
func TestShareBelowOneDraw(t *testing.T) {
	big1 := new(big.Int).Lsh(bigOne, 100)
	st := &state{}
	st.branches = exactBranches([]*big.Int{big1, big1, bigOne})
	for u, want := range map[uint64]int{0: 0, 1<<63 - 2: 0, 1<<63 + 1: 1, math.MaxUint64 - 1: 1} {
		if i, settled := st.pick(u); i != want || !settled {
			t.Errorf("draw %x: outcome %d, settled %v; want %d", u, i, settled, want)
		}
	}
	if _, settled := st.pick(math.MaxUint64); settled {
		t.Error("the last draw holds a threshold and was taken for settled")
	}
}
