package grammar

import "slices"

// Mask switches off alternatives, class members and whole rules: a swarm configuration.
// Choices, trees and ranks still refer to the full grammar. The nil Mask switches nothing off.
// A Mask must not change once it is in use.
type Mask struct {
	off     []uint64    // bit FirstAlt+i: alternative i of that choice is off
	rules   []uint64    // bit Rule.ID: the rule derives nothing
	classes map[int]Set // by Expr.ID: the characters that the class generates instead of Gen
}

// NewMask returns a mask for g that switches nothing off.
func NewMask(g *Grammar) *Mask {
	return &Mask{off: make([]uint64, (g.Alts+63)/64), rules: make([]uint64, (len(g.Rules)+63)/64)}
}

// Clone returns a copy that can be changed on its own.
func (m *Mask) Clone() *Mask {
	c := &Mask{off: slices.Clone(m.off), rules: slices.Clone(m.rules)}
	for id, s := range m.classes {
		c.SetClass(id, s)
	}
	return c
}

// Set switches alternative alt of the choice e on or off.
func (m *Mask) Set(e *Expr, alt int, on bool) {
	setBit(m.off, e.FirstAlt+alt, !on)
}

// SetRule switches the rule r on or off. A rule that is off derives nothing, wherever it is
// used. This is the way to switch off the only production of a rule without alternatives.
func (m *Mask) SetRule(r *Rule, on bool) { setBit(m.rules, r.ID, !on) }

// ruleOn reports whether the rule r may derive anything.
func (m *Mask) ruleOn(r *Rule) bool { return m == nil || m.rules[r.ID/64]&(1<<(r.ID%64)) == 0 }

func setBit(bits []uint64, i int, v bool) {
	if v {
		bits[i/64] |= 1 << (i % 64)
	} else {
		bits[i/64] &^= 1 << (i % 64)
	}
}

// On reports whether alternative alt of the choice e may be taken.
func (m *Mask) On(e *Expr, alt int) bool {
	if m == nil {
		return true
	}
	i := e.FirstAlt + alt
	return m.off[i/64]&(1<<(i%64)) == 0
}

// SetClass makes the class with the given Expr.ID generate only members of s.
func (m *Mask) SetClass(id int, s Set) {
	if m.classes == nil {
		m.classes = make(map[int]Set)
	}
	m.classes[id] = s
}

// Gen returns the characters that the class e generates under the mask.
func (m *Mask) Gen(e *Expr) Set {
	if m != nil {
		if s, ok := m.classes[e.ID]; ok {
			return s.Intersect(e.Gen)
		}
	}
	return e.Gen
}
