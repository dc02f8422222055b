package core

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"slices"
)

// The context of a node in a derivation is the derivation without the part below the node. The
// numbers of contexts are the outside numbers of the inside-outside algorithm (Baker 1979), with
// numbers of derivations in place of probabilities. The products of inside and outside numbers
// count the derivations with one place marked, the pointing operator of Flajolet & Sedgewick
// (2009, I.6.2).
//
// Programs number contexts by the step that they leave: by depth the levels left at the node, by
// size the greatest size that the node can have.

// Parent is an edge of a program seen from the child: the node has it as Children[Child].
type Parent struct {
	ID    NodeID
	Child int
}

// Parents returns the edges into every node.
func (p *Program) Parents() [][]Parent {
	up := make([][]Parent, len(p.Nodes))
	for id := range p.Nodes {
		for i, child := range p.Nodes[id].Children {
			up[child] = append(up[child], Parent{NodeID(id), i})
		}
	}
	return up
}

// Sibling returns the other part of a product.
func (n *Node) Sibling(child int) NodeID { return n.Children[1-child] }

// below describes how the contexts of a node make some of its child's.
type below struct {
	Parent
	child, sibling NodeID // without a product: no sibling
	at, to         int    // the step left at the node, and at its child beside the least sibling
	least, most    int    // steps of the sibling
}

// steps lists the steps left at the child, with the sibling's step for each.
func (b *below) steps(yield func(to, beside int) bool) {
	for k := b.least; k <= b.most && yield(b.to+b.least-k, k); k++ {
	}
}

// descend passes the contexts of every node that leave at most most on to its children, after all
// contexts that they are made of. live reports whether a node has some. The error is the
// context's.
func (p *Program) descend(ctx context.Context, most int, live func(id NodeID, left int) bool, pass func(*below)) error {
	for left := most; left >= 0; left-- {
		for at, id := range slices.Backward(p.order) {
			if at&0xff == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			if !live(id, left) {
				continue
			}
			n := &p.Nodes[id]
			for i, child := range n.Children {
				b := below{Parent: Parent{id, i}, child: child, at: left, to: left}
				switch {
				case n.Op == Call:
					b.to = p.Back(n, left)
				case n.Op == Prod && p.ByDepth():
					b.sibling, b.least, b.most = n.Sibling(i), left, left
				case n.Op == Prod:
					b.sibling, b.most = n.Sibling(i), left
				}
				if b.to >= 0 {
					pass(&b)
				}
			}
		}
	}
	return nil
}

// Outside holds exact numbers of contexts. It is immutable and safe for concurrent use.
type Outside struct {
	byDepth bool
	counts  [][]*big.Int // [left][node]; nil is 0
}

// NewOutside counts the contexts of every node within the derivations of the start up to the
// table's bound. It costs about twice as much as the table. Errors: [MemoryError], the context's.
func NewOutside(ctx context.Context, t *Table) (*Outside, error) {
	p, most := t.program, t.max
	each := 8 + bigOverhead + float64(t.total.BitLen())/8 // no number is above the total
	if err := p.Budget.Ask("exact numbers of contexts", each*float64(len(p.Nodes))*float64(most+1)); err != nil {
		return nil, err
	}
	o := &Outside{p.ByDepth(), make([][]*big.Int, most+1)}
	for i := range o.counts {
		o.counts[i] = make([]*big.Int, len(p.Nodes))
	}
	o.counts[most][p.Root] = big.NewInt(1)
	live := func(id NodeID, left int) bool { return o.counts[left][id] != nil }
	return o, p.descend(ctx, most, live, func(b *below) {
		w := o.counts[b.at][b.ID]
		for to, beside := range b.steps {
			term := w
			if b.sibling != None {
				term = mul(w, t.counts[beside][t.class[b.sibling]])
			}
			if sum := o.counts[to][b.child]; sum != nil && term != nil {
				term = new(big.Int).Add(term, sum)
			}
			if term != nil {
				o.counts[to][b.child] = term
			}
		}
	})
}

