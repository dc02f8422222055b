package sample

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// The buckets tell the same as the branches, around every threshold and at
// random.
func TestBucketsAgreeWithBranches(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		weights := make([]*big.Int, 1+rng.IntN(100))
		for i := range weights {
			weights[i] = new(big.Int).SetUint64(1 + rng.Uint64()>>rng.IntN(64))
		}
		st := &state{ops: make([]op, 3*len(weights)), branches: exactBranches(weights)}
		wide := rng.Uint64N(2) * rng.Uint64N(1<<40)
		for i := range st.branches {
			b := &st.branches[i]
			b.start = uint32(3 * i)
			b.hi = max(b.hi, b.hi+wide) // as numbers with errors have it
		}
		st.setBuckets()
		draws := []uint64{0, math.MaxUint64}
		for _, b := range st.branches {
			for d := range uint64(5) {
				draws = append(draws, b.lo+d-2, b.hi+d-2)
			}
		}
		for range 1000 {
			draws = append(draws, rng.Uint64())
		}
		for _, u := range draws {
			at, ok := st.find(u)
			if !ok {
				continue
			}
			if i, settled := st.pick(u); !settled || int(st.branches[i].start) != at {
				t.Fatalf("draw %x of %d branches: ops at %d, want %d, settled %v", u, len(weights), at, st.branches[i].start, settled)
			}
		}
	}
}

// The generator is the one of the standard library.
func TestStreamIsPCG(t *testing.T) {
	want := rand.NewPCG(3, 4)
	got := stream{pcg: pcg{3, 4}}
	for i := range 1000 {
		if w, g := want.Uint64(), got.next(); w != g {
			t.Fatalf("number %d is %x, want %x", i, g, w)
		}
	}
}
