package sample

import (
	"context"
	"math"
	"sync"

	"github.com/gramfuzz/gramfuzz/internal/core"
)

// floatNumbers are numbers by size with a proven error bound. What they leave
// open is settled by an exact table, made when it is first needed.
type floatNumbers struct {
	f    *core.Floats
	bits int // where positive: round to so many bits, to test that precision changes nothing

	onceDoubles sync.Once
	double      *core.Doubles
	err2        error

	once  sync.Once
	table *core.Table
	err   error
}

func newFloatNumbers(ctx context.Context, p *core.Program, most int, progress func(float64)) (*floatNumbers, error) {
	f, err := core.NewFloats(ctx, p, most, progress)
	if err != nil {
		return nil, err
	}
	return &floatNumbers{f: f}, nil
}

func (n *floatNumbers) small(id core.NodeID, step, limit int) (int, bool) {
	return n.f.Small(id, step, limit)
}

func (n *floatNumbers) has(id core.NodeID, step int) bool { return n.f.Has(id, step) }

// at returns a scaled number and a bound on its relative error, with room for
// two roundings more.
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

// branches returns between which draws the shares of the outcomes of a step divide
// 0 … 2^64, as far as the numbers tell.
func (n *floatNumbers) branches(parts []*outcome, step int) []branch {
	weights := make([]float64, len(parts))
	list := make([]branch, 0, len(parts))
	worst := 0.0
	total := 0.0
	for i, o := range parts {
		w, e, consumed := 1.0, 0.0, step
		for _, p := range o.pieces {
			if p.it.sp != nil {
				v, err := n.at(p.it.id, p.it.step)
				w *= v
				e += err
				consumed -= p.it.step
			}
		}
		w *= math.Pow(n.f.Scale, float64(consumed)) // good to an ulp or two
		e += 0x1p-50
		weights[i] = w
		total += w
		worst = max(worst, e)
	}
	// Both a cumulative sum and the total carry the worst error of a weight and a
	// rounding for each addend.
	e := 2.5*worst + 4*float64(len(weights)+4)*0x1p-53
	cum, rest := 0.0, total
	for _, w := range weights[:max(len(weights)-1, 0)] {
		cum += w
		rest = total - cum
		share := cum / total
		// The error of a share is that of the smaller side.
		err := e*min(share, max(rest/total, 0)+4*float64(len(weights))*0x1p-53) + 0x1p-60
		lo, hi := toDraw(share-err), toDraw(share+err)
		if !(total > 0) || e > 0.1 {
			lo, hi = 0, math.MaxUint64
		}
		if k := len(list); k > 0 {
			hi = max(hi, list[k-1].hi) // ascending, for the search
		}
		list = append(list, branch{hi: hi, lo: min(lo, hi)})
	}
	return append(list, lastBranch)
}

// toDraw returns a share as a 64-bit draw.
func toDraw(share float64) uint64 {
	switch {
	case !(share > 0):
		return 0
	case share >= 1:
		return math.MaxUint64
	}
	return uint64(math.Ldexp(share, 64))
}
