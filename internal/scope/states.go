package scope

import (
	"errors"
	"fmt"
	"math"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/core"
)

// State says, for every namespace, how many names are visible and pending: all
// that decides what can be derived, since names of one length are alike. State
// 0 is the beginning. What the number means depends on its [States].
type State = core.State

// States is the automaton of the names in play. It tells states apart either exactly,
// for counting, or only as far as it matters to what is possible at all. It is
// immutable and may be used by any number of goroutines.
type States struct {
	*Names
	space *core.Space
	exact bool
	ns    []coding
}

// coding says what the state of a namespace means.
type coding struct {
	*Namespace
	size State // how many states it has
	lens []int // exact: the length of each class of names; one class of length 0 where lengths do not matter
	pool []int // exact: names of each class
}

// Space implements [core.Automaton], as do the other exported methods.
func (sp *States) Space() *core.Space { return sp.space }

// Accepting returns nil: a sentence may end with any names in play.
func (sp *States) Accepting() func(State) bool { return nil }

// NamesOf returns the names that a program counts with, nil where it has none.
func NamesOf(p *core.Program) *Names {
	if sp, ok := core.Find[*States](p.Automaton); ok {
		return sp.Names
	}
	return nil
}

// StatesError says that names in play have more states than can be counted.
type StatesError struct{ Limit int }

func (e *StatesError) Error() string {
	return fmt.Sprintf("the names in play have more than %d states: too many to count with; take fewer names with --pool, or a walk", e.Limit)
}

// ofNames turns a [core.StatesError] into one of the names, if there are any.
func (n *Names) ofNames(err error) error {
	if states := new(core.StatesError); n != nil && errors.As(err, &states) {
		return &StatesError{states.Limit}
	}
	return err
}

// Program prepares g for counting with the names and another automaton beside them, which
// may both be nil, as [core.New] does.
func Program(g *grammar.Grammar, n *Names, beside core.Automaton, facts *grammar.Facts, unit grammar.Unit, repeat int, budget core.Budget) (*core.Program, error) {
	automaton, err := n.Counted(unit == grammar.Bytes && repeat == 0)
	if err != nil {
		return nil, err
	}
	switch {
	case automaton == nil:
		automaton = beside
	case beside != nil:
		if automaton, err = core.Join(g, automaton, beside); err != nil {
			return nil, n.ofNames(err)
		}
	}
	p, err := core.New(g, automaton, facts, unit, repeat, budget)
	return p, n.ofNames(err)
}

// BoundTextError says that sizes in bytes cannot be counted since a bound text
// stands twice.
type BoundTextError struct{ Pos grammar.Pos }

func (e *BoundTextError) Error() string {
	return fmt.Sprintf("%v: @same repeats texts of several lengths, which cannot be counted in bytes; count in terminals or nodes", e.Pos)
}

// Counted returns the automaton of the names for counting, nil where n is; byLength
// tells names of different lengths apart, as sizes in bytes need.
func (n *Names) Counted(byLength bool) (core.Automaton, error) {
	if n == nil {
		return nil, nil
	}
	if byLength {
		for id, el := range n.at {
			if el != nil && el.Kind == Same {
				return nil, &BoundTextError{n.grammar.Exprs[id].Pos}
			}
		}
	}
	sp := &States{Names: n, exact: true}
	return sp, sp.code(func(c *coding) {
		for _, text := range c.Texts {
			length := 0
			if byLength {
				length = len(text)
			}
			if k := len(c.lens); k == 0 || c.lens[k-1] != length {
				c.lens, c.pool = append(c.lens, length), append(c.pool, 0)
			}
			c.pool[len(c.pool)-1]++
		}
		for _, p := range c.pool {
			c.size = times(c.size, State(p+1))
			if c.commit {
				c.size = times(c.size, State(p+1))
			}
		}
	})
}

// coarse returns the states that decide which derivations exist: whether a name is
// visible, whether one is pending, and, where a @fresh needs to know, how many
// are in play.
func (n *Names) coarse(countFresh bool) (*States, error) {
	sp := &States{Names: n}
	return sp, sp.code(func(c *coding) {
		c.size = 4
		if c.fresh && countFresh {
			c.size = 4 * State(len(c.Texts)+1)
		}
	})
}

func (sp *States) code(size func(c *coding)) (err error) {
	var sizes []State
	for _, ns := range sp.namespaces {
		c := coding{Namespace: ns, size: 1}
		if ns.binds {
			c.size = 2
		} else if len(ns.Texts) > 0 {
			size(&c)
		}
		sp.ns = append(sp.ns, c)
		sizes = append(sizes, c.size)
	}
	if sp.space, err = core.NewSpace(sizes...); err != nil {
		return &StatesError{math.MaxInt32}
	}
	return nil
}

func times(a, b State) State {
	if a > math.MaxInt64/b {
		return math.MaxInt64
	}
	return a * b
}

// counts are how many names of each class are visible and pending.
type counts struct{ visible, pending []int }

func (sp *States) counts(c *coding, part State) counts {
	var n counts
	for _, p := range c.pool {
		n.visible = append(n.visible, int(part%State(p+1)))
		part /= State(p + 1)
		v := 0
		if c.commit {
			v = int(part % State(p+1))
			part /= State(p + 1)
		}
		n.pending = append(n.pending, v)
	}
	return n
}

