package count_test

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"
)

// BenchmarkOneCoefficient compares two ways to compute one coefficient of a product from all
// earlier ones, the step of a recurrence. Pairwise, that is n multiplications of numbers as long
// as the counts. By Kronecker substitution, it is one multiplication of numbers n times as long;
// it gives all coefficients, of which one is new. The package multiplies pairwise.
// See docs/bounds.md.
func BenchmarkOneCoefficient(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{50, 200, 1000} {
		x, y := series(rng, n, 3*n), series(rng, n, 3*n)
		b.Run(fmt.Sprintf("pairwise/%d", n), func(b *testing.B) {
			var product, total big.Int
			for b.Loop() {
				total.SetInt64(0)
				for k := range n {
					total.Add(&total, product.Mul(x[k], y[n-1-k]))
				}
			}
		})
		b.Run(fmt.Sprintf("kronecker/%d", n), func(b *testing.B) {
			words := 2*len(x[n-1].Bits()) + 1
			var product, total big.Int
			for b.Loop() {
				product.Mul(pack(x, words), pack(y, words))
				total.SetBits(product.Bits()[(n-1)*words : n*words])
			}
		})
	}
}

// series returns n numbers; the k-th has k/n·bits bits, as counts grow.
func series(rng *rand.Rand, n, bits int) []*big.Int {
	out := make([]*big.Int, n)
	for k := range out {
		out[k] = new(big.Int)
		for range (k*bits/n + 63) / 64 {
			out[k].Lsh(out[k], 64)
			out[k].Or(out[k], new(big.Int).SetUint64(rng.Uint64()))
		}
	}
	return out
}

// pack returns the sum of s[k]·2^(k·words·wordsize), the numbers side by side.
func pack(s []*big.Int, words int) *big.Int {
	all := make([]big.Word, len(s)*words)
	for k, n := range s {
		copy(all[k*words:], n.Bits())
	}
	return new(big.Int).SetBits(all)
}
