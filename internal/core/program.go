package core

import (
	"errors"
	"sync"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/scope"
)

// ErrCyclic says that a rule derives itself without consuming anything, so that
// there are infinitely many derivations.
var ErrCyclic = errors.New("the rule derives itself without consuming anything: infinitely many derivations")

// Op is the kind of a program node.
type Op uint8

// The kinds of program nodes.
const (
	Leaf  Op = iota // a terminal: Ways by size; decides one of its ways
	Union           // one of Children; decides where Values is set, else silent
	Prod            // Children[0], then Children[1]
	Call            // a rule application around Children[0]
)

// NodeID is the index of a node in a [Program].
type NodeID int32

// The two nodes that every program has.
const (
	None  NodeID = 0 // no derivation
	Empty NodeID = 1 // one derivation, of nothing, with no choice
)

// Ways is how many ways a leaf has of one size.
type Ways struct{ Size, N int }

// Node is one node of a program.
type Node struct {
	Op       Op
	Expr     *grammar.Expr
	Children []NodeID

	// Values holds, for a union that stands for a decision, the value of the
	// choice that leads to each child. A silent union splits the derivations of
	// one expression by which part is empty; nothing is chosen at it.
	Values []int

	Ways  []Ways       // Leaf: by size, ascending; sizes are all 0 under a depth bound
	Level int          // Call: levels that it adds to the depth
	Size  int          // Call: units that it adds to the size
	Want  grammar.Want // Leaf that is a token: whether its text may be empty

	// Effect is that of a leaf on the names in play; NS says on which namespace.
	Effect Effect
	NS     int
	First  int  // Effect is TakeName: the value of the choice that means its first way
	Fresh  bool // Effect is TakeName: the names are not in play yet
}

// Program is a grammar prepared for counting under one mask, measure and kind
// of bound: sums and products over numbered nodes. It counts derivations, and each
// derivation of the program is one of the grammar: every element of an unbounded
// repetition beyond the least number derives a text that is not empty.
//
// A Program is immutable and may be used by any number of goroutines.
type Program struct {
	Grammar *grammar.Grammar
	Facts   *grammar.Facts
	Unit    grammar.Unit
	Root    NodeID
	Nodes   []Node

	// Names are those of an annotated grammar, nil for others; Space has their
	// states.
	Names *scope.Names
	Space *scope.Space

	byDepth bool
	repeat  int
	tokens  map[*grammar.Rule]*Texts
	memo    map[partKey]NodeID
	effects map[effectKey]NodeID
	order   []NodeID // children that cost no depth or size before their parents

	numberOnce sync.Once
	numbers    numbering
}

// want says whether a derivation must have text; [grammar.Want] with one case more.
type want uint8

const (
	anyText want = iota
	nonEmpty
	emptyOnly
)

// partKey identifies a part of an expression: of a sequence or repetition from part i
// on, of an annotated one with so many of its wraps (see [scope.Element]), between
// states of names. Parts without names have zero states.
type partKey struct {
	expr  *grammar.Expr
	i     int // which part of a sequence or repetition
	wraps int
	want  want
	states
}

// states are those before and after a part: after it, namespaces in exact are
// as in out, the others as they may be.
type states struct {
	in, out scope.State
	exact   uint64
}

type lowering struct {
	p     *Program
	todo  []pending
	reach *scope.Reach
	err   error
}

// pending is a node whose children are still to be made; a worklist instead of
// recursion, since a hostile grammar can nest rules as deep as it likes.
type pending struct {
	id  NodeID
	key partKey
}

// New prepares g for counting with its names, which may be nil. With repeat > 0 it
// counts by depth, and unbounded repetitions are cut at max(min, repeat) elements; with
// 0 by size in the unit.
func New(g *grammar.Grammar, names *scope.Names, facts *grammar.Facts, unit grammar.Unit, repeat int) (*Program, error) {
	return lower(g, g.Root, names, facts, unit, repeat)
}

func lower(g *grammar.Grammar, root *grammar.Expr, names *scope.Names, facts *grammar.Facts, unit grammar.Unit, repeat int) (*Program, error) {
	p := &Program{Grammar: g, Facts: facts, Unit: unit, Names: names, byDepth: repeat > 0, repeat: repeat, tokens: map[*grammar.Rule]*Texts{}, memo: map[partKey]NodeID{}}
	p.Nodes = []Node{None: {Op: Union}, Empty: {Op: Leaf, Ways: []Ways{{0, 1}}}}
	l := &lowering{p: p}
	if err := l.useNames(); err != nil {
		return nil, err
	}
	p.Root = l.node(root, anyText, states{})
	for len(l.todo) > 0 {
		t := l.todo[len(l.todo)-1]
		l.todo = l.todo[:len(l.todo)-1]
		l.fill(t)
		if names != nil && len(p.Nodes) > maxNamedNodes {
			l.err = &scope.StatesError{Limit: maxNamedNodes}
		}
		if l.err != nil {
			return nil, l.err
		}
	}
	if err := p.findTexts(); err != nil { // first: a token's lengths say whether it can be of size 0
		return nil, err
	}
	return p, p.findOrder()
}

