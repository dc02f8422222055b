package scope

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/bits"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/core"
)

// State is, for every namespace, the number of visible and of pending names. It decides the
// derivable sentences, since names of one length are interchangeable. State 0 is the initial one.
// The meaning of the number depends on its [States].
type State = core.State

// States is the automaton of the names in play. It distinguishes states either exactly, for
// counting, or only as far as it matters to the existence of derivations. It is immutable and
// safe for concurrent use.
type States struct {
	*Names
	space *core.Space
	exact bool
	ns    []coding

	constant uint64 // components that a coarse lookahead treats as constant
	endless  bool   // coarse: new names are always left
}

// coding describes the state of a component.
type coding struct {
	*Namespace
	total bool  // it is the number of names in play
	size  State // the number of states
	lens  []int // exact: the length of each class of names; one class of length 0 if lengths do not matter
	pool  []int // exact: the number of names of each class

	hides     bool // coarse: see [States.shadowEdges]
	uncounted bool // coarse, @forward: of the number of names in play only matters whether new ones are left
}

// Space implements [core.Automaton], like the other exported methods.
func (sp *States) Space() *core.Space { return sp.space }

// Accepting returns nil: a sentence may end with any names in play.
func (sp *States) Accepting() func(State) bool { return nil }

// NamesOf returns the names of a program, nil if it has none.
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

// Program prepares g for counting with the names and another automaton, which may both be nil, as
// [core.New] does.
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

// BoundTextError says that sizes in bytes cannot be counted since a bound text occurs twice.
type BoundTextError struct{ Pos grammar.Pos }

func (e *BoundTextError) Error() string {
	return fmt.Sprintf("%v: @same repeats texts of several lengths, which cannot be counted in bytes; count in terminals or nodes", e.Pos)
}

// Counted returns the automaton of the names for counting, nil if n is nil; byLength
// distinguishes names by length, as sizes in bytes need.
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
	return n.exactly(byLength)
}

// exactly returns the exact states. They have their sizes even if there are too many to number.
func (n *Names) exactly(byLength bool) (*States, error) {
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
			if c.pends() {
				c.size = times(c.size, State(p+1))
			}
		}
	})
}

// States returns the number of states of the names in play, an upper bound of those that counting
// distinguishes: for each type the numbers of visible and of pending names. Sizes in bytes
// distinguish more.
func (n *Names) States() *big.Int {
	sp, _ := n.exactly(false)
	product := big.NewInt(1)
	for i := range sp.ns {
		product.Mul(product, big.NewInt(int64(sp.ns[i].size)))
	}
	return product
}

// pends reports whether a component distinguishes pending names from visible ones.
func (c *coding) pends() bool { return (c.commit || c.apart()) && !c.total }

// apart reports whether pending names are in use, too, and become visible where a scope begins.
func (ns *Namespace) apart() bool { return ns.forward > 0 || ns.shadows }

