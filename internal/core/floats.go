package core

import (
	"context"
	"fmt"
	"math"
)

// Floats holds the numbers of a [Table] by size as float64, each times Scale^size, with a proven
// bound on the relative error. The scale keeps the numbers of the start rule near 1 where exact
// ones have thousands of digits.
//
// All terms are positive, so errors only add up: a number made by m roundings is off by a factor
// within 1 ± γ(m), γ(m) = m·u/(1-m·u), u = 2^-53 (Higham 2002, lemma 3.1). Roundings bounds m for
// every node and size.
//
// Nodes of one class (see numbering) have one row of numbers. Building costs P·n²/2
// multiplications for P such rows of products of which no part is a terminal, each well below a
// nanosecond. Memory is 8 bytes for a row and size, and 256 bytes more for a row during
// construction.
type Floats struct {
	Program *Program
	Max     int
	Scale   float64

	numbering numbering
	w         [][]float64 // [node][size]; nodes of one class share a row
	sizes     sizeRanges  // by class of the node
	can       [][]bool    // [class of the node][size], set if a number fell so low that 0 could be underflow
	cut       bool        // some were above highest with every scale, and are not known
	slope     int64       // roundings: slope·size + base[class of the node]
	base      []int64
	scales    []float64 // Scale^size, see Power
}

// NewFloats computes the numbers for every size from 0 to max. Errors: [MemoryError], the
// context's.
func NewFloats(ctx context.Context, p *Program, max int, progress func(done float64)) (*Floats, error) {
	f := &Floats{Program: p, Max: max}
	if err := p.Budget.Ask(fmt.Sprintf("numbers of the sizes up to %d", max), f.bytes()); err != nil {
		return nil, err
	}
	f.Scale = p.scale(max)
	cut := false
	for try := 1; ; try++ {
		last, err := f.fill(ctx, highest, cut, progress)
		if err != nil {
			return nil, err
		}
		if last == max {
			break
		}
		cut = last < 0 || try == rescalings
		if !cut {
			// Numbers that grew to highest soon after size last stay well below it at max.
			f.Scale *= math.Pow(10, 200/float64(max)-280/float64(last+1))
		}
	}
	f.scales = make([]float64, max+1)
	for n := range f.scales {
		f.scales[n] = math.Pow(f.Scale, float64(n))
	}
	f.countRoundings()
	if f.cut || f.lowest() {
		var err error
		if f.can, err = p.feasibleClasses(max); err != nil {
			return nil, err
		}
	}
	f.sizes = newSizeRanges(len(f.numbering.nodes), max)
	for class, id := range f.numbering.nodes {
		for n := range max + 1 {
			if f.Has(id, n) {
				f.sizes.occurs(class, n)
			}
		}
	}
	return f, nil
}

// bytes returns the memory of the numbers, in bytes.
func (f *Floats) bytes() float64 {
	classes, sizes := float64(len(f.Program.numbering().nodes)), float64(f.Max)+1
	return 8*classes*sizes + 16*sizes + (2*8*block+2*8)*classes + 24*float64(len(f.Program.Nodes))
}

// highest bounds scaled numbers. A product of two numbers below it can still be
// compared with it.
const highest = 1e280

// rescalings bounds the number of scales tried when numbers get too high.
const rescalings = 6

// scale estimates the radius of convergence of the start rule's generating function, from the
// growth of its numbers at the end of a short table.
func (p *Program) scale(max int) float64 {
	known := min(max, probeSize, 32+max/8) // short compared with the table itself
	scale := 1.0
	for range 4 { // a table that overflows suffices for a better estimate
		f := &Floats{Program: p, Max: known, Scale: scale}
		last := f.fillRough()
		first := last / 2
		for first < last && f.w[p.Root][first] == 0 {
			first++
		}
		for last > first && (f.w[p.Root][last] == 0 || f.w[p.Root][last] > 1e250) {
			last--
		}
		if first >= last {
			return min(scale, 0.5)
		}
		growth := (math.Log2(f.w[p.Root][last]) - math.Log2(f.w[p.Root][first])) / float64(last-first)
		scale *= math.Exp2(-growth)
		if last >= known-known/4 {
			break
		}
	}
	return scale
}

// fillRough computes the numbers until one overflows, and returns the last complete size.
func (f *Floats) fillRough() int {
	last, _ := f.fill(context.Background(), highest, false, nil)
	return last
}

func (f *Floats) powers() []float64 {
	powers := make([]float64, f.Max+1)
	powers[0] = 1
	for n := 1; n <= f.Max; n++ {
		powers[n] = powers[n-1] * f.Scale
	}
	return powers
}

// lowest reports whether some number is so low that a product with it may have
// been lost.
func (f *Floats) lowest() bool {
	powers := f.powers()
	for _, id := range f.numbering.nodes {
		for _, t := range terms(f.Program.Nodes[id].Ways, powers) {
			if t.factor < low {
				return true
			}
		}
		for _, v := range f.w[id] {
			if v != 0 && v < low {
				return true
			}
		}
	}
	return false
}

// low bounds numbers from below so that the product of any two is in range.
const low = 1e-140

// Has reports, exactly, whether a node has a derivation of a size.
func (f *Floats) Has(id NodeID, size int) bool {
	if f.can != nil {
		return f.can[f.numbering.class[id]][size]
	}
	return f.w[id][size] != 0
}

