package derive

import (
	"context"
	"errors"
	"fmt"

	"github.com/gramfuzz/gramfuzz/grammar"
)

// Options bound and steer a machine. The zero value derives without a bound.
type Options struct {
	Facts *grammar.Facts // nil: everything on, measure structure

	// MaxDepth bounds the height in nested rules; 0 is no bound. The chooser is only offered
	// values that can finish within it.
	MaxDepth int

	// Repeat cuts unbounded repetitions at max(min, Repeat) elements; 0 means no cut.
	Repeat int

	// MaxSize bounds the size in Unit; 0 is no bound. The chooser is only offered values that
	// can finish within it. If none can, it is offered the least.
	MaxSize int
	Unit    grammar.Unit

	// MaxNodes ends a derivation that grows larger with [ErrTooLarge]; 0 is
	// 50 million nodes.
	MaxNodes int

	Hooks Hooks // nil: none

	// Memory bounds what looking ahead for names keeps of its results, in bytes, by an
	// estimate. 0 is 128 MiB, which is also the most.
	Memory int64

	Layout *Layout // nil: no layout

	// NoTree says that trees have choices only and no nodes: the text is in the Machine. Mark,
	// if not nil, returns bytes to write after the text of a terminal: a token, or a literal
	// or class outside tokens. With alone, the bytes replace the text. Neither works with
	// hooks, and texts without a tree have no layout.
	NoTree bool
	Mark   func(*grammar.Expr) (mark string, alone bool)
}

// ErrTooLarge is the error of a derivation that outgrew Options.MaxNodes.
var ErrTooLarge = errors.New("the derivation grew too large")

// Machine expands a grammar into trees; a [Chooser] makes the choices. It is for one goroutine
// and any number of derivations.
type Machine struct {
	MaxSize int  // as in Options; it may change between derivations
	NoTree  bool // likewise

	// With NoTree, a derivation appends its text to Text and sets its Size, in Options.Unit,
	// and Depth, as defined at [Depth].
	Text        []byte
	Size, Depth int

	g     *grammar.Grammar
	o     Options
	facts *grammar.Facts
	ch    Chooser

	tree      *Tree     // under construction
	texts     *textSink // nil: all nodes of the tree are kept
	sink      textSink
	nodes     int  // made so far
	freeAt    int  // nodes at the last decision among several values
	draft     Tree // memory of the current tree, overwritten by the next
	stack     []frame
	bytes     int // length of the text so far
	leastName int // the value of Default at a decision about a name
	leastFrom int // a Default was answered at this stack height; everything above it takes its least derivation

	b       budget
	d       Decision
	allowed []int
	parts   []part // by Expr.ID; nil before the first derivation
}

// frame is an expression being expanded.
type frame struct {
	e     *grammar.Expr
	node  int // index in the tree; -1 for a sequence
	start int // the number of nodes when it began
	next  int // Seq: next child; Rep: elements begun
	left  int // remaining levels of depth
	depth int
	mark  int // bytes when it began, to check NonEmpty
	need  int // the hooks' requirement on the state after it
	inner int // the same, inside its annotations
	want  grammar.Want
}

// unlimited is greater than the depth of any derivation, but less than grammar.Never.
const unlimited = grammar.Never - 1

// NewMachine returns a machine for a frozen grammar.
func NewMachine(g *grammar.Grammar, o Options) *Machine {
	if o.Facts == nil {
		o.Facts = g.Facts(nil, grammar.Structure)
	}
	if o.MaxNodes == 0 {
		o.MaxNodes = 50_000_000
	}
	return &Machine{MaxSize: o.MaxSize, NoTree: o.NoTree, g: g, o: o, facts: o.Facts}
}

// Facts returns the least depths and sizes that the machine uses.
func (m *Machine) Facts() *grammar.Facts { return m.facts }

// Run expands the start rule, asking ch at every decision, and returns the tree. It takes time
// linear in the tree. It fails if no derivation fits in the depth, with [ErrTooLarge], with a
// [*lex.JoinError] if the tokens cannot be laid out, and with the errors of the context, the
// chooser and hooks.
func (m *Machine) Run(ctx context.Context, ch Chooser) (*Tree, error) {
	t, err := m.Draft(ctx, ch)
	if err != nil {
		return nil, err
	}
	if cap(t.nodes) > keptNodes {
		given := *t // a tree this large is not copied; the next one gets new memory
		*t = Tree{}
		return &given, nil
	}
	return t.Clone(), nil
}