// Count returns the number of contexts of a node: of a size, or by depth with at levels left. The
// caller must not change it.
func (o *Outside) Count(id NodeID, at int) *big.Int {
	if !o.byDepth {
		at = len(o.counts) - 1 - at
	}
	if at >= 0 && at < len(o.counts) && o.counts[at][id] != nil {
		return o.counts[at][id]
	}
	return zero
}

// FloatsOutside holds the numbers of an [Outside] by size as float64, scaled as those of
// its Floats, with a proven bound on the relative error. Memory is 16 bytes for a node and
// size.
type FloatsOutside struct {
	f *Floats
	w [][]outsideCell // [node][left]
}

// outsideCell is a scaled number, and the greatest number of roundings of its terms.
type outsideCell struct {
	w         float64
	roundings int64
}

// NewFloatsOutside computes the numbers for all sizes up to f.Max, in about four times
// the time of f. Errors: [MemoryError], the context's.
func NewFloatsOutside(ctx context.Context, f *Floats) (*FloatsOutside, error) {
	p := f.Program
	if err := p.Budget.Ask(fmt.Sprintf("numbers of contexts of the sizes up to %d", f.Max), 16*float64(len(p.Nodes))*(float64(f.Max)+1)); err != nil {
		return nil, err
	}
	o := &FloatsOutside{f: f, w: make([][]outsideCell, len(p.Nodes))}
	all := make([]outsideCell, len(p.Nodes)*(f.Max+1))
	for id := range o.w {
		o.w[id] = all[id*(f.Max+1) : (id+1)*(f.Max+1)]
	}
	o.w[p.Root][f.Max].w = 1
	powers := f.powers()
	live := func(id NodeID, left int) bool { return o.w[id][left].w != 0 }
	return o, p.descend(ctx, f.Max, live, func(b *below) {
		if b.sibling != None {
			least, most := f.Sizes(b.sibling)
			b.to, b.least, b.most = b.at-least, least, min(most, b.at)
		}
		from, into := o.w[b.ID][b.at], o.w[b.child]
		for to, beside := range b.steps {
			term := from
			switch {
			case b.sibling != None && !f.Has(b.sibling, beside):
				continue
			case b.sibling != None:
				term.w *= f.w[b.sibling][beside]
				term.roundings += f.roundings(b.sibling, beside) + 1
			case to < b.at:
				term.w *= powers[b.at-to] // which has one rounding for each size
				term.roundings += int64(b.at-to) + 1
			}
			sum := &into[to]
			sum.w += max(term.w, math.SmallestNonzeroFloat64) // too low to be trusted, but not 0
			sum.roundings = max(sum.roundings, term.roundings) + 1
		}
	})
}

func (o *FloatsOutside) cell(id NodeID, size int) *outsideCell { return &o.w[id][o.f.Max-size] }

// At returns the scaled number of contexts of a node of a size.
func (o *FloatsOutside) At(id NodeID, size int) float64 { return o.cell(id, size).w }

// Error bounds the relative error of a number, given roundings made after it was read; 1 means
// that it is unknown.
func (o *FloatsOutside) Error(id NodeID, size, more int) float64 {
	c := o.cell(id, size)
	if o.f.cut || c.w < tiny {
		return 1
	}
	return gamma(c.roundings + int64(more))
}

// WrapNode is a node for a wrap of the automaton around an expression.
type WrapNode struct {
	ID   NodeID
	Wrap Wrap
	Expr int   // the expression's ID
	In   State // of the wrap's component, before it
}

// WrapNodes lists the nodes of all wraps, by ID: each time a derivation enters a wrapped
// expression, it goes through one of them.
func (p *Program) WrapNodes() []WrapNode {
	var list []WrapNode
	for k, id := range p.between {
		if p.base.Nodes[k.id].Op == wrapped {
			w := p.base.wrapOf(k.id)
			list = append(list, WrapNode{id, w, p.base.keys[k.id].Expr.ID, p.Automaton.Space().Part(k.in, w.Component)})
		}
	}
	slices.SortFunc(list, func(a, b WrapNode) int { return int(a.ID - b.ID) })
	return list
}