// Sizes returns the least and the greatest size with a derivation of a node; the least is greater
// if there is none.
func (f *Floats) Sizes(id NodeID) (least, most int) {
	class := f.numbering.class[id]
	return f.sizes.least[class], f.sizes.most[class]
}

// Within returns the range of sizes of the first of two nodes in a product of size n.
func (f *Floats) Within(a, b NodeID, n int) (first, last int) {
	return f.sizes.within(int(f.numbering.class[a]), int(f.numbering.class[b]), n)
}

// At returns the scaled number of a node at a size.
func (f *Floats) At(id NodeID, size int) float64 { return f.w[id][size] }

// Power returns Scale^size, accurate to a few units in the last place.
func (f *Floats) Power(size int) float64 { return f.scales[size] }

// unit is the unit roundoff of float64.
const unit = 1.0 / (1 << 53)

// tiny bounds trusted scaled numbers from below: in smaller ones, products may have been lost to
// underflow.
const tiny = 1e-250

// Error bounds the relative error of a number, given roundings made after it was read; 1 means
// that it is unknown.
func (f *Floats) Error(id NodeID, size, more int) float64 {
	if f.cut || f.w[id][size] < tiny {
		return 1
	}
	return gamma(f.roundings(id, size) + int64(more))
}

// roundings bounds the number of roundings behind a number.
func (f *Floats) roundings(id NodeID, size int) int64 {
	return f.slope*int64(size) + f.base[f.numbering.class[id]]
}

// SplitError bounds the relative error of the product of the numbers of two nodes whose sizes add
// up to size, given roundings made after that; 1 means that it is unknown.
func (f *Floats) SplitError(a, b NodeID, size, more int) float64 {
	if f.cut {
		return 1
	}
	return gamma(f.slope*int64(size) + f.base[f.numbering.class[a]] + f.base[f.numbering.class[b]] + 1 + int64(more))
}

// gamma is the relative error of m roundings; 1 means that it is unknown.
func gamma(m int64) float64 {
	e := float64(m) * unit
	if e >= 0.5 {
		return 1
	}
	return e / (1 - e)
}

// Small returns the exact number if it is provably at most limit.
func (f *Floats) Small(id NodeID, size, limit int) (int, bool) {
	v := f.w[id][size] / f.scales[size]
	if f.cut || !(v <= float64(limit)) {
		return 0, false
	}
	// 64 roundings cover those of the scale and of the division.
	if e := f.Error(id, size, 64); v*e > 0.25 {
		return 0, false
	}
	return int(math.Round(v)), true
}

// countRoundings finds slope and base such that slope·size + base[node] bounds
// the roundings behind every number. They solve, over the nodes with a
// derivation, base(sum) ≥ base(child) + children, base(product) ≥ base(a) + base(b) + s,
// base(call) ≥ base(child) + 2 - slope·size; a steep enough slope pays for recursion
// by what it consumes, so the slope is doubled until a solution exists.
func (f *Floats) countRoundings() {
	perProduct := roundings(f.Max)
	rounds := 16
	for f.slope = perProduct; ; f.slope *= 2 {
		f.base = f.solve(perProduct, rounds)
		if f.base != nil {
			return
		}
		if f.slope > 1<<40 {
			break // cannot happen: every cycle consumes
		}
		rounds = min(2*rounds, len(f.numbering.nodes)+2)
	}
	f.base = make([]int64, len(f.numbering.nodes))
	f.slope = 1 << 40
}

const noBase = math.MinInt64 / 4

// mostBase ends the search: a base that reaches it grows without end, and would give a useless
// bound.
const mostBase = 1 << 50

// solve returns the least solution, or nil if the given number of rounds does not find it.
func (f *Floats) solve(perProduct int64, rounds int) []int64 {
	p := f.Program
	base := make([]int64, len(f.numbering.nodes))
	for id := range base {
		base[id] = noBase
	}
	for range rounds {
		changed := false
		for class, id := range f.numbering.nodes {
			if b := f.need(&p.Nodes[id], base, perProduct); b > base[class] {
				if b > mostBase {
					return nil
				}
				base[class], changed = b, true
			}
		}
		if !changed {
			return base
		}
	}
	return nil
}

func (f *Floats) need(node *Node, base []int64, perProduct int64) int64 {
	class := f.numbering.class
	switch node.Op {
	case Leaf:
		need := int64(noBase)
		for _, w := range node.Ways { // powers[size] took size roundings, the product one
			need = max(need, int64(w.Size)+1-f.slope*int64(w.Size))
		}
		return need
	case Call:
		if k := base[class[node.Children[0]]]; k > noBase {
			// The slope, which is more than 1, pays for the bytes that a part adds by its size.
			return k + int64(node.Size) + 2 - f.slope*int64(node.Size)
		}
		return noBase
	case Prod:
		a, b := base[class[node.Children[0]]], base[class[node.Children[1]]]
		if a == noBase || b == noBase {
			return noBase
		}
		return a + b + perProduct
	}
	need := int64(noBase)
	for _, k := range node.Children {
		if base[class[k]] > noBase {
			need = max(need, base[class[k]]+int64(len(node.Children)))
		}
	}
	return need
}