// keptNodes bounds the memory of a draft that is kept for the next one, in nodes.
const keptNodes = 1 << 15

// Draft is Run, except that the next Run or Draft overwrites the tree. After a few derivations
// it allocates nothing for the tree. With a [*lex.JoinError] it also returns the tree, without
// layout.
func (m *Machine) Draft(ctx context.Context, ch Chooser) (*Tree, error) {
	left := unlimited
	if m.o.MaxDepth > 0 {
		left = m.o.MaxDepth
	}
	if m.parts == nil {
		m.findParts()
	}
	root := m.g.Root
	switch needs := m.facts.Depth(root, grammar.Any); {
	case needs == grammar.Never:
		return nil, fmt.Errorf("rule %s derives nothing", m.g.Start.Name)
	case needs > left:
		return nil, fmt.Errorf("rule %s needs at least depth %d, not %d", m.g.Start.Name, needs, left)
	}
	if cap(m.draft.nodes) > keptNodes {
		m.draft = Tree{}
	}
	m.draft = Tree{Grammar: m.g, nodes: m.draft.nodes[:0], choices: m.draft.choices[:0]}
	m.tree = &m.draft
	m.b, m.nodes, m.freeAt, m.texts = budget{}, 0, 0, nil
	if m.NoTree {
		m.texts = &m.sink
		m.sink = textSink{text: m.Text, mark: m.o.Mark}
	}
	m.ch, m.bytes, m.leastFrom, m.stack = ch, 0, unlimited, m.stack[:0]
	if h := m.o.Hooks; h != nil {
		h.Reset()
		if !h.Can(root, grammar.Any, left, 0) {
			within := ""
			if m.o.MaxDepth > 0 {
				within = fmt.Sprintf(" within depth %d", left)
			}
			return nil, fmt.Errorf("rule %s derives nothing%s with the names that are in play; take more names, or a larger bound", m.g.Start.Name, within)
		}
	}
	if err := m.push(root, grammar.Any, left, 0, 0); err != nil {
		return nil, err
	}
	for steps := 0; len(m.stack) > 0; steps++ {
		if steps&0xfff == 0xfff && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if m.nodes > m.o.MaxNodes {
			return nil, fmt.Errorf("%w: more than %d nodes", ErrTooLarge, m.o.MaxNodes)
		}
		if err := m.step(); err != nil {
			return nil, err
		}
	}
	t := m.tree
	if m.texts != nil {
		from := len(m.Text)
		m.Text, m.Size, m.Depth = m.sink.text, m.b.used, m.sink.depth
		if m.g.Binary {
			m.Text = t.AppendText(m.Text[:from])
		}
		if m.g.Binary && m.o.Unit == grammar.Bytes { // parts may add bytes
			m.Size = len(m.Text) - from
			if m.g.Compresses {
				m.Size = t.counted()
			}
		}
	}
	if m.o.Layout != nil && m.texts == nil {
		m.leastFrom = unlimited
		if err := m.layOut(m.o.Layout); err != nil {
			return t, err
		}
	}
	m.tree = nil
	return t, nil
}

// Ahead reports whether less[e.ID] < than for some expression e that may follow in the open
// expressions: a later part of a sequence, or a repetition that may continue. It may be called
// during a decision about an alternative or about continuing, and takes time linear in the
// number of these expressions.
func (m *Machine) Ahead(less []uint16, than uint16) bool {
	for i := len(m.stack) - 2; i >= 0; i-- { // the last is being decided
		s := &m.stack[i]
		switch {
		case s.e.Op == grammar.Seq:
			for _, k := range s.e.Children[s.next:] {
				if less[k.ID] < than {
					return true
				}
			}
		case s.e.Op == grammar.Rep && less[s.e.ID] < than && s.next < m.last(s.e):
			return true
		}
	}
	return false
}

