package core

import (
	"context"
	"errors"
	"math"
	"slices"
)

// system is a system of equations v = f(v), one for each node, with f positive and increasing;
// solve finds the least solution.
type system struct {
	p     *Program
	value func(node *Node, at []float64, id NodeID) float64
	slope func(node *Node, at []float64, id NodeID, child int) float64 // the partial derivative by the child's value
}

var errNoSolution = errors.New("no solution")

const (
	newtonNodes = 800    // in larger components the matrix is too large
	newtonSteps = 120    // from 0, Newton's method gains a bit per step even next to a singularity
	sweeps      = 20_000 // the greatest number of plain iterations, for large systems
)

// solve returns the least solution. It returns errNoSolution if there is none, or if it is too
// close to a singularity to be computed. It solves the strongly connected components one after
// the other, each after those that it leads to.
func (s system) solve(ctx context.Context, components [][]NodeID) ([]float64, error) {
	at := make([]float64, len(s.p.Nodes))
	index := make([]int32, len(s.p.Nodes)) // of a node in its component, from 1
	for _, nodes := range components {
		solved := false
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case !s.recursive(nodes):
			id := nodes[0]
			at[id] = s.value(&s.p.Nodes[id], at, id)
			solved = at[id] <= 1e200
		case len(nodes) > newtonNodes:
			solved = s.iterate(ctx, nodes, at)
		default:
			for i, id := range nodes {
				index[id] = int32(i + 1)
			}
			solved = s.newton(ctx, nodes, index, at)
			for _, id := range nodes {
				index[id] = 0
			}
		}
		if !solved {
			return nil, errNoSolution
		}
	}
	return at, ctx.Err()
}

// recursive reports whether the value of a component depends on itself.
func (s system) recursive(nodes []NodeID) bool {
	return len(nodes) > 1 || slices.Contains(s.p.Nodes[nodes[0]].Children, nodes[0])
}

// newton solves a component by Newton's method from 0, which climbs to the least
// solution without passing it (Etessami & Yannakakis 2009).
func (s system) newton(ctx context.Context, nodes []NodeID, index []int32, at []float64) bool {
	l := newLinear(len(nodes))
	for range newtonSteps {
		if ctx.Err() != nil {
			return false
		}
		for i, id := range slices.Backward(nodes) { // children were mostly visited after their parents
			node := &s.p.Nodes[id]
			for child, k := range node.Children {
				if j := int(index[k]) - 1; j >= 0 {
					l.row[j] += s.slope(node, at, id, child)
				}
			}
			if !l.eliminate(i, s.value(node, at, id)-at[id]) {
				return false // past the singularity there is no solution
			}
		}
		step := l.solve()
		worst, noise := 0.0, 1e-12*slices.Max(step)
		for i, id := range nodes {
			d := step[i]
			if math.Abs(d) < noise && at[id] == 0 {
				d = 0 // not reached yet; the step is a rounding error
			}
			at[id] += d
			if d < -1e-6*at[id] || at[id] > 1e200 || math.IsNaN(d) {
				return false
			}
			if at[id] > 0 {
				worst = max(worst, math.Abs(d)/at[id])
			}
		}
		if worst < OracleTolerance*float64(len(at)) {
			return true
		}
	}
	return false
}

// iterate solves a component by plain iteration from 0.
func (s system) iterate(ctx context.Context, nodes []NodeID, at []float64) bool {
	for range sweeps {
		if ctx.Err() != nil {
			return false
		}
		worst := 0.0
		for _, id := range slices.Backward(nodes) { // children were mostly visited after their parents
			v := s.value(&s.p.Nodes[id], at, id)
			if v > 1e200 || math.IsNaN(v) {
				return false
			}
			if v-at[id] > worst*v {
				worst = (v - at[id]) / v
			}
			at[id] = v
		}
		if worst < OracleTolerance {
			return true
		}
	}
	return false
}
