package scope

import "github.com/gramfuzz/gramfuzz/internal/core"

// roughEdges returns the coarse transitions of an element with a name that is used after its definition
// and hides none.
func (sp *States) roughEdges(el *core.Action, c *coding, s State) []core.Edge {
	part := sp.space.Part(s, el.Component)
	var out []core.Edge
	visible, pending, used := part&1, part>>1&1, part/4
	if el.Kind == Use {
		for k := range components(el) {
			visible |= sp.space.Part(s, k) & 1
		}
	}
	if el.Kind == Use && visible > 0 || el.Kind == Define && visible+pending > 0 {
		out = append(out, core.Edge{To: s, Ways: 1})
	}
	if c.Types != nil {
		used = sp.space.Part(s, c.first)
	}
	counts := c.size > 4
	left := !counts || used < State(len(c.Texts))
	total := &sp.ns[c.first]
	uncounted := sp.endless || total.size == 1 // of one type, names are never new or all in play
	if c.Types != nil {
		left = uncounted || used < total.size-1
	}
	if el.Kind == Use || !left {
		return out
	}
	if sp.constant>>el.Component&1 != 0 {
		return append(out, core.Edge{To: s, Ways: 1, Fresh: true})
	}
	to := part
	if visible == 0 && c.commit {
		to |= 2
	} else {
		to |= 1
	}
	if c.size > 4 {
		to += 4
	}
	after := sp.space.With(s, el.Component, to)
	if c.Types != nil && !uncounted {
		after = sp.space.With(after, c.first, used+1)
	}
	return append(out, core.Edge{To: after, Ways: 1, Fresh: true})
}

// shadowEdges returns the coarse transitions of an element with a name of a namespace with @shadow:
// the state of a component has the number of names of outer scopes, that of the innermost one, and,
// without types, of all in play. First is the component of a name that is hidden.
func (sp *States) shadowEdges(el *core.Action, c *coding, s State) (out []core.Edge) {
	one := State(len(c.Texts) + 1)
	more := func(s State) State { // one more in the innermost scope
		if part := sp.space.Part(s, el.Component); part/one%one < one-1 {
			return sp.space.With(s, el.Component, part+one)
		}
		return s
	}
	for i := range components(el) {
		part := sp.space.Part(s, i)
		switch {
		case el.Kind == Shadow && part%one > 0:
			out = append(out, core.Edge{To: more(sp.space.With(s, i, part-1)), Ways: 1, First: i})
		case (el.Kind == Use || el.Kind == Define) && part%(one*one) > 0 && len(out) == 0:
			out = append(out, core.Edge{To: s, Ways: 1})
		}
	}
	used, unit := sp.space.Part(s, c.first), State(1)
	if c.Types == nil {
		unit = one * one
	}
	if el.Kind != Use && used/unit < one-1 {
		out = append(out, core.Edge{To: more(sp.space.With(s, c.first, used+unit)), Ways: 1, Fresh: true})
	}
	return out
}

// forwardEdges returns the coarse transitions of an element with a name that may be used before it
// is defined. A state with more names than the pool has allows no new ones.
func (sp *States) forwardEdges(el *core.Action, c *coding, s State) (out []core.Edge) {
	part, visible, pending := sp.space.Part(s, el.Component), State(0), State(0)
	if part == c.size-1 {
		return []core.Edge{{To: s, Ways: 1}}
	}
	for k := c.class(0); k <= c.last(); k++ {
		of := sp.space.Part(s, k)
		pending += c.pending(of)
		if el.Classes>>k&1 != 0 {
			visible |= of & 1
		}
	}
	total := &sp.ns[c.first]
	defined := sp.space.Part(s, c.first) / total.unit()
	used, all := int(defined+pending), len(c.Texts)
	if total.uncounted {
		used, all = int(defined), 1
	}
	with := func(part State, defines bool) State {
		s := sp.space.With(s, el.Component, part)
		if defines && !total.uncounted {
			s = sp.space.With(s, c.first, sp.space.Part(s, c.first)+total.unit())
		}
		return s
	}
	switch {
	case el.Kind == Use:
		if visible > 0 {
			out = append(out, core.Edge{To: s, Ways: 1})
		}
		if used < all && int(c.pending(part)) < c.forward {
			out = append(out, core.Edge{To: with(part+2|1, false), Ways: 1, Fresh: true})
		}
	case used <= all:
		if c.pending(part) > 0 {
			out = append(out, core.Edge{To: with(part-2|1, true), Ways: 1})
		}
		if used < all {
			out = append(out, core.Edge{To: with(part|1, true), Ways: 1, Fresh: true})
		}
	}
	return out
}

// The coarse state of a component whose names may be used before they are defined is the sum of 1 if
// a name is visible or pending, 2 for each pending one, and unit for each defined one, or once if those are not
// counted and all names are in play. The last is that of the component for all names, where there is
// one. In the last state any name may stand anywhere.

func (c *coding) unit() State {
	if c.total {
		return 1
	}
	return 2 * State(c.forward+1)
}

// entered returns the state at the beginning of a scope: pending names of component k become visible,
// and count among the defined ones.
func (sp *States) entered(c *coding, k int, s State) State {
	part, pending := sp.space.Part(s, k), c.pending(sp.space.Part(s, k))
	if c.total {
		for i := c.class(0); i <= c.last(); i++ {
			pending += sp.ns[i].pending(sp.space.Part(s, i))
		}
	}
	if part == c.size-1 && !c.total || pending == 0 {
		return s
	}
	if !c.total {
		part -= 2 * pending
	}
	if number := part / c.unit(); !c.uncounted && (c.total || c.Types == nil) {
		part += (min(number+pending, State(len(c.Texts))) - number) * c.unit()
	}
	return sp.space.With(s, k, part)
}

func (c *coding) pending(part State) State { return part % c.unit() / 2 }
