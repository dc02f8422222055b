package fastdraw

import (
	"math"
	"math/big"
	"math/rand/v2"
	"sync/atomic"
	"testing"
)

// TestBucketsAgreeWithBranches compares the buckets with the branches, around every threshold
// and at random.
func TestBucketsAgreeWithBranches(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	told, all := 0, 0
	for range 200 {
		weights := make([]*big.Int, 1+rng.IntN(100))
		for i := range weights {
			weights[i] = new(big.Int).SetUint64(1 + rng.Uint64()>>rng.IntN(64))
		}
		f := &found{branches: exactBranches(weights), starts: make([]atomic.Uint32, len(weights))}
		wide := rng.Uint64N(2) * rng.Uint64N(1<<40)
		for i := range f.branches {
			b := &f.branches[i]
			b.hi = max(b.hi, b.hi+wide) // like numbers with errors
		}
		var buckets buckets
		buckets.fill(f)
		missing := rng.IntN(2 * len(weights))
		for _, i := range rng.Perm(len(weights)) {
			if i != missing {
				f.starts[i].Store(uint32(3*i + 1))
				buckets.update(f, i)
			}
		}
		draws := []uint64{0, math.MaxUint64}
		for _, b := range f.branches {
			for d := range uint64(5) {
				draws = append(draws, b.lo+d-2, b.hi+d-2)
			}
		}
		for range 1000 {
			draws = append(draws, rng.Uint64())
		}
		for _, u := range draws {
			at := buckets.find(u)
			if at == noStart {
				continue
			}
			told++
			if i, settled := pick(f.branches, u); !settled || 3*i != at || i == missing {
				t.Fatalf("draw %x of %d branches: ops at %d, want %d, settled %v", u, len(weights), at, 3*i, settled)
			}
		}
		all += len(draws)
	}
	if told < all/3 {
		t.Errorf("the buckets tell %d draws of %d", told, all)
	}
}

// TestShareBelowOneDraw checks that an outcome with a share below 2^-64 is neither lost nor
// confused with another.
func TestShareBelowOneDraw(t *testing.T) {
	big1 := new(big.Int).Lsh(one, 100)
	branches := exactBranches([]*big.Int{big1, big1, one})
	for u, want := range map[uint64]int{0: 0, 1<<63 - 2: 0, 1<<63 + 1: 1, math.MaxUint64 - 1: 1} {
		if i, settled := pick(branches, u); i != want || !settled {
			t.Errorf("draw %x: outcome %d, settled %v; want %d", u, i, settled, want)
		}
	}
	if _, settled := pick(branches, math.MaxUint64); settled {
		t.Error("the last draw holds a threshold and was taken for settled")
	}
}
