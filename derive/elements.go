package derive

import "github.com/gramfuzz/gramfuzz/grammar"

// Element is where an element of a repetition begins: its first node (for the
// end of the last element the node after the repetition), and its first choice,
// the go-on bit included.
type Element struct{ Node, Choice int }

// Elements finds the elements of repetition i, whose sequences have no node of
// their own: one more than there are elements, the last being the end. It is nil
// where that cannot be told.
func (t *Tree) Elements(i int) []Element {
	n := &t.Nodes[i]
	per := 1
	if k := n.Expr.Children[0]; k.Op == grammar.Seq {
		per = flatLen(k)
	}
	var children []int
	t.Children(i, func(k int) bool { children = append(children, k); return true })
	if per == 0 || len(children) != per*n.Val {
		return nil
	}
	els := make([]Element, 0, n.Val+1)
	for k := range n.Val {
		node := children[k*per]
		bit := t.Nodes[node].From
		if k >= n.Expr.Min {
			bit--
		}
		els = append(els, Element{node, bit})
	}
	end := n.To
	if n.Expr.Max < 0 || n.Val < n.Expr.Max {
		end-- // the bit that stops
	}
	return append(els, Element{n.End, end})
}

// flatLen is how many nodes stand for the elements of a sequence.
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
