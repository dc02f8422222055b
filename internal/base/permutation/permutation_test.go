package permutation

import (
	"fmt"
	"math/big"
	"testing"

	"github.com/gramfuzz/gramfuzz/internal/base/random"
	"github.com/gramfuzz/gramfuzz/internal/testing/brute"
)

// TestPermutations checks that every number comes once, for every size and both kinds.
func TestPermutations(t *testing.T) {
	for n := int64(1); n < 300; n++ {
		for kind, p := range map[string]Permutation{
			"shuffle": NewShuffle(int(n), [2]uint64{1, 2}),
			"feistel": newFeistel(big.NewInt(n), [2]uint64{1, 2}),
		} {
			seen := make([]bool, n)
			for i := range n {
				at := p.At(big.NewInt(i)).Int64()
				if at < 0 || at >= n || seen[at] {
					t.Fatalf("%s of %d: %d goes to %d, which is outside or taken", kind, n, i, at)
				}
				seen[at] = true
			}
		}
	}
}

// TestPermutationsLookRandom checks that the images of two numbers are uniform over many keys. A
// permutation that only adds a key is rejected. (A network this small is a worse permutation than
// any in use: the fewer bits, the fewer permutations.)
func TestPermutationsLookRandom(t *testing.T) {
	const n, parts, keys, alpha = 240, 6, 10_000, 1e-5
	kinds := map[string]func(key [2]uint64) Permutation{
		"shuffle": func(key [2]uint64) Permutation { return NewShuffle(n, key) },
		"feistel": func(key [2]uint64) Permutation { return newFeistel(big.NewInt(n), key) },
	}
	biased := func(key [2]uint64) Permutation { return rotation{int64(random.Mix(key[0]) % n), n} }
	var even []float64 // of each pair of parts; the second number cannot have the place of the first
	for a := range parts {
		for b := range parts {
			places := float64(n / parts)
			if a == b {
				places--
			}
			even = append(even, places/(n-1)/parts)
		}
	}
	pairs := func(kind func(key [2]uint64) Permutation) float64 {
		counts := make([]int, len(even))
		part := func(i *big.Int) int { return int(i.Int64()) * parts / n }
		for k := range uint64(keys) {
			p := kind([2]uint64{k, 7})
			counts[part(p.At(big.NewInt(1)))*parts+part(p.At(big.NewInt(4)))]++
		}
		return brute.ChiSquare(counts, even)
	}
	for name, kind := range kinds {
		if p := pairs(kind); p < alpha {
			t.Errorf("%s: where two numbers go is not uniform, p = %g", name, p)
		}
	}
	if p := pairs(biased); p > alpha {
		t.Errorf("a rotation passes, p = %g", p)
	}
}

// rotation is a bad permutation that the test must reject.
type rotation struct{ by, n int64 }

func (r rotation) At(i *big.Int) *big.Int { return big.NewInt((i.Int64() + r.by) % r.n) }

// TestFeistelOfLongNumbers checks that numbers of thousands of bits stay in range and distinct.
func TestFeistelOfLongNumbers(t *testing.T) {
	n := new(big.Int).Exp(big.NewInt(3), big.NewInt(2500), nil)
	f := newFeistel(n, [2]uint64{3, 4})
	seen := map[string]bool{}
	for i := range int64(200) {
		at := f.At(big.NewInt(i))
		if at.Sign() < 0 || at.Cmp(n) >= 0 || seen[at.String()] {
			t.Fatalf("%d goes outside, or where another went", i)
		}
		seen[at.String()] = true
	}
}

// TestShuffleGolden fixes the order, which is part of the meaning of a seed.
func TestShuffleGolden(t *testing.T) {
	got := fmt.Sprint(NewShuffle(10, [2]uint64{1, 0}), newFeistel(big.NewInt(1<<40), [2]uint64{1, 0}).At(big.NewInt(5)))
	const want = "[4 6 1 9 5 2 0 8 3 7] 841105680029"
	if got != want {
		t.Errorf("got %s, want %s: seeds of older versions give other sentences now", got, want)
	}
}

func BenchmarkFeistel(b *testing.B) {
	f := newFeistel(new(big.Int).Lsh(one, 90), [2]uint64{3, 4})
	i := big.NewInt(0)
	b.ReportAllocs()
	for b.Loop() {
		f.At(i)
		i.Add(i, one)
	}
}
