package core

import (
	"context"
	"fmt"
	"math"
	"math/big"
)

// Doubles holds the numbers of a [Floats] in double-double arithmetic, each as the unevaluated
// sum of two float64 (Dekker 1971), with the same scale. It decides draws for which 53 bits are
// too few, and costs about ten times as much.
type Doubles struct {
	f     *Floats
	w     [][]double // [node][size]; nodes of one class share a row
	sizes sizeRanges // by class
	exact *Table     // used instead if no scale keeps the numbers in range
}

// double is hi + lo with |lo| at most half a unit in the last place of hi.
type double struct{ hi, lo float64 }

// doubleUnit bounds the relative error of one addition of numbers of one sign
// or one multiplication (Joldes, Muller & Popescu 2017: 5u² at the most; the
// sloppy addition is as good for operands of one sign).
const doubleUnit = 8 * unit * unit

// NewDoubles computes the numbers of f again. If f knows none, it makes the exact
// table. Errors: [MemoryError], the context's.
func NewDoubles(ctx context.Context, f *Floats) (*Doubles, error) {
	p := f.Program
	if f.cut {
		table, err := NewTable(ctx, p, 0, f.Max, nil)
		return &Doubles{f: f, exact: table}, err
	}
	if err := p.Budget.Ask(fmt.Sprintf("numbers in 106 bits of the sizes up to %d", f.Max), 3*f.bytes()); err != nil {
		return nil, err
	}
	d := &Doubles{f: f, w: make([][]double, len(p.Nodes)), sizes: newSizeRanges(len(f.numbering.nodes), f.Max)}
	rows := make([][]double, len(f.numbering.nodes))
	for class := range rows {
		rows[class] = make([]double, f.Max+1)
	}
	for id, class := range f.numbering.class {
		d.w[id] = rows[class]
	}
	powers := make([]double, f.Max+1)
	powers[0] = double{1, 0}
	for n := 1; n <= f.Max; n++ {
		powers[n] = powers[n-1].times(double{f.Scale, 0})
	}
	for n := range f.Max + 1 {
		for class, id := range f.numbering.nodes {
			if class&0x3f == 0 && ctx.Err() != nil {
				return nil, ctx.Err()
			}
			d.w[id][n] = d.at(&p.Nodes[id], n, powers)
			if d.w[id][n].hi != 0 {
				d.sizes.occurs(class, n)
			}
		}
	}
	return d, nil
}

func (d *Doubles) at(node *Node, n int, powers []double) double {
	var total double
	switch node.Op {
	case Leaf:
		for _, w := range node.Ways {
			if w.Size == n {
				return powers[n].times(double{float64(w.N), 0})
			}
		}
	case Call:
		if back := d.f.Program.Back(node, n); back >= 0 {
			return d.w[node.Children[0]][back].times(powers[n-back])
		}
	case Prod:
		a, b := d.w[node.Children[0]], d.w[node.Children[1]]
		class := d.f.numbering.class
		first, last := d.sizes.within(int(class[node.Children[0]]), int(class[node.Children[1]]), n)
		for k := first; k <= last; k++ {
			if a[k].hi != 0 && b[n-k].hi != 0 {
				total = total.plus(a[k].times(b[n-k]))
			}
		}
	case Union:
		for _, k := range node.Children {
			total = total.plus(d.w[k][n])
		}
	}
	return total
}

func (x double) plus(y double) double {
	s := x.hi + y.hi
	v := s - x.hi
	e := (x.hi - (s - v)) + (y.hi - v)
	return fast(s, e+x.lo+y.lo)
}

func (x double) times(y double) double {
	p := x.hi * y.hi
	e := math.FMA(x.hi, y.hi, -p)
	return fast(p, e+(x.hi*y.lo+x.lo*y.hi))
}

func fast(a, b float64) double {
	s := a + b
	return double{s, b - (s - a)}
}

// At returns the scaled number of a node and a bound on its relative error. A bound of 1 means
// only that the number is at most twice the returned one.
func (d *Doubles) At(id NodeID, size int) (*big.Float, float64) {
	if d.exact != nil {
		x := new(big.Float).SetPrec(256).SetInt(d.exact.Count(id, size))
		return x.Mul(x, d.Power(size)), 0x1p-200
	}
	v := d.w[id][size]
	switch {
	case !d.f.Has(id, size):
		return new(big.Float), 0
	case v.hi < tiny:
		return big.NewFloat(tiny), 1
	}
	x := new(big.Float).SetPrec(256).SetFloat64(v.hi)
	x.Add(x, new(big.Float).SetFloat64(v.lo))
	// A sum here adds one by one: a product of size n rounds n times, where
	// Floats rounds about blockSum + n/blockSum times.
	m := (float64(d.f.slope*int64(size)+d.f.base[d.f.numbering.class[id]]) + 1) * float64(size+2) * doubleUnit
	if m > 0.5 {
		return x, 1
	}
	return x, 2 * m
}

// Power returns Scale^n, n ≥ 0, to 256 bits.
func (d *Doubles) Power(n int) *big.Float {
	y := new(big.Float).SetPrec(256).SetInt64(1)
	x := new(big.Float).SetPrec(256).SetFloat64(d.f.Scale)
	for ; n > 0; n >>= 1 {
		if n&1 == 1 {
			y.Mul(y, x)
		}
		x.Mul(x, x)
	}
	return y
}
