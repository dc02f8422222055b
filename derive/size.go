package derive

import (
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/base/rawbyte"
)

// Size returns the size of a tree in a unit. The facts' measure says whether tokens
// are leaves.
func Size(t *Tree, f *grammar.Facts, u grammar.Unit) int {
	if u == grammar.Bytes && t.Grammar.Binary { // parts may add bytes
		return t.counted()
	}
	size := 0
	for i := 0; i < len(t.Nodes()); i++ {
		n := &t.Nodes()[i]
		if u != grammar.Bytes && !n.Name && n.Expr.Op == grammar.Ref && f.Leaf(n.Expr) {
			size++
			i = n.End - 1
			continue
		}
		size += nodeSize(n, u)
	}
	return size
}

// nodeSize returns the size of a node without its children.
func nodeSize(n *Node, u grammar.Unit) int {
	switch {
	case n.Name && u == grammar.Bytes:
		return len(n.Text)
	case n.Name:
		return 1
	case n.Expr.Op == grammar.Lit && u == grammar.Bytes:
		return len(n.Expr.Text)
	case n.Expr.Op == grammar.Lit && n.Expr.Text != "":
		return 1
	case n.Expr.Op == grammar.Class && u == grammar.Bytes:
		return rawbyte.Len(rune(n.Val))
	case n.Expr.Op == grammar.Class:
		return 1
	case n.Expr.Op == grammar.Ref && u == grammar.Nodes && !n.Expr.Rule.Inline:
		return 1
	}
	return 0
}

// Depth returns the height of a tree in nested rules. The facts' measure says whether
// tokens are leaves.
func Depth(t *Tree, f *grammar.Facts) int {
	depth := 0
	var ends []int // ends of the open rules
	for i := range t.Nodes() {
		for len(ends) > 0 && ends[len(ends)-1] <= i {
			ends = ends[:len(ends)-1]
		}
		n := &t.Nodes()[i]
		if !n.Name && n.Expr.Op == grammar.Ref && n.Expr.Rule.Kind != grammar.Skip && f.Level(n.Expr) > 0 {
			ends = append(ends, n.End)
			depth = max(depth, len(ends))
		}
	}
	return depth
}
