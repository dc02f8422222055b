package core

import (
	"errors"
	"sync"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/base/field"
)

// ErrCyclic says that a rule derives itself without consuming anything, so that
// there are infinitely many derivations.
var ErrCyclic = errors.New("the rule derives itself without consuming anything: infinitely many derivations")

// Op is the kind of a program node.
type Op uint8

// The kinds of program nodes.
const (
	Leaf    Op = iota // a terminal: Ways by size; decides one of its ways
	Union             // one of Children; decides where Values is set, else silent
	Prod              // Children[0], then Children[1]
	Call              // a rule application around Children[0], or a part with the bytes that it adds by its size
	wrapped           // in the first pass only: a wrap of the automaton around Children[0]
)

// NodeID is the index of a node in a [Program].
type NodeID int32

// The two nodes that every program has.
const (
	None  NodeID = 0 // no derivation
	Empty NodeID = 1 // one derivation, of nothing, with no choice
)

// Ways is the number of ways that a leaf has of one size.
type Ways struct{ Size, N int }

// Resize describes the bytes that a part adds by its own size; none if the rule is nil. Several
// sizes of the part may map to one size with these bytes; they have a node each, by the residue.
type Resize struct {
	Rule    *field.Resize
	Residue int
}

// Node is one node of a program.
type Node struct {
	Op       Op
	Expr     *grammar.Expr
	Children []NodeID

	// Values holds, for a union that stands for a decision, the value of the choice that leads to
	// each child. A silent union, without a decision, splits the derivations of one expression by
	// which part is empty.
	Values []int

	Ways   []Ways       // Leaf: by size, ascending; sizes are all 0 under a depth bound
	Level  int          // Call: the levels that it adds to the depth
	Size   int          // Call: the units that it adds to the size
	Resize              // Call: the bytes added by size instead
	Want   grammar.Want // Leaf that is a token: whether its text may be empty

	// Effect is that of a leaf on a component of the automaton's state.
	Effect    Effect
	Component int
	First     int  // Effect is OwnLeaf: the choice value of its first way; -1: no choice
	Fresh     bool // Effect is OwnLeaf: Fresh of its edge
}

// Effect is the effect of a leaf on an automaton when a text is made. Leaves with only an effect
// have one way, of size 0 and without text; ranks and choices do not depend on them. Effects from
// 2 on are the automaton's own.
type Effect uint8

// The effects that every automaton has.
const (
	NoEffect Effect = iota
	OwnLeaf         // the leaf is an edge of the automaton
)

// Program is a grammar prepared for counting under one mask, measure and kind of bound: sums and
// products over numbered nodes. It counts derivations, and each derivation of the program is one
// of the grammar: every element of an unbounded repetition beyond the least number derives a text
// that is not empty.
//
// A Program is immutable and safe for concurrent use.
type Program struct {
	Grammar *grammar.Grammar
	Facts   *grammar.Facts
	Unit    grammar.Unit
	Root    NodeID
	Nodes   []Node

	Automaton Automaton // nil: none
	Budget    Budget    // for each table made of it

	repeat int // by depth: the greatest number of elements of unbounded repetitions; 0 by size
	start  *grammar.Expr
	tokens map[*grammar.Rule]*Texts
	order  []NodeID // children that cost no depth or size before their parents

	// Of the first pass: the nodes by part. With an automaton also the parts by node: for a
	// product that of its rest, none for a node without a part of its own.
	memo  map[Part]NodeID
	keys  []Part
	marks Effects

	// Of the second pass, with an automaton: the program of the first, and the nodes made from
	// its nodes.
	base    *Program
	between map[splitKey]NodeID
	leaves  map[effectKey]NodeID

	numberOnce sync.Once
	numbers    numbering
}

// New prepares g for counting with an automaton, which may be nil. With repeat > 0 it counts by
// depth, and unbounded repetitions are cut at max(min, repeat) elements; with 0 by size in the
// unit. The budget holds for the program and for each table made of it. Errors: [ErrCyclic],
// [StatesError], [ElementsError], [MemoryError].
func New(g *grammar.Grammar, a Automaton, facts *grammar.Facts, unit grammar.Unit, repeat int, budget Budget) (*Program, error) {
	return compile(g, g.Root, a, facts, unit, repeat, budget)
}

func compile(g *grammar.Grammar, root *grammar.Expr, a Automaton, facts *grammar.Facts, unit grammar.Unit, repeat int, budget Budget) (*Program, error) {
	p := newBase(g, a, facts, unit, repeat, budget)
	p.start = root
	var err error
	if p.Root, err = p.lower(p.marks.Whole(root, grammar.Any)); err != nil {
		return nil, err
	}
	if a != nil {
		if p, err = split(p); err != nil {
			return nil, err
		}
	}
	if err := p.findTexts(); err != nil { // first, since a token's lengths decide whether it can have size 0
		return nil, err
	}
	return p, p.findOrder()
}

// newBase returns a program of the first pass without a root.
func newBase(g *grammar.Grammar, a Automaton, facts *grammar.Facts, unit grammar.Unit, repeat int, budget Budget) *Program {
	p := &Program{Grammar: g, Facts: facts, Unit: unit, Automaton: a, Budget: budget, repeat: repeat,
		tokens: map[*grammar.Rule]*Texts{}, memo: map[Part]NodeID{}}
	p.Nodes = []Node{None: {Op: Union}, Empty: {Op: Leaf, Ways: []Ways{{0, 1}}}}
	if a != nil {
		p.marks = NewEffects(g, a, facts)
		p.keys = make([]Part, len(p.Nodes))
	}
	return p
}

// NodeOf returns the node for the whole of expression e, [None] if no derivation of the program
// has e as a part of its own.
func (p *Program) NodeOf(e *grammar.Expr) NodeID {
	if p.base == nil {
		return p.find(p.marks.Whole(e, grammar.Any))
	}
	if touch, _ := p.base.marks.Of(p.base.marks.Whole(e, grammar.Any)); touch != 0 {
		return None // it has many nodes, one for each state of the automaton
	}
	return p.between[splitKey{id: p.base.NodeOf(e)}]
}

// ways returns the number of texts of each size of a terminal.
func (p *Program) ways(e *grammar.Expr) []Ways {
	switch {
	case e.Op == grammar.Lit && p.ByDepth():
		return []Ways{{0, 1}}
	case e.Op == grammar.Lit:
		size := 1
		if p.Unit == grammar.Bytes {
			size = len(e.Text)
		}
		return []Ways{{size, 1}}
	}
	set := p.Facts.Mask.Gen(e)
	switch {
	case p.ByDepth():
		return []Ways{{0, set.Len()}}
	case p.Unit != grammar.Bytes:
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
func (p *Program) ByDepth() bool { return p.repeat > 0 }

// Repeat returns the greatest number of elements of unbounded repetitions by depth; 0 by size.
func (p *Program) Repeat() int { return p.repeat }

// IsToken reports whether the node is a token that counts as one leaf.
func (n *Node) IsToken() bool {
	return n.Op == Leaf && n.Effect == NoEffect && n.Expr != nil && n.Expr.Op == grammar.Ref
}
