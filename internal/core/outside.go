package core

import (
	"context"
	"fmt"
	"iter"
	"math"
	"math/big"
	"slices"
)

// Around a node of a derivation is its context: the derivation without what is below
// the node. The numbers of contexts are the outside numbers of the inside-outside
// algorithm (Baker 1979), with numbers of derivations in place of probabilities. Below a node
// and around it, they count the derivations with one place marked, the pointing operator of
// Flajolet & Sedgewick (2009, I.6.2).
//
// By size a context is told by its own size, that of the derivation without what is below
// the node; by depth by the levels that are left at the node.

// Parent is an edge of a program seen from below: the node has it as Children[Child].
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

// context is the context of a child, made of that of its parent and, in a product,
// of what is beside it: a sibling of size beside.
type contextEdge struct {
	parent, child, sibling NodeID
	from, to, beside       int
}

// contexts lists how contexts within the bound are made of others, each after all that
// it is made of. Has reports whether a node has a derivation at a step, live whether it
// has a context.
func (p *Program) contexts(most int, has, live func(NodeID, int) bool) iter.Seq[contextEdge] {
	return func(yield func(contextEdge) bool) {
		for i := range most + 1 {
			at := i
			if p.ByDepth() {
				at = most - i
			}
			for _, id := range slices.Backward(p.order) {
				if live(id, at) && !p.below(id, at, most, has, yield) {
					return
				}
			}
		}
	}
}

// below lists the contexts that one makes of its children.
func (p *Program) below(id NodeID, at, most int, has func(NodeID, int) bool, yield func(contextEdge) bool) bool {
	n := &p.Nodes[id]
	switch {
	case n.Op == Union:
		for _, child := range n.Children {
			if !yield(contextEdge{id, child, None, at, at, 0}) {
				return false
			}
		}
	case n.Op == Call && p.ByDepth():
		return at < n.Level || yield(contextEdge{id, n.Children[0], None, at, at - n.Level, 0})
	case n.Op == Call:
		return at+n.Size > most || yield(contextEdge{id, n.Children[0], None, at, at + n.Size, 0})
	case n.Op == Prod:
		for i, child := range n.Children {
			sibling := n.Sibling(i)
			if p.ByDepth() {
				if has(sibling, at) && !yield(contextEdge{id, child, sibling, at, at, at}) {
					return false
				}
				continue
			}
			for k := range most - at + 1 {
				if has(sibling, k) && !yield(contextEdge{id, child, sibling, at, at + k, k}) {
					return false
				}
			}
		}
	}
	return true
}

// Outside holds exact numbers of contexts. It is immutable and may be used by any
// number of goroutines.
type Outside struct{ counts [][]*big.Int } // [context][node]; nil is 0

// NewOutside counts the contexts of every node within the derivations of the start up to
// the table's bound. It costs about twice as much as the table. Errors: [MemoryError], the
// context's.
func NewOutside(ctx context.Context, t *Table) (*Outside, error) {
	p, most := t.program, t.max
	each := 8 + bigOverhead + float64(t.total.BitLen())/8 // no number is above the total
	if err := p.Budget.Ask("exact numbers of contexts", each*float64(len(p.Nodes))*float64(most+1)); err != nil {
		return nil, err
	}
	o := &Outside{make([][]*big.Int, most+1)}
	for i := range o.counts {
		o.counts[i] = make([]*big.Int, len(p.Nodes))
	}
	o.counts[p.top(most)][p.Root] = big.NewInt(1)
	has := func(id NodeID, step int) bool { return t.Count(id, step).Sign() > 0 }
	live := func(id NodeID, at int) bool { return o.counts[at][id] != nil }
	visited := 0
	for e := range p.contexts(most, has, live) {
		if visited++; visited&0xffff == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		w := o.counts[e.from][e.parent]
		if e.sibling != None {
			w = new(big.Int).Mul(w, t.Count(e.sibling, e.beside))
		}
		if sum := o.counts[e.to][e.child]; sum != nil {
			w = new(big.Int).Add(w, sum)
		}
		o.counts[e.to][e.child] = w
	}
	return o, nil
}

// top returns the context of the start itself.
func (p *Program) top(most int) int {
	if p.ByDepth() {
		return most
	}
	return 0
}

// Count returns the number of contexts of a node: of a size, or by depth with so many
// levels left. The caller must not change it.
func (o *Outside) Count(id NodeID, at int) *big.Int {
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
	w [][]outsideCell // [node][size]
}

// outsideCell is a scaled number, and how many roundings each of its terms has met at most.
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
	o.w[p.Root][0].w = 1
	powers := f.powers()
	live := func(id NodeID, at int) bool { return o.w[id][at].w != 0 }
	visited := 0
	for e := range p.contexts(f.Max, f.Has, live) {
		if visited++; visited&0xffff == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		term := o.w[e.parent][e.from]
		if e.sibling != None {
			term.w *= f.w[e.sibling][e.beside]
			term.roundings += f.roundings(e.sibling, e.beside) + 1
		} else if e.to > e.from {
			term.w *= powers[e.to-e.from] // which has met a rounding for each size
			term.roundings += int64(e.to-e.from) + 1
		}
		sum := &o.w[e.child][e.to]
		sum.w += max(term.w, math.SmallestNonzeroFloat64) // so low that it is not trusted, but there
		sum.roundings = max(sum.roundings, term.roundings) + 1
	}
	return o, nil
}

// At returns the scaled number of contexts of a node of a size.
func (o *FloatsOutside) At(id NodeID, size int) float64 { return o.w[id][size].w }

// Error bounds the relative error of a number, given roundings made after it was read; 1
// means that nothing is known.
func (o *FloatsOutside) Error(id NodeID, size, more int) float64 {
	c := &o.w[id][size]
	if o.f.cut || c.w < tiny {
		return 1
	}
	return gamma(c.roundings + int64(more))
}

// WrapNode is a node that stands for a wrap of the automaton around an expression.
type WrapNode struct {
	ID   NodeID
	Wrap Wrap
	Expr int   // the expression's ID
	In   State // of the wrap's component, before it
}

// WrapNodes lists the nodes of all wraps, by ID: the derivations that go through an
// expression with a wrap go through one of its nodes each time.
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
