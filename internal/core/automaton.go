package core

import (
	"errors"
	"math/bits"
	"slices"

	"github.com/gramfuzz/gramfuzz/grammar"
)

// Automaton is a finite automaton that runs over a derivation in pre-order. It acts at
// expressions of the grammar, and restricts the derivations there. Its states are those of a
// [Space]; a run begins in state 0.
//
// An Automaton is immutable and safe for concurrent use.
type Automaton interface {
	// Space has the states.
	Space() *Space

	Actions

	// Edges lists the transitions of one of the automaton's leaves from state s, by ascending
	// choice values.
	Edges(a *Action, s State) []Edge

	// Enter returns the state at the beginning of a wrap's inside. It may differ from the state
	// before in the wrap's component.
	Enter(w Wrap, before State) State

	// Leave returns the state after a wrap, given the states before it and at the end of its
	// inside; false if the derivation is refused.
	Leave(w Wrap, before, end State) (State, bool)

	// Accepting reports whether a derivation may end in a state; nil: in any.
	Accepting() func(State) bool
}

// Actions are the actions of an automaton in a grammar.
type Actions interface {
	// At returns the action at expression e; nil: there is none.
	At(e *grammar.Expr) *Action
}

// Action is the action of an automaton at an expression.
type Action struct {
	Kind int // defined by the automaton

	// Leaf says that the automaton derives the expression: by an edge, as one terminal.
	Leaf      bool
	Writes    bool    // of a leaf: edges lead to other states
	Spends    bool    // of a leaf that writes: its edges lead to states that allow nothing more
	Silent    bool    // of a leaf: it has one edge, and no choice
	Component int     // of a leaf: the component that its edges read and write
	Also      uint64  // of a leaf: other components that they read and write
	Classes   uint64  // of a leaf: a set for the automaton's own use
	Bytes     float64 // of a leaf: the mean length of its texts

	Wraps []Wrap // around the expression, the innermost first
}

// Wrap is an action of an automaton around an expression: before it, and after it with access to
// the state before.
type Wrap struct {
	Kind      int  // defined by the automaton
	Component int  // the component that it reads and writes
	Restores  bool // the component has its former state afterwards
	Forgets   bool // the state afterwards does not depend on that at the end of the inside

	// Begin and End are the effects of leaves before and after the expression.
	Begin, End Effect
}

// Edge is a transition between states.
type Edge struct {
	To    State
	Size  int  // the length of its texts in bytes
	Ways  int  // the number of its texts
	First int  // the choice value of the first text
	Fresh bool // for the automaton's own use
}

// State is a state of an automaton: the states of its components as one number.
type State int64

// maxBits bounds the bits of a state.
const maxBits = 62

// ErrStates says that a space has too many states to number.
var ErrStates = errors.New("too many states to number")

// Space numbers the states of an automaton with up to 64 components: each has bits of its own, or
// digits in mixed radix where the bits are too many, which is slower. Programs distinguish the
// states of a part only by the components that it reads and changes. A Space is immutable.
type Space struct {
	size  []State      // the number of states of each component
	first []int        // the lowest bit of each component, and the number of all bits
	masks [][256]State // the bits of each set of components, of which each element has eight
	radix []State      // of the digits; nil: bits
}

// NewSpace returns the space of components with the given numbers of states.
func NewSpace(sizes ...State) (*Space, error) {
	sp := &Space{size: sizes, first: []int{0}, masks: make([][256]State, (len(sizes)+7)/8)}
	all := 0
	for c, n := range sizes {
		wide := bits.Len64(uint64(n - 1))
		for set := range 256 {
			if set>>(c%8)&1 != 0 && all+wide <= maxBits {
				sp.masks[c/8][set] |= (1<<wide - 1) << all
			}
		}
		all += wide
		sp.first = append(sp.first, all)
	}
	if all <= maxBits {
		return sp, nil
	}
	product := State(1)
	for _, n := range sizes {
		sp.radix = append(sp.radix, product)
		if n > 1<<maxBits/product {
			return nil, ErrStates
		}
		product *= n
	}
	return sp, nil
}

// Len returns the number of components.
func (sp *Space) Len() int { return len(sp.size) }

// Part returns the state of one component.
func (sp *Space) Part(s State, c int) State {
	if sp.radix != nil {
		return s / sp.radix[c] % sp.size[c]
	}
	return s >> sp.first[c] & (1<<(sp.first[c+1]-sp.first[c]) - 1)
}

// With returns s with another state of component c.
func (sp *Space) With(s State, c int, part State) State {
	if sp.radix != nil {
		return s + (part-sp.Part(s, c))*sp.radix[c]
	}
	return s ^ (part^sp.Part(s, c))<<sp.first[c]
}

// take returns s with n components, those from number c on, as t has those from number d on in
// another space.
func (sp *Space) take(s State, c int, other *Space, t State, d, n int) State {
	for i := range n {
		s = sp.With(s, c+i, other.Part(t, d+i))
	}
	return s
}

