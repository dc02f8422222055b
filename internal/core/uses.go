package core

import (
	"context"
	"math/big"
	"slices"

	"github.com/gramfuzz/gramfuzz/grammar"
)

// Uses holds averages over derivations, each within a bound being equally likely (or
// each size as likely as it was said).
type Uses struct {
	// Alternatives is how often each alternative is taken, by
	// grammar.Expr.FirstAlt and its index. Inside of tokens that are leaves
	// nothing is counted.
	Alternatives []float64
	Terminals    float64
	Bytes        float64 // of the text
}

// Alternatives reports, by grammar.Expr.FirstAlt and index, which alternatives
// the program has: those that some derivation of the start takes, of whatever
// size, outside of tokens that are leaves.
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
// depth. It costs time linear in the table. (It is the outside algorithm of
// Baker 1979, with numbers of derivations in place of probabilities.)
func (t *Table) Uses(ctx context.Context) (*Uses, error) {
	u, err := newFlow(t.program, t.max)
	if err != nil {
		return nil, err
	}
	u.at[t.max][t.program.Root] = 1
	u.ratio = func(child, parent NodeID, step int) float64 {
		var a, b big.Float
		a.SetInt(t.Count(child, step))
		b.SetInt(t.Count(parent, step))
		if b.Sign() == 0 {
			return 0
		}
		r, _ := a.Quo(&a, &b).Float64()
		return r
	}
	return u.run(ctx)
}

// Uses returns the average of derivations by size, size n having the probability
// weight[n]; sizes beyond Max are left out. It costs time as building f did.
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
	u.ratio = func(child, parent NodeID, step int) float64 {
		if f.At(parent, step) == 0 {
			return 0
		}
		return f.At(child, step) / f.At(parent, step)
	}
	u.split = f
	return u.run(ctx)
}

// flow carries how often each node is derived from the root down.
type flow struct {
	p     *Program
	at    [][]float64 // [step][node]
	ratio func(child, parent NodeID, step int) float64
	split *Floats // by size: the numbers of the parts of products
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

// run visits every node after all that it can be a part of.
func (u *flow) run(ctx context.Context) (*Uses, error) {
	for step := len(u.at) - 1; step >= 0; step-- {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for _, id := range slices.Backward(u.p.order) {
			if v := u.at[step][id]; v > 0 {
				u.visit(id, step, v)
			}
		}
	}
	return u.uses, nil
}

// visit passes the flow v into a node on to its children.
func (u *flow) visit(id NodeID, step int, v float64) {
	node := &u.p.Nodes[id]
	switch node.Op {
	case Leaf:
		u.leaf(node, step, v)
	case Call:
		if at := u.p.Back(node, step); at >= 0 {
			u.at[at][node.Children[0]] += v
		}
	case Union:
		for i, child := range node.Children {
			w := v * u.ratio(child, id, step)
			u.at[step][child] += w
			if node.Values != nil && node.Expr != nil && node.Expr.Op == grammar.Choice {
				u.uses.Alternatives[node.Expr.FirstAlt+node.Values[i]] += w
			}
		}
	case Prod:
		u.product(node, id, step, v)
	}
}

func (u *flow) product(node *Node, id NodeID, step int, v float64) {
	a, b := node.Children[0], node.Children[1]
	if u.split == nil {
		u.at[step][a] += v
		u.at[step][b] += v
		return
	}
	// The numbers are scaled alike on both sides, so that their scale goes.
	all := u.split.At(id, step)
	if all == 0 {
		return
	}
	left, right := u.split.Row(a), u.split.Row(b)
	for n := range step + 1 {
		if w := left[n] * right[step-n]; w > 0 {
			w *= v / all
			u.at[n][a] += w
			u.at[step-n][b] += w
		}
	}
}

func (u *flow) leaf(node *Node, step int, v float64) {
	if node.Expr == nil || node.Effect > OwnLeaf || node.Expr.Op == grammar.Lit && node.Expr.Text == "" {
		return // no text: a leaf with nothing but an effect is no terminal
	}
	u.uses.Terminals += v
	if u.p.Unit == grammar.Bytes && !u.p.ByDepth() {
		u.uses.Bytes += v * float64(step) // here a leaf's size is its length
		return
	}
	u.uses.Bytes += v * u.p.leafBytes(node)
}
