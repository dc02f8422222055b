package count

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// system is a system of equations v = f(v), one for each node, with f positive
// and increasing: its least solution is wanted.
type system struct {
	p     *Program
	value func(node *Node, at []float64, id NodeID) float64
	slope func(node *Node, at []float64, id NodeID, kid int) float64 // by the kid's value
}

const (
	newtonNodes = 800    // above, the matrix is too large
	newtonSteps = 120    // from 0, Newton's method gains a bit a step even next to a singularity
	sweeps      = 20_000 // of the plain iteration, for large systems
)

// solve returns the least solution, or nil where there is none or where it is so
// close to a singularity that it cannot be told.
func (s system) solve() []float64 {
	if len(s.p.Nodes) > newtonNodes {
		return s.iterate()
	}
	return s.newton()
}

// newton solves by Newton's method from 0, which climbs to the least solution
// without passing it (Etessami & Yannakakis 2009).
func (s system) newton() []float64 {
	n := len(s.p.Nodes)
	at := make([]float64, n)
	matrix, rest := mat.NewDense(n, n, nil), mat.NewVecDense(n, nil)
	var lu mat.LU
	var step mat.VecDense
	for range newtonSteps {
		matrix.Zero()
		for id := range n {
			node := &s.p.Nodes[id]
			rest.SetVec(id, s.value(node, at, NodeID(id))-at[id])
			matrix.Set(id, id, 1)
			for kid, k := range node.Kids {
				matrix.Set(id, int(k), matrix.At(id, int(k))-s.slope(node, at, NodeID(id), kid))
			}
		}
		lu.Factorize(matrix)
		if err := lu.SolveVecTo(&step, false, rest); err != nil {
			if _, near := err.(mat.Condition); !near || math.IsInf(lu.Cond(), 1) {
				return nil
			}
		}
		worst := 0.0
		for id := range at {
			d := step.AtVec(id)
			at[id] += d
			if d < -1e-6*at[id] || at[id] > 1e200 || math.IsNaN(d) {
				return nil // past the singularity there is nothing to climb to
			}
			if at[id] > 0 {
				worst = max(worst, math.Abs(d)/at[id])
			}
		}
		if worst < OracleTolerance*float64(n) {
			return at
		}
	}
	return nil
}

// iterate solves by plain iteration from 0.
func (s system) iterate() []float64 {
	at := make([]float64, len(s.p.Nodes))
	for range sweeps {
		worst := 0.0
		for _, id := range s.p.order {
			v := s.value(&s.p.Nodes[id], at, id)
			if v > 1e200 || math.IsNaN(v) {
				return nil
			}
			if v-at[id] > worst*v {
				worst = (v - at[id]) / v
			}
			at[id] = v
		}
		if worst < OracleTolerance {
			return at
		}
	}
	return nil
}