// step advances the innermost expression by one child.
func (m *Machine) step() error {
	f := &m.stack[len(m.stack)-1]
	switch f.e.Op {
	case grammar.Seq:
		if f.next < len(f.e.Children) {
			return m.pushElement(f)
		}
	case grammar.Rep:
		more, err := m.another(f)
		if err != nil {
			return err
		}
		if more {
			return m.pushRepeated(f)
		}
		if m.texts == nil {
			m.tree.nodes[f.node].Val = f.next
		}
	default: // Choice, Ref: their one child is complete
	}
	return m.pop()
}

// push begins the expansion of e.
func (m *Machine) push(e *grammar.Expr, want grammar.Want, left, depth, need int) error {
	for {
		inner := need
		if h := m.o.Hooks; h != nil {
			switch {
			case h.Acts(e):
				done, err := m.enter(e, left, depth, need)
				if done || err != nil {
					return err
				}
				inner = h.Inner(e, need)
			case need != 0 && !h.Concerns(e) && !h.CanAfter(need, true):
				want = grammar.NonEmpty
			}
		}
		if e.Op == grammar.Lit || e.Op == grammar.Class {
			return m.terminal(e, want, left, depth)
		}
		if m.texts != nil && m.texts.mark == nil && e.Op == grammar.Rep && e.Min == e.Max && e.Children[0].Op == grammar.Lit {
			m.literals(e)
			return nil
		}
		if m.MaxSize > 0 || m.texts != nil {
			m.owe(e)
		}
		f := m.newFrame()
		f.e, f.node, f.start, f.next, f.mark = e, -1, len(m.tree.nodes), 0, m.bytes
		f.left, f.depth, f.want, f.need, f.inner = left, depth, want, need, inner
		if e.Op != grammar.Seq {
			m.nodes++
			if m.texts == nil {
				f.node = len(m.tree.nodes)
				m.tree.nodes = append(m.tree.nodes, Node{Expr: e, From: len(m.tree.choices)})
			}
		}
		need = inner
		switch e.Op {
		case grammar.Choice:
			alt, err := m.alternative(f)
			if err != nil {
				return err
			}
			if m.texts == nil {
				m.tree.nodes[f.node].Val = alt
			}
			m.drop(m.texts != nil)
			e = e.Children[alt]
		case grammar.Ref:
			if e.Rule.Kind == grammar.Skip && !e.Rule.Inline {
				return m.pop()
			}
			p := &m.parts[e.ID]
			if m.texts != nil {
				m.texts.begin(e, depth+p.level)
			}
			if p.leaf {
				m.b.leaf++
			}
			m.drop(m.texts != nil && !p.leaf && e.Rule.Kind != grammar.Token)
			e, left, depth = e.Rule.Body, left-p.level, depth+p.level
		default:
			return nil
		}
	}
}

// drop removes the innermost frame before its last part if nothing is to be done at its end.
// A least derivation ends there.
func (m *Machine) drop(idle bool) {
	if n := len(m.stack); idle && m.leastFrom != n && m.o.Hooks == nil {
		m.stack = m.stack[:n-1]
	}
}

// newFrame returns a new frame on the stack. Its fields hold old values: making a frame
// elsewhere and copying it would cost a walk a fifth of its time.
func (m *Machine) newFrame() *frame {
	n := len(m.stack)
	if n == cap(m.stack) {
		m.stack = append(m.stack, frame{})
	}
	m.stack = m.stack[:n+1]
	return &m.stack[n]
}

// terminal derives a literal or a class.
func (m *Machine) terminal(e *grammar.Expr, want grammar.Want, left, depth int) error {
	n := Node{Expr: e, From: len(m.tree.choices)}
	if e.Op == grammar.Lit {
		m.bytes += len(e.Text)
		if m.texts != nil {
			m.texts.literal(e)
		}
	} else {
		r, err := m.member(e, want, left, depth)
		if err != nil {
			return err
		}
		n.Val = int(r)
		if m.texts != nil {
			m.texts.member(e, r)
		}
	}
	m.nodes++
	if m.MaxSize > 0 || m.texts != nil {
		m.paid(e, nodeSize(&n, m.o.Unit))
	}
	at := len(m.tree.nodes)
	if m.texts == nil {
		n.End, n.To = at+1, len(m.tree.choices)
		m.tree.nodes = append(m.tree.nodes, n)
	}
	m.settle()
	return m.leave(e, at)
}

