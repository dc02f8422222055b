package derive

import (
	"fmt"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/base/rawbyte"
)

// part is the precomputed information about an expression.
type part struct {
	size, depth       [2]int // the least ones, by want; sizes are in Options.Unit and capped, so that sums do not overflow
	allSize, allDepth [2]int // Choice: thresholds from which all alternatives can finish, so that most decisions need no search

	owed    int          // the least size of its mandatory parts when it begins
	used    int          // Ref: its own size
	level   int          // Ref: see [grammar.Facts.Level]
	leaf    bool         // Ref: a token whose inside has no size
	element grammar.Want // Rep: see [grammar.Facts.ElementWant]
}

// findParts computes the parts.
func (m *Machine) findParts() {
	m.parts = make([]part, len(m.g.Exprs))
	for _, e := range m.g.Exprs {
		for w := grammar.Any; w <= grammar.NonEmpty; w++ {
			p := &m.parts[e.ID]
			p.size[w], p.depth[w] = min(m.facts.Size(e, m.o.Unit, w), 1<<28), m.facts.Depth(e, w)
		}
	}
	for _, e := range m.g.Exprs {
		p := &m.parts[e.ID]
		for i, k := range e.Children {
			at := &m.parts[k.ID]
			switch e.Op {
			case grammar.Choice:
				for w := range p.allSize {
					p.allSize[w], p.allDepth[w] = max(p.allSize[w], at.size[w]), max(p.allDepth[w], at.depth[w])
					if !m.facts.Mask.On(e, i) {
						p.allDepth[w] = grammar.Never
					}
				}
			case grammar.Seq:
				p.owed += at.size[grammar.Any]
			case grammar.Rep:
				p.owed, p.element = e.Min*at.size[grammar.Any], m.facts.ElementWant(e)
			}
		}
		if e.Op == grammar.Ref && e.Rule != nil {
			p.level, p.leaf = m.facts.Level(e), m.facts.Leaf(e) && m.o.Unit != grammar.Bytes
			if p.leaf || m.o.Unit == grammar.Nodes && !e.Rule.Inline {
				p.used = 1
			}
		}
	}
}

// mostForced bounds the nodes beyond the size that a derivation with hooks makes without a choice. After
// them it takes its minimal rest: the smallest alternative may lead away from an end for ever, since the
// hooks require another one each time.
const mostForced = 1 << 12

// choose asks the chooser m.d, records the answer and returns it. height is that of the asking
// expression's frame.
func (m *Machine) choose(height int) (int, error) {
	d := &m.d
	switch {
	case d.N > 1:
		m.freeAt = m.nodes
	case m.o.Hooks != nil && m.MaxSize > 0 && m.nodes-m.freeAt > mostForced && !m.fits(1):
		m.leastFrom = 0 // the smallest parts do not lead to an end; the least rest does
	}
	v, asked := Default, height <= m.leastFrom
	if asked {
		m.leastFrom = unlimited
		var err error
		if v, err = m.ch.Choose(d); err != nil {
			return 0, err
		}
	}
	switch {
	case v == Default:
		m.leastFrom = min(m.leastFrom, height)
		v = m.least(asked)
	case !d.Can(v):
		return 0, fmt.Errorf("the chooser took value %d of %d at a decision (%v at %v)", v, d.N, d.Kind, d.Expr.Pos)
	}
	m.tree.choices = append(m.tree.choices, v)
	return v, nil
}

// least answers m.d with the value that leads to the fewest bytes. If the chooser asked for
// Default at this decision, a default of the hooks takes precedence.
func (m *Machine) least(asked bool) int {
	d := &m.d
	switch {
	case d.Kind == Name && d.Can(m.leastName):
		return m.leastName
	case d.Kind != Alternative:
		return d.Value(0)
	case asked && m.o.Hooks != nil:
		if v := m.o.Hooks.Default(d.Expr); v >= 0 && d.Can(v) {
			return v
		}
	}
	best := d.Value(0)
	for i := 1; i < d.N; i++ {
		if v := d.Value(i); m.smaller(d.Expr, v, best) {
			best = v
		}
	}
	return best
}

// smaller reports whether the least derivation of alternative a of the choice e is smaller
// than that of alternative b.
func (m *Machine) smaller(e *grammar.Expr, a, b int) bool {
	x, y := e.Children[a], e.Children[b]
	if h := m.o.Hooks; h != nil && h.Concerns(e) {
		need := m.stack[len(m.stack)-1].inner
		p, q := h.Least(x, m.d.Want, need)
		r, s := h.Least(y, m.d.Want, need)
		return p < r || p == r && q < s
	}
	if p, q := m.facts.Size(x, grammar.Bytes, m.d.Want), m.facts.Size(y, grammar.Bytes, m.d.Want); p != q {
		return p < q
	}
	return m.facts.Size(x, grammar.Nodes, m.d.Want) < m.facts.Size(y, grammar.Nodes, m.d.Want)
}

// decision fills m.d. It sets the fields one by one, because copying a whole struct would
// stall.
func (m *Machine) decision(k Kind, e *grammar.Expr, n, full, depth, left int, want grammar.Want) {
	d := &m.d
	d.Kind, d.Expr, d.N, d.Allowed, d.Full = k, e, n, nil, full
	d.Depth, d.Left, d.Want, d.Index = depth, left, want, 0
}

