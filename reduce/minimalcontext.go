package reduce

import "github.com/gramfuzz/gramfuzz/grammar"

// unreachable is the size of a context that does not exist.
const unreachable = grammar.Never

// contextSizes returns, by Expr.ID, the bytes of the least derivation around one hole of rule r:
// 0 where the rule can be the whole derivation. It costs a few passes over the grammar.
func (m *minimalDeriver) contextSizes(g *grammar.Grammar, r *grammar.Rule) []int {
	if d, ok := m.contextSize[r]; ok {
		return d
	}
	d := make([]int, len(g.Exprs))
	for i := range d {
		d[i] = unreachable
	}
	for changed := true; changed; {
		changed = false
		for i := len(g.Exprs) - 1; i >= 0; i-- {
			if v, _ := m.contextStep(g.Exprs[i], r, d); v < d[i] {
				d[i] = v
				changed = true
			}
		}
	}
	m.contextSize[r] = d
	return d
}

// contextStep computes the size of the context in e from those in its children,
// and the child that has the hole.
func (m *minimalDeriver) contextStep(e *grammar.Expr, r *grammar.Rule, d []int) (size, child int) {
	size = unreachable
	switch e.Op {
	case grammar.Ref:
		switch {
		case e.Rule == r:
			return 0, 0
		case e.Rule == nil || e.Rule.Kind.Lexical():
			return unreachable, 0
		}
		return d[e.Rule.Body.ID], 0
	case grammar.Choice:
		for i, k := range e.Children {
			if m.facts.Mask.On(e, i) && d[k.ID] < size {
				size, child = d[k.ID], i
			}
		}
	case grammar.Seq:
		all := 0
		for _, k := range e.Children {
			if m.bytes(k) == grammar.Never {
				return unreachable, 0
			}
			all += m.bytes(k)
		}
		for i, k := range e.Children {
			if d[k.ID] != unreachable && all-m.bytes(k)+d[k.ID] < size {
				size, child = all-m.bytes(k)+d[k.ID], i
			}
		}
	case grammar.Rep:
		if k := e.Children[0]; e.Max != 0 && d[k.ID] != unreachable && (e.Min < 2 || m.bytes(k) != grammar.Never) {
			size = d[k.ID] + max(e.Min-1, 0)*m.bytes(k)
		}
	}
	return size, child
}

// context returns the least derivation of e with a hole of rule r, as the pieces
// before and after the hole.
func (m *minimalDeriver) context(e *grammar.Expr, r *grammar.Rule, d []int) (before, after piece) {
	key := hole{e, r}
	if c, ok := m.contexts[key]; ok {
		return c[0], c[1]
	}
	before, after = m.makeContext(e, r, d)
	m.contexts[key] = [2]piece{before, after}
	return before, after
}

// hole is a place for rule r in a derivation of e.
type hole struct {
	e *grammar.Expr
	r *grammar.Rule
}

func (m *minimalDeriver) makeContext(e *grammar.Expr, r *grammar.Rule, d []int) (before, after piece) {
	for hops := 0; hops < 1000; hops++ {
		_, child := m.contextStep(e, r, d)
		switch e.Op {
		case grammar.Ref:
			if e.Rule == r {
				return before, after
			}
			e = e.Rule.Body
		case grammar.Choice:
			before.choices = append(before.choices, child)
			e = e.Children[child]
		case grammar.Seq:
			for _, k := range e.Children[:child] {
				before = before.add(m.derive(k), m.spaced)
			}
			var rest piece
			for _, k := range e.Children[child+1:] {
				rest = rest.add(m.derive(k), m.spaced)
			}
			after = rest.add(after, m.spaced)
			e = e.Children[child]
		case grammar.Rep:
			for range e.Min - 1 {
				before = before.add(m.derive(e.Children[0]), m.spaced)
			}
			if e.Min == 0 {
				before.choices = append(before.choices, 1)
			}
			if e.Max != max(e.Min, 1) {
				after.choices = append([]int{0}, after.choices...)
			}
			e = e.Children[0]
		}
	}
	return before, after // not reached: along the way sizes decrease, or else nodes do
}
