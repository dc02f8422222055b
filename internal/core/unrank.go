package core

import (
	"math/big"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/scope"
)

// Unrank returns the choices of a derivation of one node at a depth or size. The
// rank is from 0 to below Count(id, step); the caller must leave it alone afterwards.
// It costs time linear in the derivation, and by size in its elements' sizes, times
// the length of the numbers.
func (t *Table) Unrank(id NodeID, step int, rank *big.Int) []int {
	u := unranking{t: t, stack: []task{{id, step, rank}}}
	for len(u.stack) > 0 {
		k := u.stack[len(u.stack)-1]
		u.stack = u.stack[:len(u.stack)-1]
		u.step(k)
	}
	return u.choices
}

// task is a node of which the derivation with a rank is to be written down.
type task struct {
	id   NodeID
	step int
	rank *big.Int
}

type unranking struct {
	t       *Table
	stack   []task
	choices []int
}

func (u *unranking) step(k task) {
	t, node := u.t, &u.t.program.Nodes[k.id]
	switch node.Op {
	case Leaf:
		u.choices = t.program.leafChoices(u.choices, node, k.step, int(k.rank.Int64()))
	case Call:
		back := node.Size
		if t.program.byDepth {
			back = node.Level
		}
		u.stack = append(u.stack, task{node.Children[0], k.step - back, k.rank})
	case Prod:
		a, b := u.split(node, k)
		u.stack = append(u.stack, b, a)
	case Union:
		for i, child := range node.Children {
			c := t.Count(child, k.step)
			if k.rank.Cmp(c) < 0 {
				if node.Values != nil {
					u.choices = append(u.choices, node.Values[i])
				}
				u.stack = append(u.stack, task{child, k.step, k.rank})
				return
			}
			k.rank.Sub(k.rank, c)
		}
	}
}

// split divides the rank of a product into those of its two parts; the first
// part is the more significant.
func (u *unranking) split(node *Node, k task) (a, b task) {
	t := u.t
	x, y := node.Children[0], node.Children[1]
	if t.program.byDepth {
		q, r := new(big.Int).QuoRem(k.rank, t.Count(y, k.step), new(big.Int))
		return task{x, k.step, q}, task{y, k.step, r}
	}
	var part big.Int
	for n := 0; ; n++ {
		cx, cy := t.Count(x, n), t.Count(y, k.step-n)
		if cx.Sign() == 0 || cy.Sign() == 0 {
			continue
		}
		part.Mul(cx, cy)
		if k.rank.Cmp(&part) < 0 {
			q, r := new(big.Int).QuoRem(k.rank, cy, new(big.Int))
			return task{x, n, q}, task{y, k.step - n, r}
		}
		k.rank.Sub(k.rank, &part)
	}
}

// leafChoices appends the choices of way i of a terminal with the given size.
func (p *Program) leafChoices(choices []int, node *Node, size, i int) []int {
	switch {
	case node.Effect == TakeName && p.kind(node.Expr) != scope.Same:
		return append(choices, node.First+i)
	case node.Expr == nil || node.Effect != NoEffect || node.Expr.Op == grammar.Lit:
		return choices
	case node.Expr.Op == grammar.Class:
		return append(choices, p.Member(node.Expr, size, i))
	}
	texts := p.tokens[node.Expr.Rule]
	length := texts.Lengths[0]
	if length == 0 && node.Want == grammar.NonEmpty {
		length = texts.Lengths[1]
	}
	if p.Unit == grammar.Bytes && !p.byDepth {
		length = size
	}
	return append(choices, texts.First(length)...)
}

// Member returns the choice value of member i of a class among those of the
// given size that the program's mask leaves.
func (p *Program) Member(e *grammar.Expr, size, i int) int {
	gen := p.Facts.Mask.Gen(e)
	if p.Unit == grammar.Bytes && !p.byDepth {
		n := gen.LenByBytes()
		for s := 1; s < size; s++ {
			i += n[s-1]
		}
	}
	return e.Gen.Index(gen.At(i))
}
