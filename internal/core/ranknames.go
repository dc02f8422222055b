package core

import (
	"fmt"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/scope"
)

// findMidStates follows the tree once with the names in play and writes down the
// state after every child that something follows, and inside every wrap, in the
// order in which ranking.follow comes to them.
func (r *ranking) findMidStates() error {
	m := &midStates{r: r, env: r.p.Names.NewEnv()}
	root := r.p.Grammar.Root
	m.stack = append(m.stack, midStateTask{expr: root, wraps: r.p.wraps(root)})
	for len(m.stack) > 0 {
		t := m.stack[len(m.stack)-1]
		m.stack = m.stack[:len(m.stack)-1]
		if err := m.step(t); err != nil {
			return err
		}
	}
	return nil
}

func (r *ranking) nextMid() scope.State {
	s := r.mids[0]
	r.mids = r.mids[1:]
	return s
}

type midStates struct {
	r     *ranking
	env   *scope.Env
	at    int // the next node
	stack []midStateTask
}

// midStateTask is an expression to follow, the end of a wrap, or a state to note.
type midStateTask struct {
	expr  *grammar.Expr
	i, of int
	wraps int
	end   *scope.Wrap
	from  int // end: the first node of the element
	note  int // > 0: the state is mids[note-1]
}

func (m *midStates) step(t midStateTask) error {
	switch {
	case t.note > 0:
		m.r.mids[t.note-1] = m.env.State(m.r.p.Space)
	case t.end != nil:
		m.end(t)
	case t.wraps > 0:
		w := &m.r.p.Names.At(t.expr).Wraps[t.wraps-1]
		if w.Kind == scope.Scope {
			m.env.Begin()
		}
		m.stack = append(m.stack, midStateTask{end: w, from: m.at}, m.noted(), midStateTask{expr: t.expr, wraps: t.wraps - 1})
	case m.r.p.kind(t.expr) != scope.None:
		return m.name(t.expr)
	default:
		m.expr(t)
	}
	return nil
}

// noted returns the task of noting a state, and keeps its place.
func (m *midStates) noted() midStateTask {
	m.r.mids = append(m.r.mids, 0)
	return midStateTask{note: len(m.r.mids)}
}

func (m *midStates) push(e *grammar.Expr) {
	m.stack = append(m.stack, midStateTask{expr: e, wraps: m.r.p.wraps(e)})
}

func (m *midStates) expr(t midStateTask) {
	e := t.expr
	var node derive.Node
	if e.Op != grammar.Seq && !(e.Op == grammar.Rep && t.i > 0) {
		node = m.r.tree.Nodes[m.at]
		m.at++
	}
	switch e.Op {
	case grammar.Choice:
		m.push(e.Children[node.Val])
	case grammar.Ref:
		switch {
		case e.Rule.Kind == grammar.Skip && !e.Rule.Inline:
		case m.r.p.Facts.Leaf(e):
			m.at = node.End
		default:
			m.push(e.Rule.Body)
		}
	case grammar.Seq:
		switch {
		case t.i == len(e.Children)-1:
			m.push(e.Children[t.i])
		case t.i < len(e.Children):
			m.stack = append(m.stack, midStateTask{expr: e, i: t.i + 1}, m.noted())
			m.push(e.Children[t.i])
		}
	case grammar.Rep:
		if t.i == 0 {
			t.of = node.Val
		}
		if t.i < t.of {
			m.stack = append(m.stack, midStateTask{expr: e, i: t.i + 1, of: t.of}, m.noted())
			m.push(e.Children[0])
		}
	}
}

func (m *midStates) name(e *grammar.Expr) error {
	node := &m.r.tree.Nodes[m.at]
	m.at++
	el := m.r.p.Names.At(e)
	if !node.Name {
		return fmt.Errorf("%w: it was made without the names of the grammar", ErrOutside)
	}
	if node.Val < 0 || node.Val >= m.env.Possible(el) {
		return fmt.Errorf("%w: the name %q cannot stand at %v", ErrOutside, node.Text, e.Pos)
	}
	m.env.Take(el, node.Val)
	return nil
}

func (m *midStates) end(t midStateTask) {
	switch t.end.Kind {
	case scope.Commit:
		m.env.Commit(t.end.NS)
	case scope.Scope:
		m.env.End(t.end.NS)
	case scope.Bind:
		m.env.Bind(t.end.NS, "")
	}
}

// unwrap goes on inside the outermost wrap of an element. Nothing is decided
// there but which state a commit began from.
func (r *ranking) unwrap(k part) error {
	w := r.p.Names.At(k.expr).Wraps[k.wraps-1]
	bit := uint64(1) << w.NS
	mid := r.nextMid()
	inner := k
	inner.wraps--
	if w.Kind != scope.Commit || k.exact&bit == 0 {
		inner.exact &^= bit
		r.stack = append(r.stack, inner)
		return nil
	}
	if !r.p.Space.Agree(r.p.Space.Wrap(w, k.in, mid), k.out, bit) {
		return fmt.Errorf("%w: names at %v", ErrOutside, k.expr.Pos)
	}
	id := r.p.find(k.partKey)
	inner.out = r.p.Space.Merge(k.out, mid, bit)
	if err := r.locate(id, r.p.find(inner.partKey), r.p.effects[effectKey{CommitNames, w.NS}], k.step); err != nil {
		return err
	}
	r.stack = append(r.stack, inner)
	return nil
}

// name writes down a name.
func (r *ranking) name(k part, node *derive.Node) error {
	id := r.p.find(k.partKey)
	children := []NodeID{id}
	if r.p.Nodes[id].Op == Union {
		children = r.p.Nodes[id].Children
	}
	for i, child := range children {
		leaf := &r.p.Nodes[child]
		if w := leaf.Ways[0]; node.Val >= leaf.First && node.Val < leaf.First+w.N {
			if r.p.Nodes[id].Op == Union {
				r.trace = append(r.trace, visit{op: Union, id: id, child: i, step: k.step})
			}
			r.trace = append(r.trace, visit{op: Leaf, id: child, size: w.Size, way: node.Val - leaf.First, step: k.step})
			return nil
		}
	}
	return fmt.Errorf("%w: the name %q cannot stand at %v", ErrOutside, node.Text, k.expr.Pos)
}
