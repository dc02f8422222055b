package fastdraw

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"sync"

	"github.com/gramfuzz/gramfuzz/internal/core"
)

// Numbers gives the number of derivations of a program's nodes by step: a size, or a depth.
// [Exact] and [Approximate] return implementations.
type Numbers interface {
	// small returns the exact number if it is at most limit, and reports whether it is.
	small(id core.NodeID, step, limit int) (int, bool)
	// has reports whether there is a derivation.
	has(id core.NodeID, step int) bool
	// within returns bounds on the step of the first of two parts in a product by size.
	within(a, b core.NodeID, step int) (first, last int)
	// exact returns the exact number, making the necessary tables.
	exact(id core.NodeID, step int) (*big.Int, error)
}

// Exact returns the numbers of a table.
func Exact(t *core.Table) Numbers { return tableNumbers{t} }

type tableNumbers struct{ t *core.Table }

func (n tableNumbers) small(id core.NodeID, step, limit int) (int, bool) {
	c := n.t.Count(id, step)
	if c.BitLen() > 31 || int(c.Int64()) > limit {
		return 0, false
	}
	return int(c.Int64()), true
}

func (n tableNumbers) has(id core.NodeID, step int) bool { return n.t.Count(id, step).Sign() > 0 }

func (n tableNumbers) within(_, _ core.NodeID, step int) (first, last int) { return 0, step }

func (n tableNumbers) exact(id core.NodeID, step int) (*big.Int, error) {
	return n.t.Count(id, step), nil
}

// floatNumbers are numbers by size with a proven error bound. Draws within the error are
// decided by an exact table, made when it is first needed.
type floatNumbers struct {
	f    *core.Floats
	bits int // if positive: round to so many bits, to test that precision changes nothing

	onceDoubles sync.Once
	double      *core.Doubles
	err2        error

	once  sync.Once
	table *core.Table
	err   error
}

// Approximate returns numbers by size with an error bound. Draws within the error are decided
// by more precise numbers, in the end exact ones, made when they are first needed. With bits >
// 0 the numbers are rounded to so many bits, which changes no draw.
func Approximate(f *core.Floats, bits int) Numbers { return &floatNumbers{f: f, bits: bits} }

func (n *floatNumbers) small(id core.NodeID, step, limit int) (int, bool) {
	return n.f.Small(id, step, limit)
}

func (n *floatNumbers) has(id core.NodeID, step int) bool { return n.f.Has(id, step) }

func (n *floatNumbers) within(a, b core.NodeID, step int) (first, last int) {
	return n.f.Within(a, b, step)
}

// at returns a scaled number and a bound on its relative error that allows for two more
// roundings.
func (n *floatNumbers) at(id core.NodeID, step int) (v, e float64) {
	v, e = n.f.At(id, step), n.f.Error(id, step, 2)
	if n.bits == 0 {
		return v, e
	}
	frac, exp := math.Frexp(v)
	scale := math.Ldexp(1, n.bits)
	return math.Ldexp(math.Round(frac*scale)/scale, exp), e + 2/scale
}

// value returns a scaled number, rounded as at does.
func (n *floatNumbers) value(id core.NodeID, step int) float64 {
	v := n.f.At(id, step)
	if n.bits > 0 {
		v, _ = n.at(id, step)
	}
	return v
}

// splitError bounds the relative error of the product of two numbers, of any
// sum of such products of size n, and of the number of the whole node.
func (n *floatNumbers) splitError(id, a, b core.NodeID, size int) float64 {
	e := max(n.f.SplitError(a, b, size, size+8), n.f.Error(id, size, 2))
	if n.bits > 0 {
		e += 6 / math.Ldexp(1, n.bits)
	}
	return e
}

// branches returns the thresholds that divide 0 … 2^64 by the shares of the outcomes of a
// step, as precisely as the numbers allow.
func (n *floatNumbers) branches(e *outcomes, step int, weights []float64, list []branch) ([]float64, []branch) {
	weights, list = weights[:0], list[:0]
	worst := 0.0
	total := 0.0
	for i := range e.list {
		w, err, consumed := 1.0, 0.0, step
		for _, p := range e.of(&e.list[i]) {
			if p.kind == pieceItem {
				v, off := n.at(p.id, int(p.step))
				w *= v
				err += off
				consumed -= int(p.step)
			}
		}
		w *= n.f.Power(consumed)
		err += 0x1p-50
		weights = append(weights, w)
		total += w
		worst = max(worst, err)
	}
	// Both a cumulative sum and the total carry the worst error of a weight and a
	// rounding for each addend.
	off := 2.5*worst + 4*float64(len(weights)+4)*0x1p-53
	cum, rest := 0.0, total
	for _, w := range weights[:max(len(weights)-1, 0)] {
		cum += w
		rest = total - cum
		share := cum / total
		// The error of a share is that of the smaller side.
		err := off*min(share, max(rest/total, 0)+4*float64(len(weights))*0x1p-53) + 0x1p-60
		lo, hi := ToDraw(share-err), ToDraw(share+err)
		if !(total > 0) || off > 0.1 {
			lo, hi = 0, math.MaxUint64
		}
		if k := len(list); k > 0 {
			hi = max(hi, list[k-1].hi) // ascending, for the search
		}
		list = append(list, branch{hi, min(lo, hi)})
	}
	return weights, append(list, lastBranch)
}

// ToDraw returns a share as a 64-bit draw.
func ToDraw(share float64) uint64 {
	switch {
	case !(share > 0):
		return 0
	case share >= 1:
		return math.MaxUint64
	}
	return uint64(math.Ldexp(share, 64))
}

func (n *floatNumbers) doubles() (*core.Doubles, error) {
	n.onceDoubles.Do(func() {
		n.double, n.err2 = core.NewDoubles(context.Background(), n.f)
	})
	return n.double, n.err2
}

func (n *floatNumbers) exact(it core.NodeID, step int) (*big.Int, error) {
	n.once.Do(func() {
		p := n.f.Program
		n.table, n.err = core.NewTable(context.Background(), p, 0, n.f.Max, nil)
		if n.err != nil {
			n.err = fmt.Errorf("settling a draw: %w", n.err)
		}
	})
	if n.err != nil {
		return nil, n.err
	}
	return n.table.Count(it, step), nil
}
