package derive

import "github.com/gramfuzz/gramfuzz/grammar"

// budget keeps a derivation within Options.MaxSize. It tracks the size so far and the least
// size of the pending parts.
type budget struct {
	used, owed int
	leaf       int // > 0 inside a token that is a leaf: its text has no size
}

// affords reports whether e still fits in the bound.
func (m *Machine) affords(e *grammar.Expr, w grammar.Want) bool {
	return m.fits(m.parts[e.ID].size[w])
}

// fits reports whether a part of the given size still fits.
func (m *Machine) fits(size int) bool {
	return m.MaxSize == 0 || m.b.leaf > 0 || m.b.used+m.b.owed+size <= m.MaxSize
}

// owe adds the size of e itself and the least size of its mandatory parts.
func (m *Machine) owe(e *grammar.Expr) {
	if m.b.leaf == 0 {
		p := &m.parts[e.ID]
		m.b.owed += p.owed
		m.b.used += p.used
	}
}

// begin removes a part from the pending size: its own size counts from now on.
func (m *Machine) begin(child *grammar.Expr) {
	if (m.MaxSize > 0 || m.texts != nil) && m.b.leaf == 0 {
		m.b.owed -= m.parts[child.ID].size[grammar.Any]
	}
}

// paid adds the size of the completed e beyond that of its children.
func (m *Machine) paid(e *grammar.Expr, size int) {
	switch {
	case m.parts[e.ID].leaf:
		m.b.leaf--
	case e.Op == grammar.Ref || m.b.leaf > 0:
	default:
		m.b.used += size
	}
}
