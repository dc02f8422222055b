package core

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// TestLinear compares solutions of random systems with those of an LU decomposition with
// pivoting. Systems whose matrix has a spectral radius above 1 are refused.
func TestLinear(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for try := range 300 {
		n := 1 + rng.IntN(60)
		radius := []float64{0.3, 0.99, 0.999999, 1.01, 2}[try%5]
		a, dense, b := make([][]float64, n), mat.NewDense(n, n, nil), mat.NewVecDense(n, nil)
		for i := range a {
			a[i] = make([]float64, n)
			a[i][(i+1)%n] = 1
			for range rng.IntN(4) {
				a[i][rng.IntN(n)] += rng.Float64()
			}
			sum := 0.0
			for _, v := range a[i] {
				sum += v
			}
			dense.Set(i, i, 1)
			for j := range a[i] { // all rows have the same sum, which is the spectral radius
				a[i][j] *= radius / sum
				dense.Set(i, j, dense.At(i, j)-a[i][j])
			}
			b.SetVec(i, rng.Float64())
		}
		l, positive := newLinear(n), true
		for i := n - 1; i >= 0 && positive; i-- {
			copy(l.row, a[i])
			positive = l.eliminate(i, b.AtVec(i))
		}
		if positive != (radius < 1) {
			t.Fatalf("%d unknowns, spectral radius %g: positive pivots: %v", n, radius, positive)
		}
		if !positive {
			continue
		}
		var want mat.VecDense
		if err := want.SolveVec(dense, b); err != nil {
			t.Fatal(err)
		}
		for i, x := range l.solve() {
			if math.Abs(x-want.AtVec(i)) > 1e-8*x {
				t.Fatalf("%d unknowns, spectral radius %g: unknown %d is %v, want %v", n, radius, i, x, want.AtVec(i))
			}
		}
	}
}