// alternative decides the choice of frame f, the top of the stack.
func (m *Machine) alternative(f *frame) (int, error) {
	e := f.e
	m.decision(Alternative, e, len(e.Children), len(e.Children), f.depth, f.left, f.want)
	h := m.o.Hooks
	if h != nil && !h.Concerns(e) {
		h = nil
	}
	if p := &m.parts[e.ID]; f.left < p.allDepth[f.want] || h != nil || !m.fits(p.allSize[f.want]) {
		m.allowed = m.allowed[:0]
		smallest := -1 // of the alternatives that are too large
		for i, k := range e.Children {
			if !m.facts.Mask.On(e, i) || m.parts[k.ID].depth[f.want] > f.left {
				continue
			}
			switch {
			case h != nil && !h.Can(k, f.want, f.left, f.inner):
			case m.affords(k, f.want):
				m.allowed = append(m.allowed, i)
			case smallest < 0 || m.parts[k.ID].size[f.want] < m.parts[e.Children[smallest].ID].size[f.want]:
				smallest = i
			}
		}
		if len(m.allowed) == 0 && smallest >= 0 {
			m.allowed = append(m.allowed, smallest)
		}
		if len(m.allowed) == 0 {
			return 0, fmt.Errorf("%v: no alternative of rule can be taken here", e.Pos)
		}
		m.d.Allowed, m.d.N = m.allowed, len(m.allowed)
	}
	return m.choose(len(m.stack))
}

var stopOnly, goOnly = []int{0}, []int{1}

// another decides whether the repetition of frame f has one more element.
func (m *Machine) another(f *frame) (bool, error) {
	e := f.e
	switch {
	case f.next < e.Min:
		return true, nil
	case f.next == e.Max:
		return false, nil
	}
	want := m.parts[e.ID].element
	owed := f.want == grammar.NonEmpty && m.bytes == f.mark
	if owed && f.next == m.last(e)-1 {
		want = grammar.NonEmpty
	}
	stop := !owed
	more := f.next < m.last(e) && m.parts[e.Children[0].ID].depth[want] <= f.left
	if h := m.o.Hooks; h != nil && h.Concerns(e) {
		stop = stop && h.CanAfter(f.inner, m.bytes == f.mark)
		if more {
			p := m.place(f, f.next+1, want)
			p.Least = false
			more = h.Can(e.Children[0], want, f.left, h.Rest(p))
		}
	}
	more = more && (m.affords(e.Children[0], want) || !stop)
	m.decision(GoOn, e, 2, 2, f.depth, f.left, f.want)
	m.d.Index = f.next
	switch {
	case !stop && !more:
		return false, fmt.Errorf("%v: the repetition can neither stop nor go on", e.Pos)
	case !more:
		m.d.N, m.d.Allowed = 1, stopOnly
	case !stop:
		m.d.N, m.d.Allowed = 1, goOnly
	}
	v, err := m.choose(len(m.stack))
	return v == 1, err
}

// member decides the character of a class.
func (m *Machine) member(e *grammar.Expr, want grammar.Want, left, depth int) (rune, error) {
	m.decision(Member, e, e.Gen.Len(), e.Set.Len(), depth, left, want)
	if gen := m.facts.Mask.Gen(e); gen.Len() != e.Gen.Len() {
		m.allowed = m.allowed[:0]
		for i := range gen.Len() {
			m.allowed = append(m.allowed, e.Gen.Index(gen.At(i)))
		}
		m.d.Allowed, m.d.N = m.allowed, gen.Len()
	}
	v, err := m.choose(len(m.stack) + 1)
	if err != nil {
		return 0, err
	}
	r := e.Member(v)
	m.bytes += rawbyte.Len(r)
	return r, nil
}

// enter lets the hooks replace the annotated element e by a text.
func (m *Machine) enter(e *grammar.Expr, left, depth, need int) (bool, error) {
	from := len(m.tree.choices)
	choose := func(r Range) (int, error) {
		m.decision(Name, e, r.N, r.Full, depth, left, grammar.Any)
		switch {
		case r.Allowed != nil:
			m.d.Allowed = r.Allowed
		case r.N != r.Full:
			m.allowed = m.allowed[:0]
			for i := range r.N {
				m.allowed = append(m.allowed, r.From+i)
			}
			m.d.Allowed = m.allowed
		}
		before := m.leastFrom
		m.leastName = r.Least
		v, err := m.choose(len(m.stack) + 1)
		m.leastFrom = before
		return v, err
	}
	text, v, replaced, err := m.o.Hooks.Enter(e, need, choose)
	if err != nil || !replaced {
		return false, err
	}
	m.bytes += len(text)
	at := len(m.tree.nodes)
	if m.b.leaf == 0 {
		m.b.used += nodeSize(&Node{Expr: e, Name: true, Text: text}, m.o.Unit)
	}
	m.tree.nodes = append(m.tree.nodes, Node{Expr: e, Val: v, Name: true, Text: text, End: at + 1, From: from, To: len(m.tree.choices)})
	return true, m.o.Hooks.Leave(e, func() string { return text })
}

// textFrom returns the text of the nodes from index i on.
func (m *Machine) textFrom(i int) string {
	var b []byte
	for j := i; j < len(m.tree.nodes); j++ {
		b = m.tree.nodes[j].AppendText(b)
	}
	return string(b)
}

// SoFar returns the text derived so far, for hooks and choosers. Between derivations the text
// is "".
func (m *Machine) SoFar() string {
	if m.tree == nil {
		return ""
	}
	return m.textFrom(0)
}