// node returns the node for the whole of e.
func (l *lowering) node(e *grammar.Expr, w want, st states) NodeID {
	return l.part(partKey{e, 0, l.p.wraps(e), w, st})
}

// part returns the node for a part.
func (l *lowering) part(k partKey) NodeID {
	id, key, known := l.p.resolve(k)
	if known {
		return id
	}
	id = NodeID(len(l.p.Nodes))
	l.p.Nodes = append(l.p.Nodes, Node{Expr: key.expr})
	l.p.memo[key] = id
	l.todo = append(l.todo, pending{id, key})
	return id
}

// resolve finds the node for a part, or the key under which it is to be made.
func (p *Program) resolve(k partKey) (id NodeID, key partKey, known bool) {
	for {
		if p.Names != nil && !p.settle(&k) {
			return None, key, true
		}
		e := k.expr
		bare := k.wraps == 0 && p.kind(e) == scope.None
		switch {
		case k.i == 0 && !p.derives(e, k.want):
			return None, key, true
		case bare && e.IsEmpty():
			return Empty, key, true // derives says that the text is not wanted
		case e.Op == grammar.Rep:
			k.i = p.clamp(e, k.i)
		}
		over := bare && (e.Op == grammar.Seq && k.i == len(e.Children) || e.Op == grammar.Rep && k.i == e.Max)
		switch {
		case over && (k.want == nonEmpty || !p.agree(k.states)):
			return None, key, true
		case over:
			return Empty, key, true
		case bare && e.Op == grammar.Seq && k.i == len(e.Children)-1:
			k.expr, k.i = e.Children[k.i], 0
			k.wraps = p.wraps(k.expr)
			continue
		}
		id, known = p.memo[k]
		return id, k, known
	}
}

// find returns the node for a part; None where there is none.
func (p *Program) find(k partKey) NodeID {
	id, _, _ := p.resolve(k)
	return id
}

// NodeOf returns the node that stands for the whole of expression e, [None]
// where nothing that the program derives has an e of its own.
func (p *Program) NodeOf(e *grammar.Expr) NodeID {
	if p.Names != nil && p.Names.Touch(e, 0) != 0 {
		return None // it has many, one for each state of the names
	}
	return p.find(partKey{expr: e})
}

// clamp gives equivalent positions of an unbounded repetition one number.
func (p *Program) clamp(e *grammar.Expr, i int) int {
	if e.Max < 0 && !p.byDepth {
		return min(i, e.Min)
	}
	return i
}

func (p *Program) derives(e *grammar.Expr, w want) bool {
	switch w {
	case nonEmpty:
		return p.Facts.CanBeNonEmpty(e)
	case emptyOnly:
		return p.Facts.Nullable(e)
	}
	return p.Facts.Productive(e)
}

func (l *lowering) fill(t pending) {
	k := t.key
	e := k.expr
	n := Node{Expr: e}
	switch {
	case k.wraps > 0:
		n = l.wrapped(k)
	case k.i == 0 && l.p.kind(e) != scope.None:
		n = l.name(k)
	case e.Op == grammar.Lit || e.Op == grammar.Class:
		n.Op, n.Ways = Leaf, l.ways(e)
	case e.Op == grammar.Seq:
		n = l.join(k, e.Children[k.i], grammar.Any)
	case e.Op == grammar.Choice:
		n.Op = Union
		for i, child := range e.Children {
			if !l.p.Facts.Mask.On(e, i) {
				continue
			}
			if id := l.node(child, k.want, k.states); id != None {
				n.Children, n.Values = append(n.Children, id), append(n.Values, i)
			}
		}
	case e.Op == grammar.Rep:
		n = l.rep(k)
	case e.Op == grammar.Ref:
		n = l.ref(k)
	}
	l.p.Nodes[t.id] = n
}

