package count

import (
	"context"
	"math/big"
)

// fillDepths computes the numbers for every depth from 0 to the bound.
func (t *Table) fillDepths(ctx context.Context, progress func(float64)) error {
	p := t.Program
	for d := 0; d <= t.Bound.Depth; d++ {
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
			progress(float64(d+1) / float64(t.Bound.Depth+1))
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
	p := t.Program
	var product big.Int
	for n := 0; n <= t.Bound.Max; n++ {
		row := make([]*big.Int, len(p.Nodes))
		t.counts = append(t.counts, row)
		for i, id := range p.order {
			if i&0x3f == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			row[id] = t.sizeCount(&p.Nodes[id], n, &product)
		}
		if progress != nil {
			progress(float64(n+1) * float64(n+1) / float64((t.Bound.Max+1)*(t.Bound.Max+1)))
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
	ways := t.Program.Nodes[a].Ways
	if t.Program.Nodes[a].Op != Leaf {
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
