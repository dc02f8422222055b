package treeedit

import (
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
)

// Start is the beginning of an element: its first node, and its first choice, the
// go-on bit included. The end of the last element is the node after the repetition.
type Start struct{ Node, Choice int }

// Starts returns the beginnings of the elements of repetition i, and then the end of the last
// one. It returns nil where the tree does not show them: a sequence has no node of its own.
func Starts(t *derive.Tree, i int) []Start {
	n := &t.Nodes()[i]
	per := 1
	if k := n.Expr.Children[0]; k.Op == grammar.Seq {
		per = flatLen(k)
	}
	var children []int
	t.Children(i, func(k int) bool { children = append(children, k); return true })
	if per == 0 || len(children) != per*n.Val {
		return nil
	}
	els := make([]Start, 0, n.Val+1)
	for k := range n.Val {
		node := children[k*per]
		bit := t.Nodes()[node].From
		if k >= n.Expr.Min {
			bit--
		}
		els = append(els, Start{node, bit})
	}
	end := n.To
	if n.Expr.Max < 0 || n.Val < n.Expr.Max {
		end-- // the bit that ends the repetition
	}
	return append(els, Start{n.End, end})
}

// flatLen returns the number of nodes for the elements of a sequence.
func flatLen(e *grammar.Expr) int {
	if e.Op != grammar.Seq {
		return 1
	}
	n := 0
	for _, k := range e.Children {
		n += flatLen(k)
	}
	return n
}