func (c *coding) encode(n counts) State {
	part, radix := State(0), State(1)
	for k, p := range c.pool {
		part += State(n.visible[k]) * radix
		radix *= State(p + 1)
		if c.commit {
			part += State(n.pending[k]) * radix
			radix *= State(p + 1)
		}
	}
	return part
}

// coarsely returns the state of one namespace in a coarse space. Where a name is
// visible it makes no difference whether others are pending.
func (c *coding) coarsely(visible, pending int) State {
	part := State(min(visible, 1))
	if visible == 0 && pending > 0 {
		part = 2
	}
	if c.size > 4 {
		part += 4 * State(visible+pending)
	}
	return part
}

// Edges returns the ways of an element with a name.
func (sp *States) Edges(el *core.Action, s State) []core.Edge {
	c := &sp.ns[el.Component]
	part := sp.space.Part(s, el.Component)
	switch {
	case el.Kind == Same:
		if part == 1 {
			return []core.Edge{{To: s, Ways: 1}}
		}
		return nil
	case sp.exact:
		return sp.exactEdges(el, c, s, part)
	}
	var out []core.Edge
	visible, pending, used := part&1, part>>1&1, part/4
	if el.Kind == Use && visible > 0 || el.Kind == Define && visible+pending > 0 {
		out = append(out, core.Edge{To: s, Ways: 1})
	}
	if el.Kind != Use && (c.size == 4 || used < State(len(c.Texts))) {
		to := part
		if visible == 0 && c.commit {
			to |= 2
		} else {
			to |= 1
		}
		if c.size > 4 {
			to += 4
		}
		out = append(out, core.Edge{To: sp.space.With(s, el.Component, to), Ways: 1, Fresh: true})
	}
	return out
}

func (sp *States) exactEdges(el *core.Action, c *coding, s, part State) []core.Edge {
	n := sp.counts(c, part)
	var out []core.Edge
	add := func(to State, class, ways, first int, fresh bool) {
		if ways > 0 {
			out = append(out, core.Edge{To: to, Size: c.lens[class], Ways: ways, First: first, Fresh: fresh})
		}
	}
	total := 0 // names before, in the order of choices
	if el.Kind == Use || el.Kind == Define {
		for k := range c.pool {
			ways := n.visible[k]
			if el.Kind == Define {
				ways += n.pending[k]
			}
			add(s, k, ways, total, false)
			total += ways
		}
	}
	if el.Kind == Use {
		return out
	}
	for k, p := range c.pool {
		ways := p - n.visible[k] - n.pending[k]
		if ways > 0 && sp.canonical {
			ways = 1
		}
		more := n.pending
		if !c.commit {
			more = n.visible
		}
		more[k]++
		if ways > 0 {
			add(sp.space.With(s, el.Component, c.encode(n)), k, ways, total, true)
		}
		more[k]--
		total += ways
		if ways > 0 && sp.canonical {
			break
		}
	}
	return out
}

// Enter returns the state before: names change where elements end.
func (sp *States) Enter(_ core.Wrap, before State) State { return before }

// Leave returns the state after a wrapped element, given those before it and at its
// end. It refuses none.
func (sp *States) Leave(w core.Wrap, before, end State) (State, bool) {
	return sp.after(w, before, end), true
}

func (sp *States) after(w core.Wrap, before, end State) State {
	c := &sp.ns[w.Component]
	switch part := sp.space.Part(end, w.Component); {
	case w.Kind == Scope:
		return sp.space.With(end, w.Component, sp.space.Part(before, w.Component))
	case w.Kind == Bind:
		return sp.space.With(end, w.Component, 1)
	case sp.exact:
		n := sp.counts(c, part)
		for k := range n.pending {
			n.visible[k] += n.pending[k]
			n.pending[k] = 0
		}
		return sp.space.With(end, w.Component, c.encode(n))
	case part&2 != 0:
		return sp.space.With(end, w.Component, part&^2|1)
	}
	return end
}

// all lists every state of a coarse space that the operations lead to in some
// order, whatever the grammar; nil where there are more than limit.
func (sp *States) all(limit int) []State {
	states := []State{0}
	for ns := range sp.ns {
		parts := sp.partsOf(ns)
		if len(states)*len(parts) > limit {
			return nil
		}
		var next []State
		for _, s := range states {
			for _, p := range parts {
				next = append(next, sp.space.With(s, ns, p))
			}
		}
		states = next
	}
	return states
}

// partsOf lists the states of one namespace, by search from the beginning.
func (sp *States) partsOf(ns int) []State {
	if sp.ns[ns].binds {
		return []State{0, 1}
	}
	seen := map[State]bool{0: true}
	list := []State{0}
	for i := 0; i < len(list); i++ {
		s := sp.space.With(0, ns, list[i])
		next := []State{sp.after(wrapOf(Commit, ns), s, s)}
		for _, e := range sp.Edges(&core.Action{Kind: Define, Component: ns}, s) {
			next = append(next, e.To)
		}
		for _, e := range sp.Edges(&core.Action{Kind: Fresh, Component: ns}, s) {
			next = append(next, e.To)
		}
		for _, t := range next {
			if p := sp.space.Part(t, ns); !seen[p] {
				seen[p] = true
				list = append(list, p)
			}
		}
	}
	return list
}
