package core

import (
	"context"
	"math/big"

	"github.com/gramfuzz/gramfuzz/grammar"
)

// Uses holds averages over derivations. Within a bound each derivation is equally likely, or
// sizes have the given weights.
type Uses struct {
	// Alternatives is the average use of each alternative, by grammar.Expr.FirstAlt and its
	// index. It does not count the inside of tokens that are leaves.
	Alternatives []float64
	Terminals    float64
	Bytes        float64 // of the text
}

// Alternatives reports, by grammar.Expr.FirstAlt and index, the alternatives that some derivation
// of the start takes, of any size, outside of tokens that are leaves.
func (p *Program) Alternatives() []bool {
	has := make([]bool, p.Grammar.Alts)
	for i := range p.Nodes {
		node := &p.Nodes[i]
		if node.Op == Union && node.Values != nil && node.Expr != nil && node.Expr.Op == grammar.Choice {
			for _, v := range node.Values {
				has[node.Expr.FirstAlt+v] = true
			}
		}
	}
	return has
}

// Uses returns the average of all derivations within the bound of a table of
// depth. It costs time linear in the table.
func (t *Table) Uses(ctx context.Context) (*Uses, error) {
	u, err := newFlow(t.program, t.max)
	if err != nil {
		return nil, err
	}
	if t.At(t.max).Sign() > 0 {
		u.at[t.max][t.program.Root] = 1
	}
	return u.run(ctx, func(b *below) float64 {
		if b.sibling != None || t.program.Nodes[b.ID].Op == Call {
			return 1
		}
		var x, y big.Float
		x.SetInt(t.Count(b.child, b.to))
		y.SetInt(t.Count(b.ID, b.at))
		r, _ := x.Quo(&x, &y).Float64()
		return r
	})
}

// Uses returns the average of derivations by size, size n having the probability weight[n]; sizes
// beyond Max are left out. It costs as much time as building f.
func (f *Floats) Uses(ctx context.Context, weight []float64) (*Uses, error) {
	u, err := newFlow(f.Program, f.Max)
	if err != nil {
		return nil, err
	}
	for n, w := range weight {
		if n <= f.Max && f.Has(f.Program.Root, n) {
			u.at[n][f.Program.Root] = w
		}
	}
	u.parts = f
	return u.run(ctx, func(b *below) float64 {
		switch all := f.w[b.ID][b.at]; {
		case f.Program.Nodes[b.ID].Op == Call:
			return 1
		case all == 0: // lost to underflow
			return 0
		case b.sibling != None:
			return 1 / all // both sides have the same scale, which cancels out
		default:
			return f.w[b.child][b.to] / all
		}
	})
}

// flow propagates the average number of derivations of each node from the root down.
type flow struct {
	p     *Program
	at    [][]float64 // [step][node]
	parts *Floats     // by size: the numbers of the parts of products
	uses  *Uses
}

func newFlow(p *Program, steps int) (*flow, error) {
	if err := p.Budget.Ask("tables of uses", 8*float64(len(p.Nodes))*(float64(steps)+1)); err != nil {
		return nil, err
	}
	u := &flow{p: p, at: make([][]float64, steps+1), uses: &Uses{Alternatives: make([]float64, p.Grammar.Alts)}}
	for i := range u.at {
		u.at[i] = make([]float64, len(p.Nodes))
	}
	return u, nil
}

// run goes down from the steps of the start. share is the average number of times that a
// derivation of a node derives the child, for each derivation of a product's parts.
func (u *flow) run(ctx context.Context, share func(*below) float64) (*Uses, error) {
	live := func(id NodeID, step int) bool { return u.at[step][id] > 0 }
	err := u.p.descend(ctx, len(u.at)-1, live, func(b *below) {
		v := u.at[b.at][b.ID] * share(b)
		if n := &u.p.Nodes[b.ID]; n.Values != nil && n.Expr != nil && n.Expr.Op == grammar.Choice {
			u.uses.Alternatives[n.Expr.FirstAlt+n.Values[b.Child]] += v
		}
		if b.sibling == None || u.parts == nil {
			u.at[b.to][b.child] += v
			return
		}
		child, sibling := u.parts.w[b.child], u.parts.w[b.sibling]
		for to, beside := range b.steps {
			if w := child[to] * sibling[beside]; w > 0 {
				u.at[to][b.child] += v * w
			}
		}
	})
	for id := range u.p.Nodes {
		for step := range u.at {
			if v := u.at[step][id]; v > 0 && u.p.Nodes[id].Op == Leaf {
				u.leaf(&u.p.Nodes[id], step, v)
			}
		}
	}
	return u.uses, err
}

func (u *flow) leaf(node *Node, step int, v float64) {
	if node.Expr == nil || node.Effect > OwnLeaf || node.Expr.Op == grammar.Lit && node.Expr.Text == "" {
		return // no text: a leaf with only an effect is no terminal
	}
	u.uses.Terminals += v
	if u.p.Unit == grammar.Bytes && !u.p.ByDepth() {
		u.uses.Bytes += v * float64(step) // here a leaf's size is its length
		return
	}
	u.uses.Bytes += v * u.p.leafBytes(node, (*Texts).meanLength)
}
