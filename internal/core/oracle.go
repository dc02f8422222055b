package core

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/gramfuzz/gramfuzz/internal/base/graphs"
)

// Oracle holds, for every node, the value of its generating function at one point x: the sum over
// its derivations of x^size. Sampling that takes every child in proportion to these values gives
// each derivation of size n a weight of xⁿ (Duchon, Flajolet, Louchard & Schaeffer 2004).
//
// The values solve a system of positive equations in float64, to a relative tolerance of
// [OracleTolerance]: they are approximate and certify nothing.
type Oracle struct {
	X     float64
	Mean  float64 // the mean size of a derivation of the start rule
	Value []float64
}

// OracleTolerance is the relative change at which the iteration stops.
const OracleTolerance = 1e-13

// ErrNoOracle says that no point has the demanded mean.
var ErrNoOracle = errors.New("no Boltzmann parameter gives sentences of that mean size; take another mean or strategy")

// NewOracle finds the point at which derivations of the start rule have the given mean size, by
// bisection, within 0.1 %. If the mean stays below it up to the singularity, it takes the point
// next to the singularity.
//
// Each of about fifty points costs a dozen sparse eliminations for each strongly connected
// component, at the most cubic in its nodes. The other errors are [MemoryError] and the
// context's.
func NewOracle(ctx context.Context, p *Program, mean float64) (*Oracle, error) {
	if err := p.Budget.Ask("values of generating functions", 8*(10*float64(len(p.Nodes))+newtonNodes*newtonNodes)); err != nil {
		return nil, err
	}
	for id := range p.Nodes {
		if n := &p.Nodes[id]; n.Rule != nil {
			return nil, fmt.Errorf("%v: strategy boltzmann does not know parts that add bytes by their size; take another strategy", n.Expr.Pos)
		}
	}
	components := graphs.Components(len(p.Nodes), func(id NodeID) []NodeID { return p.Nodes[id].Children })
	lo, hi := 0.0, 1.0
	for range 60 { // a grammar with finitely many sentences has a value everywhere
		o, err := p.oracleAt(ctx, hi, components)
		if err != nil {
			return nil, err
		}
		if o == nil || o.Mean >= mean {
			break
		}
		lo, hi = hi, hi*2
	}
	var best *Oracle
	for range 90 {
		x := (lo + hi) / 2
		o, err := p.oracleAt(ctx, x, components)
		if err != nil {
			return nil, err
		}
		if o == nil || o.Mean > mean {
			hi = x
		} else {
			lo, best = x, o
		}
		if best != nil && best.Mean > mean*0.999 || hi-lo < hi*1e-15 {
			break
		}
	}
	if best == nil {
		return nil, ErrNoOracle
	}
	return best, nil
}

// oracleAt evaluates the generating functions at x; nil if they do not converge. The error is the
// context's.
func (p *Program) oracleAt(ctx context.Context, x float64, components [][]NodeID) (*Oracle, error) {
	fixed := make([]float64, len(p.Nodes)) // leaves: value; calls: factor
	sizes := make([]float64, len(p.Nodes)) // leaves: mean size; calls: units added
	for id := range p.Nodes {
		node := &p.Nodes[id]
		for _, w := range node.Ways {
			v := float64(w.N) * math.Pow(x, float64(w.Size))
			fixed[id] += v
			sizes[id] += float64(w.Size) * v
		}
		switch {
		case node.Op == Call:
			fixed[id], sizes[id] = math.Pow(x, float64(node.Size)), float64(node.Size)
		case fixed[id] > 0:
			sizes[id] /= fixed[id]
		}
	}
	values := system{p: p, value: func(node *Node, at []float64, id NodeID) float64 {
		switch node.Op {
		case Leaf:
			return fixed[id]
		case Call:
			return at[node.Children[0]] * fixed[id]
		case Prod:
			return at[node.Children[0]] * at[node.Children[1]]
		}
		total := 0.0
		for _, k := range node.Children {
			total += at[k]
		}
		return total
	}, slope: func(node *Node, at []float64, id NodeID, child int) float64 {
		switch node.Op {
		case Call:
			return fixed[id]
		case Prod:
			return at[node.Children[1-child]]
		}
		return 1
	}}
	value, err := values.solve(ctx, components)
	if err != nil || value[p.Root] == 0 {
		return nil, ctx.Err()
	}
	// The mean size of a node is the mean of its cases, weighted by their values.
	share := func(node *Node, id NodeID, child int) float64 {
		if node.Op != Union {
			return 1
		}
		return value[node.Children[child]] / value[id]
	}
	means := system{p: p, value: func(node *Node, at []float64, id NodeID) float64 {
		if value[id] == 0 {
			return 0
		}
		total := sizes[id]
		for i, k := range node.Children {
			total += at[k] * share(node, id, i)
		}
		return total
	}, slope: func(node *Node, _ []float64, id NodeID, child int) float64 {
		if value[id] == 0 {
			return 0
		}
		return share(node, id, child)
	}}
	mean, err := means.solve(ctx, components)
	if err != nil {
		return nil, ctx.Err()
	}
	return &Oracle{X: x, Mean: mean[p.Root], Value: value}, nil
}
