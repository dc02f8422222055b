package derive

import "github.com/gramfuzz/gramfuzz/grammar"

// budget keeps a derivation within Options.MaxSize: the size so far, and the least
// size of the parts that are bound to follow.
type budget struct {
	used, owed int
	leaf       int // > 0 inside a token that is a leaf: its text has no size of its own
}

// affords reports whether e still fits.
func (m *Machine) affords(e *grammar.Expr, w grammar.Want) bool {
	return m.fits(m.parts[e.ID].size[w])
}

// fits reports whether a part of a size still fits.
func (m *Machine) fits(size int) bool {
	return m.MaxSize == 0 || m.b.leaf > 0 || m.b.used+m.b.owed+size <= m.MaxSize
}

// owe adds the size of e itself, and the least size of its parts that are bound to follow.
func (m *Machine) owe(e *grammar.Expr) {
	if m.b.leaf == 0 {
		p := &m.parts[e.ID]
		m.b.owed += p.owed
		m.b.used += p.used
	}
}

// begin takes a part off the debt: its own size counts from now on.
func (m *Machine) begin(child *grammar.Expr) {
	if (m.MaxSize > 0 || m.texts != nil) && m.b.leaf == 0 {
		m.b.owed -= m.parts[child.ID].size[grammar.Any]
	}
}

// paid adds the size that e has beside its children, now that it is complete.
func (m *Machine) paid(e *grammar.Expr, size int) {
	switch {
	case m.parts[e.ID].leaf:
		m.b.leaf--
	case e.Op == grammar.Ref || m.b.leaf > 0:
	default:
		m.b.used += size
	}
}
