package brute

import "gonum.org/v1/gonum/stat/distuv"

// ChiSquare returns the probability that counts at least as uneven as these come
// from drawing with the given probabilities (all positive, summing to 1).
func ChiSquare(counts []int, p []float64) float64 {
	n := 0
	for _, c := range counts {
		n += c
	}
	x := 0.0
	for i, c := range counts {
		want := float64(n) * p[i]
		x += (float64(c) - want) * (float64(c) - want) / want
	}
	return distuv.ChiSquared{K: float64(len(counts) - 1)}.Survival(x)
}

// Even returns n equal probabilities.
func Even(n int) []float64 {
	p := make([]float64, n)
	for i := range p {
		p[i] = 1 / float64(n)
	}
	return p
}
