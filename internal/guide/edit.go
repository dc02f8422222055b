package guide

import (
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/repetition"
)

// edit replaces a part of a choice sequence.
type edit struct {
	from, to int
	with     []int
}

// apply returns the sequence after the edit; the old one stays as it is.
func (e edit) apply(choices []int) []int {
	out := make([]int, 0, len(choices)-(e.to-e.from)+len(e.with))
	out = append(out, choices[:e.from]...)
	out = append(out, e.with...)
	return append(out, choices[e.to:]...)
}

// nodesOf returns the nodes below the root at which something is chosen.
func nodesOf(t *derive.Tree) []int {
	var is []int
	for i := 1; i < len(t.Nodes()); i++ {
		if t.Nodes()[i].To > t.Nodes()[i].From {
			is = append(is, i)
		}
	}
	return is
}

// sameSymbol reports whether a node may stand in another's place: they derive the
// same rule, or the same expression.
func sameSymbol(a, b *derive.Node) bool {
	if a.Expr.Op == grammar.Ref && b.Expr.Op == grammar.Ref {
		return a.Expr.Rule == b.Expr.Rule && a.Name == b.Name
	}
	return a.Expr == b.Expr
}

// firstChoices returns how many values the first decision below e has, 0 where
// there is none; 2 for what begins with a repetition. It looks at most 64
// expressions deep.
func firstChoices(e *grammar.Expr, depth int) int {
	if depth > 64 {
		return 0
	}
	switch e.Op {
	case grammar.Class:
		return e.Gen.Len()
	case grammar.Choice:
		return len(e.Children)
	case grammar.Ref:
		return firstChoices(e.Rule.Body, depth+1)
	case grammar.Seq:
		for _, k := range e.Children {
			if n := firstChoices(k, depth+1); n > 0 {
				return n
			}
		}
	case grammar.Rep:
		if e.Min == 0 {
			return 2
		}
		return firstChoices(e.Children[0], depth+1)
	}
	return 0
}

// listOf returns the choices of the elements of a repetition, without their
// go-on bits; nil where they cannot be told apart.
func listOf(t *derive.Tree, i int) [][]int {
	els := repetition.Starts(t, i)
	if len(els) < 2 {
		return nil
	}
	c, least := t.Choices(), t.Nodes()[i].Expr.Min
	list := make([][]int, len(els)-1)
	for k := range list {
		from := els[k].Choice
		if k >= least {
			from++
		}
		list[k] = c[from:els[k+1].Choice]
	}
	return list
}

// joinList is the inverse of listOf.
func joinList(e *grammar.Expr, list [][]int) []int {
	var c []int
	for k, el := range list {
		if k >= e.Min {
			c = append(c, 1)
		}
		c = append(c, el...)
	}
	if e.Max < 0 || len(list) < e.Max {
		c = append(c, 0)
	}
	return c
}
