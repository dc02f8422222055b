package core

import (
	"math/big"

	"github.com/gramfuzz/gramfuzz/grammar"
)

// Unrank returns the choices of a derivation of one node at a depth or size. The rank is from 0
// to below Count(id, step); Unrank overwrites it. It costs time linear in the derivation times
// the length of the numbers; by size, also in the sizes of elements.
func (t *Table) Unrank(id NodeID, step int, rank *big.Int) []int {
	u := &unranking{t: t}
	var x Expansion[ranked]
	if err := x.Run(t.program, id, ranked{step, rank}, u); err != nil {
		panic(err) // the rank is not below the count
	}
	return u.choices
}

// ranked is a derivation of a node: its step, and its rank among those of the step.
type ranked struct {
	step int
	rank *big.Int
}

// unranking is the picker of the derivation with a rank.
type unranking struct {
	t       *Table
	choices []int
}

func (u *unranking) Choose(value int) { u.choices = append(u.choices, value) }

func (u *unranking) Call(n *Node, k ranked) ranked {
	k.step = u.t.program.Back(n, k.step)
	return k
}

func (u *unranking) Enter(_ NodeID, n *Node, k ranked) (bool, error) {
	if n.Op != Leaf {
		return false, nil
	}
	u.choices = u.t.program.leafChoices(u.choices, n, k.step, int(k.rank.Int64()))
	return true, nil
}

func (u *unranking) Union(_ NodeID, n *Node, k ranked) (int, ranked, error) {
	for i, child := range n.Children {
		c := u.t.Count(child, k.step)
		if k.rank.Cmp(c) < 0 {
			return i, k, nil
		}
		k.rank.Sub(k.rank, c)
	}
	return 0, k, ErrOutside
}

// Product divides a rank: the first part is the more significant.
func (u *unranking) Product(_ NodeID, n *Node, k ranked) (first, second ranked, err error) {
	t := u.t
	x, y := n.Children[0], n.Children[1]
	if t.program.ByDepth() {
		q, r := new(big.Int).QuoRem(k.rank, t.Count(y, k.step), new(big.Int))
		return ranked{k.step, q}, ranked{k.step, r}, nil
	}
	var part big.Int
	for n := 0; n <= k.step; n++ {
		cx, cy := t.Count(x, n), t.Count(y, k.step-n)
		if cx.Sign() == 0 || cy.Sign() == 0 {
			continue
		}
		part.Mul(cx, cy)
		if k.rank.Cmp(&part) < 0 {
			q, r := new(big.Int).QuoRem(k.rank, cy, new(big.Int))
			return ranked{n, q}, ranked{k.step - n, r}, nil
		}
		k.rank.Sub(k.rank, &part)
	}
	return k, k, ErrOutside
}

// leafChoices appends the choices of way i of a terminal with the given size.
func (p *Program) leafChoices(choices []int, node *Node, size, i int) []int {
	if !node.IsToken() {
		if v := p.Choice(node, size, i); v >= 0 {
			choices = append(choices, v)
		}
		return choices
	}
	texts := p.tokens[node.Expr.Rule]
	length := texts.LengthsOf(node.Want)[0]
	if p.Unit == grammar.Bytes && !p.ByDepth() {
		length = size
	}
	return append(choices, texts.Choices(length, new(big.Int))...)
}

// Choice returns the value of the choice that makes way i, of the given size, of a leaf that is
// no token; -1 if there is no choice.
func (p *Program) Choice(n *Node, size, i int) int {
	switch {
	case n.Effect == OwnLeaf && n.First >= 0:
		return n.First + i
	case n.Effect == NoEffect && n.Expr != nil && n.Expr.Op == grammar.Class:
		return p.Member(n.Expr, size, i)
	}
	return -1
}

// Member returns the choice value of member i of a class among those of the given size that the
// program's mask leaves.
func (p *Program) Member(e *grammar.Expr, size, i int) int {
	gen := p.Facts.Mask.Gen(e)
	if size > 1 && p.Unit == grammar.Bytes && !p.ByDepth() {
		n := gen.LenByBytes()
		for s := 1; s < size; s++ {
			i += n[s-1]
		}
	}
	return e.Gen.Index(gen.At(i))
}
