package core

import (
	"context"
	"math/big"
)

// Table holds exact numbers of derivations of every node of a program, for every
// depth or size up to a greatest one.
//
// By depth, the number of a node at d counts its derivations of height at most d; by
// size, its number at n those of exactly n of the unit.
//
// A Table is immutable and may be used by any number of goroutines.
type Table struct {
	program  *Program
	min, max int          // sizes; by depth both are the depth
	counts   [][]*big.Int // [step][node]; nil is 0
	total    *big.Int     // of the start at the steps from min to max
}

var one = big.NewInt(1)
var zero = new(big.Int)

// NewTable fills a table for sizes up to max, or for depths where min is max. It
// costs, with P products in the program, P·depth multiplications by depth and P·max²/2
// by size. Progress, which may be nil, is told the part that is done. Errors:
// [MemoryError], the context's.
func NewTable(ctx context.Context, p *Program, min, max int, progress func(done float64)) (*Table, error) {
	if err := p.Ask(max); err != nil {
		return nil, err
	}
	t := &Table{program: p, min: min, max: max, total: new(big.Int)}
	fill := t.fillSizes
	if p.ByDepth() {
		fill = t.fillDepths
	}
	if err := fill(ctx, progress); err != nil {
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
	if c := t.counts[step][id]; c != nil {
		return c
	}
	return zero
}

// fillDepths computes the numbers for every depth from 0 to the bound.
func (t *Table) fillDepths(ctx context.Context, progress func(float64)) error {
	p := t.program
	for d := 0; d <= t.max; d++ {
		row := make([]*big.Int, len(p.Nodes))
		var before []*big.Int
		if d > 0 {
			before = t.counts[d-1]
		}
		for i, id := range p.order {
			if i&0xff == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			row[id] = depthCount(&p.Nodes[id], row, before)
			if before != nil && before[id] != nil && row[id] != nil && before[id].Cmp(row[id]) == 0 {
				row[id] = before[id] // grown out: one number serves all deeper rows
			}
		}
		t.counts = append(t.counts, row)
		if progress != nil {
			progress(float64(d+1) / float64(t.max+1))
		}
	}
	return nil
}

// depthCount returns the number of a node from those of its children; nil for 0.
func depthCount(n *Node, row, before []*big.Int) *big.Int {
	switch n.Op {
	case Leaf:
		return big.NewInt(int64(n.total()))
	case Call:
		switch {
		case n.Level == 0:
			return row[n.Children[0]]
		case before == nil:
			return nil
		}
		return before[n.Children[0]]
	case Prod:
		return mul(row[n.Children[0]], row[n.Children[1]])
	}
	return sum(n.Children, row)
}

func (n *Node) total() int {
	total := 0
	for _, w := range n.Ways {
		total += w.N
	}
	return total
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
func sum(children []NodeID, row []*big.Int) *big.Int {
	var first, total *big.Int
	for _, k := range children {
		switch c := row[k]; {
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

// fillSizes computes the numbers for every size from 0 to the bound.
func (t *Table) fillSizes(ctx context.Context, progress func(float64)) error {
	p := t.program
	var product big.Int
	for n := 0; n <= t.max; n++ {
		row := make([]*big.Int, len(p.Nodes))
		t.counts = append(t.counts, row)
		for i, id := range p.order {
			if i&0x3f == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			row[id] = t.sizeCount(&p.Nodes[id], n, &product)
		}
		if progress != nil {
			progress(float64(n+1) * float64(n+1) / float64((t.max+1)*(t.max+1)))
		}
	}
	return nil
}

// sizeCount returns the number of a node at size n from those before it.
func (t *Table) sizeCount(node *Node, n int, product *big.Int) *big.Int {
	switch node.Op {
	case Leaf:
		for _, w := range node.Ways {
			if w.Size == n {
				return big.NewInt(int64(w.N))
			}
		}
		return nil
	case Call:
		if n < node.Size {
			return nil
		}
		return t.counts[n-node.Size][node.Children[0]]
	case Prod:
		return t.convolve(node.Children[0], node.Children[1], n, product)
	}
	return sum(node.Children, t.counts[n])
}

// convolve returns the sum over k of a(k)·b(n-k); nil for 0.
func (t *Table) convolve(a, b NodeID, n int, product *big.Int) *big.Int {
	var total *big.Int
	ways := t.program.Nodes[a].Ways
	if t.program.Nodes[a].Op != Leaf {
		for k := range n + 1 {
			x, y := t.counts[k][a], t.counts[n-k][b]
			if x == nil || y == nil {
				continue
			}
			if total == nil {
				total = new(big.Int).Mul(x, y)
				continue
			}
			total.Add(total, product.Mul(x, y))
		}
		return total
	}
	for _, w := range ways { // a terminal has a handful of sizes: no scan
		if w.Size > n || t.counts[n-w.Size][b] == nil {
			continue
		}
		y := t.counts[n-w.Size][b]
		if total == nil && w.N == 1 && len(ways) == 1 {
			return y
		}
		if total == nil {
			total = new(big.Int)
		}
		total.Add(total, product.Mul(product.SetInt64(int64(w.N)), y))
	}
	return total
}
