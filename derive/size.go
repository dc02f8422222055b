package derive

import (
	"unicode/utf8"

	"github.com/gramfuzz/gramfuzz/grammar"
)

// Size returns the size of a tree in a unit, tokens being leaves or not as the
// facts' measure says.
func Size(t *Tree, f *grammar.Facts, u grammar.Unit) int {
	size := 0
	for i := 0; i < len(t.Nodes); i++ {
		n := &t.Nodes[i]
		if u != grammar.Bytes && !n.Name && n.Expr.Op == grammar.Ref && f.Leaf(n.Expr) {
			size++
			i = n.End - 1
			continue
		}
		size += nodeSize(n, u)
	}
	return size
}

// nodeSize returns what a node alone adds to the size.
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
		return utf8.RuneLen(rune(n.Val))
	case n.Expr.Op == grammar.Class:
		return 1
	case n.Expr.Op == grammar.Ref && u == grammar.Nodes && !n.Expr.Rule.Inline:
		return 1
	}
	return 0
}

// Depth returns the height of a tree in nested rules, tokens being leaves or
// not as the facts' measure says.
func Depth(t *Tree, f *grammar.Facts) int {
	depth := 0
	var ends []int // where the rules that are open now end
	for i := range t.Nodes {
		for len(ends) > 0 && ends[len(ends)-1] <= i {
			ends = ends[:len(ends)-1]
		}
		n := &t.Nodes[i]
		if !n.Name && n.Expr.Op == grammar.Ref && n.Expr.Rule.Kind != grammar.Skip && f.Level(n.Expr) > 0 {
			ends = append(ends, n.End)
			depth = max(depth, len(ends))
		}
	}
	return depth
}

// budget keeps a derivation within Options.MaxSize: what is there, and what is
// owed at least by everything begun.
type budget struct {
	used, owed int
	leaf       int // > 0 inside a token that is a leaf: its text costs nothing
}

// least is the least size of e, capped so that sums do not overflow.
func (m *Machine) leastSize(e *grammar.Expr, w grammar.Want) int {
	return min(m.facts.Size(e, m.o.Unit, w), 1<<28)
}

// affords reports whether e still fits.
func (m *Machine) affords(e *grammar.Expr, w grammar.Want) bool {
	return m.MaxSize == 0 || m.b.leaf > 0 || m.b.used+m.b.owed+m.leastSize(e, w) <= m.MaxSize
}

// owe adds what the parts of e that are bound to come take at least.
func (m *Machine) owe(e *grammar.Expr) {
	if m.b.leaf > 0 {
		return
	}
	switch e.Op {
	case grammar.Seq:
		for _, k := range e.Children {
			m.b.owed += m.leastSize(k, grammar.Any)
		}
	case grammar.Rep:
		m.b.owed += e.Min * m.leastSize(e.Children[0], grammar.Any)
	case grammar.Ref:
		if m.facts.Leaf(e) && m.o.Unit != grammar.Bytes {
			m.b.used++
		} else if m.o.Unit == grammar.Nodes && !e.Rule.Inline {
			m.b.used++
		}
	}
}

// begin takes a part that was owed off the debt: it is being paid now.
func (m *Machine) begin(child *grammar.Expr) {
	if m.MaxSize > 0 && m.b.leaf == 0 {
		m.b.owed -= m.leastSize(child, grammar.Any)
	}
}

// paid books a node that is complete.
func (m *Machine) paid(n *Node) {
	switch {
	case n.Expr.Op == grammar.Ref && m.facts.Leaf(n.Expr) && m.o.Unit != grammar.Bytes:
		m.b.leaf--
	case n.Expr.Op == grammar.Ref || m.b.leaf > 0:
	default:
		m.b.used += nodeSize(n, m.o.Unit)
	}
}