func (sp *States) code(size func(c *coding)) (err error) {
	var sizes []State
	for i, ns := range sp.namespaces {
		c := coding{Namespace: ns, size: 1, total: ns.total(i)}
		if ns.binds {
			c.size = 2
		} else if len(ns.Texts) > 0 {
			size(&c)
		}
		if sp.free>>i&1 != 0 {
			c.size = 1
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

// counts has the numbers of visible and of pending names of each class.
type counts struct{ visible, pending []int }

// number returns the number of names of all classes.
func number(classes []int) (n int) {
	for _, k := range classes {
		n += k
	}
	return n
}

func (sp *States) counts(c *coding, part State) counts {
	var n counts
	for _, p := range c.pool {
		n.visible = append(n.visible, int(part%State(p+1)))
		part /= State(p + 1)
		v := 0
		if c.pends() {
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
		if c.pends() {
			part += State(n.pending[k]) * radix
			radix *= State(p + 1)
		}
	}
	return part
}

// Edges returns the transitions of an element with a name.
func (sp *States) Edges(el *core.Action, s State) []core.Edge {
	c := &sp.ns[el.Component]
	part := sp.space.Part(s, el.Component)
	switch {
	case !sp.exact && (sp.free>>el.Component&1 != 0 || sp.endless && el.Kind == Use && el.Classes&(el.Classes-1) != 0):
		return []core.Edge{{To: s, Ways: 1}}
	case el.Kind == Same:
		if part == 1 {
			return []core.Edge{{To: s, Ways: 1}}
		}
		return nil
	case sp.exact:
		return sp.exactEdges(el, c, s)
	case c.forward > 0:
		return sp.forwardEdges(el, c, s)
	case c.hides:
		return sp.shadowEdges(el, c, s)
	}
	return sp.roughEdges(el, c, s)
}

// components yields those of a use: one for each of its types.
func components(el *core.Action) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		for set := el.Classes; set != 0; set &= set - 1 {
			if !yield(bits.TrailingZeros64(set)) {
				return
			}
		}
	}
}

// exactEdges returns the transitions of an element with a name. Choices are ordered by the length
// of names; those in play come before new ones.
func (sp *States) exactEdges(el *core.Action, c *coding, s State) []core.Edge {
	var out []core.Edge
	add := func(to State, class, ways, first int, fresh bool) {
		if ways > 0 {
			out = append(out, core.Edge{To: to, Size: c.lens[class], Ways: ways, First: first, Fresh: fresh})
		}
	}
	total := 0 // the number of names before, in the order of choices
	if sp.free>>el.Component&1 != 0 {
		for k, ways := range c.pool {
			add(s, k, ways, total, false)
			total += ways
		}
		return out
	}
	n := sp.counts(c, sp.space.Part(s, el.Component))
	if el.Kind == Shadow { // names of one type after the other
		for i := range components(el) {
			for k, outer := range sp.counts(&sp.ns[i], sp.space.Part(s, i)).visible {
				add(sp.hidden(s, el.Component, i, k), k, outer, total, false)
				total += outer
			}
		}
	}
	for k := range c.pool {
		ways := 0
		switch el.Kind {
		case Use:
			for i := range components(el) {
				n := sp.counts(&sp.ns[i], sp.space.Part(s, i))
				ways += n.visible[k]
				if c.apart() {
					ways += n.pending[k]
				}
			}
		case Define:
			ways = n.visible[k] + n.pending[k]
		case Fresh:
			if c.forward > 0 && n.pending[k] > 0 {
				ways = n.pending[k]
				add(sp.defined(s, el.Component, k), k, ways, total, false)
				total += ways
				continue
			}
		}
		add(s, k, ways, total, false)
		total += ways
	}
	if el.Kind == Use && (c.forward == 0 || number(n.pending) >= c.forward) {
		return out
	}
	all := n // the number of names in play
	if c.Types != nil {
		all = sp.counts(&sp.ns[c.first], sp.space.Part(s, c.first))
	}
	for k, p := range c.pool {
		ways := p - all.visible[k] - all.pending[k]
		if ways > 0 && sp.canonical {
			ways = 1
		}
		if ways > 0 {
			add(sp.with(s, el, k), k, ways, total, true)
		}
		total += ways
		if ways > 0 && sp.canonical {
			break
		}
	}
	return out
}

// with returns the exact state with a new name of length class k.
func (sp *States) with(s State, el *core.Action, k int) State {
	c := &sp.ns[el.Component]
	n := sp.counts(c, sp.space.Part(s, el.Component))
	if c.commit || c.shadows || el.Kind == Use {
		n.pending[k]++
	} else {
		n.visible[k]++
	}
	s = sp.space.With(s, el.Component, c.encode(n))
	if c.Types != nil {
		all := &sp.ns[c.first]
		n := sp.counts(all, sp.space.Part(s, c.first))
		n.visible[k]++
		s = sp.space.With(s, c.first, all.encode(n))
	}
	return s
}

// hidden returns the exact state where a visible name of length class k and component i belongs to
// the innermost scope and to another component.
func (sp *States) hidden(s State, component, i, k int) State {
	c := &sp.ns[i]
	n := sp.counts(c, sp.space.Part(s, i))
	n.visible[k]--
	s = sp.space.With(s, i, c.encode(n))
	n = sp.counts(c, sp.space.Part(s, component))
	n.pending[k]++
	return sp.space.With(s, component, c.encode(n))
}

// defined returns the exact state where a pending name of length class k is visible.
func (sp *States) defined(s State, component, k int) State {
	c := &sp.ns[component]
	n := sp.counts(c, sp.space.Part(s, component))
	n.visible[k]++
	n.pending[k]--
	return sp.space.With(s, component, c.encode(n))
}

// Enter returns the state at the beginning of a scope: names that are pending outside are visible
// inside, and not pending.
func (sp *States) Enter(w core.Wrap, before State) State {
	if w.Kind != Scope || !sp.ns[w.Component].apart() {
		return before
	}
	return sp.after(core.Wrap{Kind: Commit, Component: w.Component}, before, before)
}

// Leave returns the state after a wrapped element, given those before it and at its end. It
// refuses a scope in which a name was used and not defined.
func (sp *States) Leave(w core.Wrap, before, end State) (State, bool) {
	return sp.after(w, before, end), sp.closed(w, end)
}

// closed reports whether every name that was used in a scope is defined at its end.
func (sp *States) closed(w core.Wrap, end State) bool {
	c := &sp.ns[w.Component]
	if w.Kind != Scope || c.forward == 0 || c.total || sp.free>>w.Component&1 != 0 {
		return true
	}
	part := sp.space.Part(end, w.Component)
	if !sp.exact {
		return c.pending(part) == 0
	}
	return number(sp.counts(c, part).pending) == 0
}

func (sp *States) after(w core.Wrap, before, end State) State {
	c := &sp.ns[w.Component]
	switch part := sp.space.Part(end, w.Component); {
	case (sp.constant|sp.free)>>w.Component&1 != 0:
		return end
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
	case c.hides:
		one := State(len(c.Texts) + 1)
		outer, own := part%one, part/one%one
		return sp.space.With(end, w.Component, part-own*one-outer+min(outer+own, one-1))
	case c.forward > 0:
		return sp.entered(c, w.Component, end)
	case part&2 != 0:
		return sp.space.With(end, w.Component, part&^2|1)
	}
	return end
}
