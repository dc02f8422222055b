package count

import (
	"context"
	"math/big"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/scope"
)

// Unrank returns the derivation with the given rank, 0 ≤ rank < Total. Where a
// token is a leaf, its text is the first of the least length (or, counting
// bytes, of the length that its rank says). Errors: [RankError].
//
// Rank order: by depth, choice sequences in lexicographic order; by size, first
// the smaller sentence; then, at a sequence, the smaller first element before
// the greater, and within equal sizes by choices.
func (t *Table) Unrank(rank *big.Int) (*derive.Tree, error) {
	choices, err := t.UnrankChoices(rank)
	if err != nil {
		return nil, err
	}
	m, err := scope.Machine(t.Program.Grammar, t.Program.Names, derive.Options{Facts: t.Program.Facts})
	if err != nil {
		return nil, err
	}
	return m.Run(context.Background(), derive.Strict(choices))
}

// UnrankChoices is Unrank for the choice sequence alone. It costs time linear in
// the derivation, and by size in its elements' sizes, times the length of the
// numbers.
func (t *Table) UnrankChoices(rank *big.Int) ([]int, error) {
	if rank.Sign() < 0 || rank.Cmp(t.total) >= 0 {
		return nil, &RankError{rank, t.total}
	}
	rest := new(big.Int).Set(rank)
	step := t.Bound.Depth
	if !t.Bound.ByDepth() {
		for step = t.Bound.Min; rest.Cmp(t.At(step)) >= 0; step++ {
			rest.Sub(rest, t.At(step))
		}
	}
	u := unranking{t: t, stack: []task{{t.Program.Root, step, rest}}}
	for len(u.stack) > 0 {
		k := u.stack[len(u.stack)-1]
		u.stack = u.stack[:len(u.stack)-1]
		u.step(k)
	}
	return u.choices, nil
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
	t, node := u.t, &u.t.Program.Nodes[k.id]
	switch node.Op {
	case Leaf:
		u.choices = t.Program.leafChoices(u.choices, node, k.step, int(k.rank.Int64()))
	case Call:
		back := node.Size
		if t.Bound.ByDepth() {
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
	if t.Bound.ByDepth() {
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
	case node.Act == ActName && p.kind(node.Expr) != scope.Same:
		return append(choices, node.First+i)
	case node.Expr == nil || node.Act != NoAct || node.Expr.Op == grammar.Lit:
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

// First returns the choices of the first text of a token with a length that
// occurs.
func (t *Texts) First(length int) []int {
	return t.Choices(length, new(big.Int))
}

// Choices returns the choices of the inner derivation with the given rank among
// those of the given length. The caller must leave rank alone afterwards.
func (t *Texts) Choices(length int, rank *big.Int) []int {
	u := unranking{t: t.Table, stack: []task{{t.Program.Root, length, rank}}}
	for len(u.stack) > 0 {
		k := u.stack[len(u.stack)-1]
		u.stack = u.stack[:len(u.stack)-1]
		u.step(k)
	}
	return u.choices
}
