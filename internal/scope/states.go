package scope

import (
	"fmt"
	"math"

	"github.com/gramfuzz/gramfuzz/grammar"
)

// State says, for every namespace, how many names are visible and pending: all
// that decides what can be derived, since names of one length are alike. State
// 0 is the beginning. What the number means depends on its [Space].
type State int64

// Space is the set of states of a grammar, told apart either exactly, for
// counting, or coarsely, only as far as it decides which derivations exist. A Space is
// immutable and may be used by any number of goroutines.
type Space struct {
	Names *Names
	exact bool
	ns    []coding
}

// coding is the digit of one namespace in a State, a number in mixed radix.
type coding struct {
	*Namespace
	radix State // the product of the sizes of the namespaces before this one
	size  State // how many states it has
	lens  []int // exact: the length of each class of names; one class of length 0 where lengths do not matter
	pool  []int // exact: names of each class
}

// StatesError says that names in play have more states than can be counted.
type StatesError struct{ Limit int }

func (e *StatesError) Error() string {
	return fmt.Sprintf("the names in play have more than %d states: too many to count with; take fewer names with --pool, or a walk", e.Limit)
}

// BoundTextError says that sizes in bytes cannot be counted since a bound text
// stands twice.
type BoundTextError struct{ Pos grammar.Pos }

func (e *BoundTextError) Error() string {
	return fmt.Sprintf("%v: @same repeats texts of several lengths, which cannot be counted in bytes; count in terminals or nodes", e.Pos)
}

