package core

import (
	"context"
	"math/big"
)

// Table holds exact numbers of derivations of every node of a program, for every depth or size up
// to a greatest one.
//
// By depth, the number of a node at d counts its derivations of height at most d; by size, its
// number at n counts those of exactly n units. Nodes of one class (see numbering) share their
// numbers.
//
// A Table is immutable and safe for concurrent use.
type Table struct {
	program  *Program
	min, max int          // sizes; by depth both are the depth
	class    []int32      // of a node
	counts   [][]*big.Int // [step][class]; nil is 0
	sizes    sizeRanges   // by class, while the table is filled
	total    *big.Int     // of the start at the steps from min to max
}

var one = big.NewInt(1)
var zero = new(big.Int)

// NewTable fills a table for sizes up to max, or for depths where min is max. With P products in
// the program it costs P·depth multiplications by depth and P·max²/2 by size. progress, which may
// be nil, is called with the finished fraction. Errors: [MemoryError], the context's.
func NewTable(ctx context.Context, p *Program, min, max int, progress func(done float64)) (*Table, error) {
	if err := p.Ask(max); err != nil {
		return nil, err
	}
	return newTable(ctx, p, min, max, progress)
}

// newTable is NewTable without an estimate of the memory.
func newTable(ctx context.Context, p *Program, min, max int, progress func(done float64)) (*Table, error) {
	t := &Table{program: p, min: min, max: max, class: p.numbering().class, total: new(big.Int)}
	if err := t.fill(ctx, progress); err != nil {
		return nil, err
	}
	for n := min; n <= max; n++ {
		t.total.Add(t.total, t.At(n))
	}
	return t, nil
}

// Program returns the program that the table belongs to.
func (t *Table) Program() *Program { return t.program }

// Steps returns the range of sizes of the total; by depth both are the depth.
func (t *Table) Steps() (min, max int) { return t.min, t.max }

// Total returns the number of derivations of the start in the range of the table. The
// caller must not change it.
func (t *Table) Total() *big.Int { return t.total }

// At returns the number of derivations of the start of height at most step, or of size
// exactly step; 0 beyond the table. The caller must not change it.
func (t *Table) At(step int) *big.Int { return t.Count(t.program.Root, step) }

// Count is [Table.At] for any node.
func (t *Table) Count(id NodeID, step int) *big.Int {
	if step < 0 || step >= len(t.counts) {
		return zero
	}
	if c := t.counts[step][t.class[id]]; c != nil {
		return c
	}
	return zero
}

// fill computes the numbers for every step from 0 to the bound.
func (t *Table) fill(ctx context.Context, progress func(float64)) error {
	p := t.program
	var product big.Int
	used := 0.0
	nodes := p.numbering().nodes
	t.sizes = newSizeRanges(len(nodes), t.max)
	defer func() { t.sizes = sizeRanges{} }()
	for step := 0; step <= t.max; step++ {
		row := make([]*big.Int, len(nodes))
		t.counts = append(t.counts, row)
		for class, id := range nodes {
			if class&0x3f == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			row[class] = t.count(&p.Nodes[id], step, &product)
			if row[class] == nil {
				continue
			}
			t.sizes.occurs(class, step)
			if p.ByDepth() && step > 0 {
				if before := t.counts[step-1][class]; before != nil && before.Cmp(row[class]) == 0 {
					row[class] = before // no longer grows: one number serves all deeper rows
					continue
				}
			}
			if p.owns(id) {
				used += bigOverhead + float64(row[class].BitLen()/8)
			}
		}
		used += 8 * float64(len(row))
		if err := p.Budget.Ask("exact tables", used*7/8); err != nil { // the estimate was far too low
			return err
		}
		if progress != nil {
			done := float64(step+1) / float64(t.max+1)
			if !p.ByDepth() {
				done *= done
			}
			progress(done)
		}
	}
	return nil
}

// count returns the number of a node from those of its children, and, by size, of
// smaller sizes; nil for 0.
func (t *Table) count(n *Node, step int, product *big.Int) *big.Int {
	switch n.Op {
	case Leaf:
		for _, w := range n.Ways {
			if t.program.ByDepth() || w.Size == step {
				return big.NewInt(int64(w.N))
			}
		}
		return nil
	case Call:
		if back := t.program.Back(n, step); back >= 0 {
			return t.counts[back][t.class[n.Children[0]]]
		}
		return nil
	case Prod:
		a, b := t.class[n.Children[0]], t.class[n.Children[1]]
		if t.program.ByDepth() {
			return mul(t.counts[step][a], t.counts[step][b])
		}
		return t.convolve(a, b, step, product)
	}
	return t.sum(n.Children, t.counts[step])
}

func mul(a, b *big.Int) *big.Int {
	switch {
	case a == nil || b == nil:
		return nil
	case a.Cmp(one) == 0:
		return b
	case b.Cmp(one) == 0:
		return a
	}
	return new(big.Int).Mul(a, b)
}

// sum adds the numbers of children, sharing the number where only one is not 0.
func (t *Table) sum(children []NodeID, row []*big.Int) *big.Int {
	var first, total *big.Int
	for _, k := range children {
		switch c := row[t.class[k]]; {
		case c == nil:
		case first == nil:
			first = c
		case total == nil:
			total = new(big.Int).Add(first, c)
		default:
			total.Add(total, c)
		}
	}
	if total == nil {
		return first
	}
	return total
}

// convolve returns the sum over k of a(k)·b(n-k), sharing the number where it has one
// term with a factor 1; nil for 0.
func (t *Table) convolve(a, b int32, n int, product *big.Int) *big.Int {
	var total *big.Int
	own := false // nothing else holds the number
	first, last := t.sizes.within(int(a), int(b), n)
	for k := first; k <= last; k++ {
		switch x, y := t.counts[k][a], t.counts[n-k][b]; {
		case x == nil || y == nil:
		case total == nil:
			total = mul(x, y)
		case own:
			total.Add(total, product.Mul(x, y))
		default:
			total, own = new(big.Int).Add(total, product.Mul(x, y)), true
		}
	}
	return total
}
