package guide

import (
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/core/treeedit"
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

// nodesOf returns the nodes below the root with at least one choice.
func nodesOf(t *derive.Tree) []int {
	var is []int
	for i := 1; i < len(t.Nodes()); i++ {
		if t.Nodes()[i].To > t.Nodes()[i].From {
			is = append(is, i)
		}
	}
	return is
}

// sameSymbol reports whether a node may replace another: both derive the same rule or the same
// expression.
func sameSymbol(a, b *derive.Node) bool {
	if a.Expr.Op == grammar.Ref && b.Expr.Op == grammar.Ref {
		return a.Expr.Rule == b.Expr.Rule && a.Name == b.Name
	}
	return a.Expr == b.Expr
}

// firstChoices returns the number of values of the first decision below e. It is 0 where there
// is none, and 2 where e begins with a repetition. Visited expressions are recorded in looked
// and give 0 the second time, so rules that double each other are visited once.
func firstChoices(e *grammar.Expr, looked map[*grammar.Expr]bool) int {
	if looked[e] {
		return 0
	}
	looked[e] = true
	switch {
	case e.Op == grammar.Class:
		return e.Gen.Len()
	case e.Op == grammar.Choice:
		return len(e.Children)
	case e.Op == grammar.Rep && e.Min == 0:
		return 2
	case e.Op == grammar.Ref:
		return firstChoices(e.Rule.Body, looked)
	}
	for _, k := range e.Children {
		if n := firstChoices(k, looked); n > 0 {
			return n
		}
	}
	return 0
}

// listOf returns the choices of a repetition's elements without their continuation bits; nil
// where the elements cannot be told apart.
func listOf(t *derive.Tree, i int) [][]int {
	els := treeedit.Starts(t, i)
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
