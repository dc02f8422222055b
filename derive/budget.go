package derive

import "github.com/gramfuzz/gramfuzz/grammar"

// budget keeps a derivation within Options.MaxSize: the size so far, and the least
// size of the parts that are bound to follow.
type budget struct {
	used, owed int
	leaf       int // > 0 inside a token that is a leaf: its text has no size of its own
}

// leastSize returns the least size of e, capped so that sums do not overflow.
func (m *Machine) leastSize(e *grammar.Expr, w grammar.Want) int {
	return min(m.facts.Size(e, m.o.Unit, w), 1<<28)
}

// affords reports whether e still fits.
func (m *Machine) affords(e *grammar.Expr, w grammar.Want) bool {
	return m.fits(m.leastSize(e, w))
}

// fits reports whether a part of a size still fits.
func (m *Machine) fits(size int) bool {
	return m.MaxSize == 0 || m.b.leaf > 0 || m.b.used+m.b.owed+size <= m.MaxSize
}

// owe adds the least size of the parts of e that are bound to follow.
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

// begin takes a part off the debt: its own size counts from now on.
func (m *Machine) begin(child *grammar.Expr) {
	if (m.MaxSize > 0 || m.texts != nil) && m.b.leaf == 0 {
		m.b.owed -= m.leastSize(child, grammar.Any)
	}
}

// paid adds the size that e has beside its children, now that it is complete.
func (m *Machine) paid(e *grammar.Expr, size int) {
	switch {
	case e.Op == grammar.Ref && m.facts.Leaf(e) && m.o.Unit != grammar.Bytes:
		m.b.leaf--
	case e.Op == grammar.Ref || m.b.leaf > 0:
	default:
		m.b.used += size
	}
}