// Only returns s with the components outside the set in their initial states.
func (sp *Space) Only(s State, set uint64) State { return sp.Merge(0, s, set) }

// Merge returns s with the components in the set taken from t.
func (sp *Space) Merge(s, t State, set uint64) State {
	if sp.radix != nil {
		for c := range sp.size {
			if set>>c&1 != 0 {
				s = sp.With(s, c, sp.Part(t, c))
			}
		}
		return s
	}
	all := State(0)
	for i := range sp.masks {
		all |= sp.masks[i][set>>(8*i)&255]
	}
	return s ^ (s^t)&all
}

// Agree reports whether s and t are equal in the components of the set.
func (sp *Space) Agree(s, t State, set uint64) bool {
	return s == t || sp.Only(s, set) == sp.Only(t, set)
}

// Effects has, for each part of a grammar, the components of an automaton that it reads and
// changes, as bits. The zero Effects are those of no automaton.
type Effects struct {
	a            Actions
	facts        *grammar.Facts
	touch, write []uint64 // by Expr.ID

	rest [][]effect // of sequences, by Expr.ID: those from an element on, so that Of need not go along the rest
}

type effect struct{ touch, write uint64 }

// NewEffects computes the effects of all expressions: least fixed points, in time linear in the
// grammar for each round. Tokens that are leaves under the facts have none.
func NewEffects(g *grammar.Grammar, a Actions, facts *grammar.Facts) Effects {
	f := Effects{a, facts, make([]uint64, len(g.Exprs)), make([]uint64, len(g.Exprs)), make([][]effect, len(g.Exprs))}
	for changed := true; changed; {
		changed = false
		for id := len(g.Exprs) - 1; id >= 0; id-- {
			e := g.Exprs[id]
			t, w := f.within(e, f.wraps(e))
			if t != f.touch[id] || w != f.write[id] {
				f.touch[id], f.write[id], changed = t, w, true
			}
		}
	}
	for _, e := range g.Exprs {
		if e.Op != grammar.Seq {
			continue
		}
		rest := make([]effect, len(e.Children)+1)
		for i, child := range slices.Backward(e.Children) {
			rest[i] = effect{rest[i+1].touch | f.touch[child.ID], rest[i+1].write | f.write[child.ID]}
		}
		f.rest[e.ID] = rest
	}
	return f
}

// at returns the automaton's action at e, or nil.
func (f Effects) at(e *grammar.Expr) *Action {
	if f.a == nil {
		return nil
	}
	return f.a.At(e)
}

// wraps returns the number of wraps around e.
func (f Effects) wraps(e *grammar.Expr) int {
	if a := f.at(e); a != nil {
		return len(a.Wraps)
	}
	return 0
}

func (f Effects) leaf(e *grammar.Expr) bool {
	a := f.at(e)
	return a != nil && a.Leaf
}

// Whole returns the part that is all of e.
func (f Effects) Whole(e *grammar.Expr, w grammar.Want) Part { return Part{e, 0, f.wraps(e), w} }

// Of returns the components that a part reads or changes, and those that it may change.
func (f Effects) Of(k Part) (touch, write uint64) {
	e := k.Expr
	switch {
	case f.a == nil:
		return 0, 0
	case k.I > 0 && e.Op == grammar.Rep:
		return f.touch[e.Children[0].ID], f.write[e.Children[0].ID]
	case k.I > 0:
		rest := f.rest[e.ID][min(k.I, len(e.Children))]
		return rest.touch, rest.write
	case k.Wraps == f.wraps(e):
		return f.touch[e.ID], f.write[e.ID]
	}
	return f.within(e, k.Wraps)
}

// within computes the effects of e with the first wraps of its wraps.
func (f Effects) within(e *grammar.Expr, wraps int) (touch, write uint64) {
	a := f.at(e)
	switch {
	case a != nil && a.Leaf:
		touch = 1<<a.Component | a.Also
		if a.Writes {
			write = touch
		}
	case e.Op == grammar.Ref && (e.Rule == nil || e.Rule.Kind == grammar.Skip && !e.Rule.Inline || f.facts.Leaf(e)):
	case e.Op == grammar.Ref:
		touch, write = f.touch[e.Rule.Body.ID], f.write[e.Rule.Body.ID]
	default:
		touch, write = f.join(e.Children)
	}
	if a == nil {
		return touch, write
	}
	for _, w := range a.Wraps[:wraps] {
		bit := uint64(1) << w.Component
		touch |= bit
		write |= bit
		if w.Restores {
			write &^= bit
		}
	}
	return touch, write
}

func (f Effects) join(exprs []*grammar.Expr) (touch, write uint64) {
	for _, e := range exprs {
		touch |= f.touch[e.ID]
		write |= f.write[e.ID]
	}
	return touch, write
}