// literals derives a literal a fixed number of times, without nodes.
func (m *Machine) literals(e *grammar.Expr) {
	n := Node{Expr: e.Children[0]}
	m.nodes++
	if e.Min > m.o.MaxNodes-m.nodes {
		m.nodes = m.o.MaxNodes + 1 // too large
		return
	}
	m.nodes += e.Min
	m.bytes += e.Min * len(n.Expr.Text)
	m.texts.text = appendTimes(m.texts.text, n.Expr.Text, e.Min)
	m.paid(n.Expr, e.Min*nodeSize(&n, m.o.Unit))
	m.settle()
}

// settle ends a complete least derivation.
func (m *Machine) settle() {
	if m.leastFrom > len(m.stack) {
		m.leastFrom = unlimited
	}
}

// leave tells the hooks that an expression is complete; at is the index of its first node.
func (m *Machine) leave(e *grammar.Expr, at int) error {
	if m.o.Hooks != nil && m.o.Hooks.Acts(e) {
		return m.o.Hooks.Leave(e, func() string { return m.textFrom(at) })
	}
	return nil
}

// pop completes the innermost expression.
func (m *Machine) pop() error {
	f := &m.stack[len(m.stack)-1]
	m.stack = m.stack[:len(m.stack)-1]
	m.settle()
	switch {
	case m.texts != nil:
		if f.e.Op == grammar.Ref {
			m.paid(f.e, 0)
			m.texts.end(f.e)
		}
	case f.node >= 0:
		n := &m.tree.nodes[f.node]
		n.End, n.To = len(m.tree.nodes), len(m.tree.choices)
		if m.MaxSize > 0 {
			m.paid(f.e, nodeSize(n, m.o.Unit))
		}
	}
	return m.leave(f.e, f.start)
}

// pushElement begins the next element of a sequence.
func (m *Machine) pushElement(f *frame) error {
	i, want, need := f.next, grammar.Any, f.inner
	f.next++
	if f.want == grammar.NonEmpty && m.bytes == f.mark && !m.laterNonEmpty(f, i+1) {
		want = grammar.NonEmpty
	}
	if h := m.o.Hooks; h != nil && h.Concerns(f.e) {
		need = h.Rest(m.place(f, i+1, want))
	}
	e, left, depth := f.e.Children[i], f.left, f.depth
	m.drop(f.next == len(f.e.Children))
	m.begin(e)
	return m.push(e, want, left, depth, need)
}

// laterNonEmpty reports whether an element from child i on can provide the text that the
// sequence still needs.
func (m *Machine) laterNonEmpty(f *frame, i int) bool {
	for _, k := range f.e.Children[i:] {
		if m.parts[k.ID].depth[grammar.NonEmpty] <= f.left {
			return true
		}
	}
	return false
}

// pushRepeated begins an element of a repetition.
func (m *Machine) pushRepeated(f *frame) error {
	want := grammar.Any
	if f.next >= f.e.Min {
		want = m.parts[f.e.ID].element
	}
	if f.next < f.e.Min {
		m.begin(f.e.Children[0])
	}
	last := m.last(f.e)
	if f.want == grammar.NonEmpty && m.bytes == f.mark && f.next == last-1 {
		want = grammar.NonEmpty
	}
	f.next++
	need := f.inner
	if h := m.o.Hooks; h != nil && h.Concerns(f.e) {
		need = h.Rest(m.place(f, f.next, want))
	}
	return m.push(f.e.Children[0], want, f.left, f.depth, need)
}

// place describes the place before part from of the sequence or repetition of frame f. The
// element before it is still to be derived.
func (m *Machine) place(f *frame, from int, childWant grammar.Want) Place {
	return Place{
		Expr: f.e, From: from, Want: f.want, Left: f.left, Need: f.inner, Empty: m.bytes == f.mark,
		Least: m.leastFrom <= len(m.stack), ChildWant: childWant,
	}
}

// last returns the maximum number of elements of the repetition.
func (m *Machine) last(e *grammar.Expr) int {
	switch {
	case e.Max >= 0:
		return e.Max
	case m.o.Repeat > 0:
		return max(e.Min, m.o.Repeat)
	}
	return unlimited
}
