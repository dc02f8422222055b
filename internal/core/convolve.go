package core

// The number of a product at one size is a convolution: a sum over the numbers of its parts at
// sizes that add up to it. All numbers are at least 0. So the roundings of each term bound the
// error, and the order of additions is free.

const (
	blockSum = 32 // products in a partial sum; partial sums keep the accumulated rounding small
	block    = 16 // the number of sizes computed together, a multiple of 4
)

// roundings bounds the roundings of a term in a convolution of n terms. Its product is one. It is
// added up with at most blockSum others, these sums with each other, and with the few terms of
// the last block of sizes, which has two chains no longer than a block.
func roundings(n int) int64 { return int64(blockSum + n/blockSum + 8) }

// A cell holds the numbers of one class at the sizes of a block.
type cell [block]float64

// convolveBegin sets the cell of a product, for the block of sizes that begins after those of its
// parts a and b, to the sum of all terms with both sizes below the block. It leaves out sizes
// from to on.
func convolveBegin(sums *cell, a, b []float64, to int) {
	*sums = cell{}
	for n := len(a); n < to && n > 0; n += 4 {
		convolve4(a, b, n, (*[4]float64)(sums[n-len(a):]))
	}
}

// convolveEnd returns the terms that convolveBegin leaves out at the j-th size of a block: one
// size is in the first block and the other one in this.
func convolveEnd(a0, b0, a, b *cell, j int) float64 {
	var s, t float64
	if a0[0] != 0 { // otherwise the number of b at this size may not be known yet
		s = a0[0] * b[j]
	}
	if b0[0] != 0 {
		t = b0[0] * a[j]
	}
	for i := 1; i <= j; i++ {
		s += a0[i] * b[j-i]
		t += b0[i] * a[j-i]
	}
	return s + t
}

// convolveFirst returns the number of a product at the j-th size of the first block.
func convolveFirst(a, b *cell, j int) float64 {
	s := 0.0
	for i := 0; i <= j; i++ {
		s += a[i] * b[j-i]
	}
	return s
}

// convolve4 adds to sum j the products a[k]·b[n+j-k], for all k for which both exist. Both have
// the same length, at most n.
func convolve4(a, b []float64, n int, sum *[4]float64) {
	end := len(a)
	first := n + 4 - end // from here on all four have a product
	for j := range 3 {
		for k := n + j - end + 1; k < min(first, end); k++ {
			sum[j] += a[k] * b[n+j-k]
		}
	}
	for ; first < end; first += blockSum {
		last := min(first+blockSum, end)
		var s0, s1, s2, s3 float64
		b1, b2, b3 := b[n+1-first], b[n+2-first], b[n+3-first]
		right := b[n-last+1 : n-first+1]
		at := len(right)
		for _, x := range a[first:last] {
			at--
			b0 := right[at]
			s0 += x * b0
			s1 += x * b1
			s2 += x * b2
			s3 += x * b3
			b1, b2, b3 = b0, b1, b2
		}
		sum[0] += s0
		sum[1] += s1
		sum[2] += s2
		sum[3] += s3
	}
}