// Space returns the states for counting; byLength tells names of different
// lengths apart, as sizes in bytes need.
func (n *Names) Space(byLength bool) (*Space, error) {
	if byLength {
		for id, el := range n.at {
			if el != nil && el.Kind == Same {
				return nil, &BoundTextError{n.grammar.Exprs[id].Pos}
			}
		}
	}
	sp := &Space{Names: n, exact: true}
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
func (n *Names) coarse(countFresh bool) (*Space, error) {
	sp := &Space{Names: n}
	return sp, sp.code(func(c *coding) {
		c.size = 4
		if c.fresh && countFresh {
			c.size = 4 * State(len(c.Texts)+1)
		}
	})
}

func (sp *Space) code(size func(c *coding)) error {
	radix := State(1)
	for _, ns := range sp.Names.namespaces {
		c := coding{Namespace: ns, radix: radix, size: 1}
		if ns.binds {
			c.size = 2
		} else if len(ns.Texts) > 0 {
			size(&c)
		}
		radix = times(radix, c.size)
		sp.ns = append(sp.ns, c)
	}
	if radix > maxState {
		return &StatesError{math.MaxInt32}
	}
	return nil
}

const maxState = State(1) << 61

func times(a, b State) State {
	if a > maxState/b {
		return maxState + 1
	}
	return a * b
}

// part returns the state of one namespace.
func (sp *Space) part(s State, ns int) State { return s / sp.ns[ns].radix % sp.ns[ns].size }

// with returns s with another state of one namespace.
func (sp *Space) with(s State, ns int, part State) State {
	return s + (part-sp.part(s, ns))*sp.ns[ns].radix
}

// Only returns s with the namespaces that are not in the set as at the beginning.
func (sp *Space) Only(s State, set uint64) State {
	for ns := range sp.ns {
		if set>>ns&1 == 0 {
			s = sp.with(s, ns, 0)
		}
	}
	return s
}

// Merge returns s with the namespaces in the set as in t.
func (sp *Space) Merge(s, t State, set uint64) State {
	for ns := range sp.ns {
		if set>>ns&1 != 0 {
			s = sp.with(s, ns, sp.part(t, ns))
		}
	}
	return s
}

// Agree reports whether s and t are alike in the namespaces of the set.
func (sp *Space) Agree(s, t State, set uint64) bool {
	return s == t || sp.Only(s, set) == sp.Only(t, set)
}

// counts holds the numbers of visible and pending names of each class.
type counts struct{ visible, pending []int }

func (sp *Space) counts(c *coding, part State) counts {
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

// Edge is a way that an element with a name leads from a state to a state.
type Edge struct {
	To    State
	Size  int  // bytes of the name; 0 where lengths do not matter
	Ways  int  // how many names it may be
	First int  // the value of the choice that means the first of them
	Fresh bool // they are not in play yet
}

// Edges returns the ways of an element with a name.
func (sp *Space) Edges(el *Element, s State) []Edge {
	c := &sp.ns[el.NS]
	part := sp.part(s, el.NS)
	switch {
	case el.Kind == Same:
		if part == 1 {
			return []Edge{{To: s, Ways: 1}}
		}
		return nil
	case sp.exact:
		return sp.exactEdges(el, c, s, part)
	}
	var out []Edge
	visible, pending, used := part&1, part>>1&1, part/4
	if el.Kind == Use && visible > 0 || el.Kind == Define && visible+pending > 0 {
		out = append(out, Edge{To: s, Ways: 1})
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
		out = append(out, Edge{To: sp.with(s, el.NS, to), Ways: 1, Fresh: true})
	}
	return out
}

func (sp *Space) exactEdges(el *Element, c *coding, s, part State) []Edge {
	n := sp.counts(c, part)
	var out []Edge
	add := func(to State, class, ways, first int, fresh bool) {
		if ways > 0 {
			out = append(out, Edge{to, c.lens[class], ways, first, fresh})
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
		if ways > 0 && sp.Names.canonical {
			ways = 1
		}
		more := n.pending
		if !c.commit {
			more = n.visible
		}
		more[k]++
		if ways > 0 {
			add(sp.with(s, el.NS, c.encode(n)), k, ways, total, true)
		}
		more[k]--
		total += ways
		if ways > 0 && sp.Names.canonical {
			break
		}
	}
	return out
}

// Wrap returns the state after a wrapped element, given those before it and at
// its end.
func (sp *Space) Wrap(w Wrap, before, end State) State {
	c := &sp.ns[w.NS]
	switch part := sp.part(end, w.NS); {
	case w.Kind == Scope:
		return sp.with(end, w.NS, sp.part(before, w.NS))
	case w.Kind == Bind:
		return sp.with(end, w.NS, 1)
	case sp.exact:
		n := sp.counts(c, part)
		for k := range n.pending {
			n.visible[k] += n.pending[k]
			n.pending[k] = 0
		}
		return sp.with(end, w.NS, c.encode(n))
	case part&2 != 0:
		return sp.with(end, w.NS, part&^2|1)
	}
	return end
}

// all lists every state of a coarse space that the operations lead to in some
// order, whatever the grammar; nil where there are more than limit.
func (sp *Space) all(limit int) []State {
	states := []State{0}
	for ns := range sp.ns {
		parts := sp.partsOf(ns)
		if len(states)*len(parts) > limit {
			return nil
		}
		var next []State
		for _, s := range states {
			for _, p := range parts {
				next = append(next, sp.with(s, ns, p))
			}
		}
		states = next
	}
	return states
}

// partsOf lists the states of one namespace, by search from the beginning.
func (sp *Space) partsOf(ns int) []State {
	if sp.ns[ns].binds {
		return []State{0, 1}
	}
	seen := map[State]bool{0: true}
	list := []State{0}
	for i := 0; i < len(list); i++ {
		s := sp.with(0, ns, list[i])
		next := []State{sp.Wrap(Wrap{Commit, ns}, s, s)}
		for _, e := range sp.Edges(&Element{Kind: Define, NS: ns}, s) {
			next = append(next, e.To)
		}
		for _, e := range sp.Edges(&Element{Kind: Fresh, NS: ns}, s) {
			next = append(next, e.To)
		}
		for _, t := range next {
			if p := sp.part(t, ns); !seen[p] {
				seen[p] = true
				list = append(list, p)
			}
		}
	}
	return list
}