// join makes the node of one child followed by the parts of k's expression after
// part k.i.
func (l *lowering) join(k partKey, child *grammar.Expr, childWant grammar.Want) Node {
	full := anyText
	if childWant == grammar.NonEmpty {
		full = nonEmpty
	}
	n := Node{Op: Union, Expr: k.expr}
	add := func(a, b want) {
		rest := k
		rest.i++
		rest.want, rest.wraps = b, 0
		for _, s := range l.splits(child, a, rest) {
			rest.states = s.rest
			if id := l.product(k.expr, l.node(child, a, s.child), rest); id != None {
				n.Children = append(n.Children, id)
			}
		}
	}
	switch {
	case k.want == anyText:
		add(full, anyText)
	case k.want == emptyOnly && full == nonEmpty:
	case k.want == emptyOnly:
		add(emptyOnly, emptyOnly)
	case full == nonEmpty || !l.p.Facts.Nullable(child):
		add(full, anyText)
	default:
		add(nonEmpty, anyText)
		add(emptyOnly, nonEmpty)
	}
	return n
}

// product returns a node for x and then the rest.
func (l *lowering) product(e *grammar.Expr, x NodeID, rest partKey) NodeID {
	if x == None {
		return None
	}
	y := l.part(rest)
	switch {
	case y == None:
		return None
	case x == Empty:
		return y
	case y == Empty:
		return x
	}
	return l.add(Node{Op: Prod, Expr: e, Children: []NodeID{x, y}})
}

func (l *lowering) add(n Node) NodeID {
	l.p.Nodes = append(l.p.Nodes, n)
	return NodeID(len(l.p.Nodes) - 1)
}

// asNode makes a node that is the same as id: nodes are numbered before they are
// made.
func (l *lowering) asNode(e *grammar.Expr, id NodeID) Node {
	if id == None {
		return Node{Op: Union, Expr: e}
	}
	return Node{Op: Union, Expr: e, Children: []NodeID{id}}
}

// rep makes the node of a repetition when k.i elements are complete.
func (l *lowering) rep(k partKey) Node {
	e := k.expr
	child := e.Children[0]
	if k.i < e.Min {
		return l.join(k, child, grammar.Any)
	}
	n := Node{Op: Union, Expr: e}
	if k.want != nonEmpty && l.p.agree(k.states) {
		n.Children, n.Values = append(n.Children, Empty), append(n.Values, 0)
	}
	if l.p.byDepth && e.Max < 0 && k.i >= max(e.Min, l.p.repeat) {
		return n
	}
	more := l.join(k, child, l.p.Facts.ElementWant(e))
	if len(more.Children) > 0 {
		id := more.Children[0]
		if len(more.Children) > 1 {
			id = l.add(more)
		}
		n.Children, n.Values = append(n.Children, id), append(n.Values, 1)
	}
	return n
}

// ref makes the node of a reference: a leaf for a token, else a call.
func (l *lowering) ref(k partKey) Node {
	f, e, w := l.p.Facts, k.expr, k.want
	if e.Rule.Kind == grammar.Skip && !e.Rule.Inline {
		return l.asNode(e, Empty)
	}
	if f.Leaf(e) {
		n := Node{Op: Leaf, Expr: e, Ways: []Ways{{1, 1}}}
		if w == nonEmpty {
			n.Want = grammar.NonEmpty
		}
		if l.p.byDepth {
			n.Ways[0].Size = 0
		}
		l.p.tokens[e.Rule] = nil
		return n
	}
	n := Node{Op: Call, Expr: e, Children: []NodeID{l.node(e.Rule.Body, w, k.states)}, Level: f.Level(e)}
	if l.p.Unit == grammar.Nodes && !e.Rule.Inline && !l.p.byDepth {
		n.Size = 1
	}
	return n
}

// ways returns how many texts of each size a terminal has.
func (l *lowering) ways(e *grammar.Expr) []Ways {
	switch {
	case e.Op == grammar.Lit && l.p.byDepth:
		return []Ways{{0, 1}}
	case e.Op == grammar.Lit:
		size := 1
		if l.p.Unit == grammar.Bytes {
			size = len(e.Text)
		}
		return []Ways{{size, 1}}
	}
	set := l.p.Facts.Mask.Gen(e)
	switch {
	case l.p.byDepth:
		return []Ways{{0, set.Len()}}
	case l.p.Unit != grammar.Bytes:
		return []Ways{{1, set.Len()}}
	}
	var ws []Ways
	for i, n := range set.LenByBytes() {
		if n > 0 {
			ws = append(ws, Ways{i + 1, n})
		}
	}
	return ws
}

// ByDepth reports whether the program counts by depth.
func (p *Program) ByDepth() bool { return p.byDepth }

// Repeat returns at how many elements unbounded repetitions are cut by depth; 0 by size.
func (p *Program) Repeat() int { return p.repeat }

// IsToken reports whether the node is a token that counts as one leaf.
func (n *Node) IsToken() bool {
	return n.Op == Leaf && n.Effect == NoEffect && n.Expr != nil && n.Expr.Op == grammar.Ref
}
