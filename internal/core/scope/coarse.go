package scope

import (
	"fmt"
	"math/bits"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/core"
)

// manyComponents is the number of components above which coarse states leave out some: a part can
// end in as many states as it can define sets of names.
const manyComponents = 10

// coarse returns the states that decide whether derivations exist: whether a name is visible,
// whether one is pending, and, if it matters to new ones, the number in play.
//
// If there are many components, the lookahead treats those of typed names as constant, unless a
// part may need a name that the part before it defines. So its answer "possible" is correct as
// long as new names are left.
//
// The states under no mask are kept.
func (n *Names) coarse(facts *grammar.Facts) (*States, error) {
	if facts.Mask != nil {
		return n.newCoarse(facts)
	}
	known := &n.unmasked[facts.Measure]
	if sp := known.Load(); sp != nil {
		return sp, nil
	}
	sp, err := n.newCoarse(facts)
	known.Store(sp)
	return sp, err
}

func (n *Names) newCoarse(facts *grammar.Facts) (*States, error) {
	constant := uint64(0)
	if len(n.namespaces) > manyComponents {
		for c, ns := range n.namespaces {
			if ns.Types != nil && !ns.apart() {
				constant |= 1 << c
			}
		}
	}
	for {
		sp := &States{Names: n, constant: constant}
		if err := sp.code(sp.roughly); err != nil {
			return nil, fmt.Errorf("the names in play have too many states to look ahead, those of %d namespaces and types; take fewer, or fewer names with --pool", len(n.namespaces))
		}
		if constant == 0 {
			return sp, nil
		}
		needed, err := sp.needed(facts)
		if err != nil {
			return nil, err
		}
		if needed == 0 {
			return sp, nil
		}
		for set := needed; set != 0; set &= set - 1 {
			needed |= 1 << n.namespaces[bits.TrailingZeros64(set)].first
		}
		constant &^= needed
	}
}

// roughly sets the size of a component of coarse states.
func (sp *States) roughly(c *coding) {
	counted := State(1)
	if c.fresh && !sp.endless {
		counted = State(len(c.Texts) + 1)
	}
	c.hides = c.shadows && !c.total && !sp.endless
	if c.hides {
		c.size = counted * counted
		if c.Types == nil {
			c.size *= counted
		}
		return
	}
	switch {
	case c.forward > 0:
		c.uncounted = sp.endless || len(sp.namespaces) > manyComponents
		if c.uncounted {
			counted = 2
		}
		switch {
		case c.total:
			c.size = counted
		case c.Types != nil:
			c.size = c.unit() + 1
		default:
			c.size = c.unit()*counted + 1
		}
	case c.total && sp.constant>>c.first&1 != 0:
		c.size = 2
	case c.total:
		c.size = counted
	case c.Types != nil && c.commit:
		c.size = 3
	case c.Types != nil:
		c.size = 2
	default:
		c.size = 4 * counted
	}
}

// totally returns the coarse state of a number of names in play.
func (c *coding) totally(used int) State {
	return max(0, c.size-1-State(len(c.Texts)-used))
}

// needed returns the components of names that a part of a sequence may define and that later
// parts need.
func (sp *States) needed(facts *grammar.Facts) (set uint64, err error) {
	o := newOrder(sp)
	r := core.NewReach(sp.grammar, facts, ordered{sp, o}, 0, core.DefaultBudget, core.DefaultBudget).Loose()
	able := func(p core.Part, without uint64) bool {
		outs, _, e := r.Outs(p, sp.space.Only(o.top(), ^without))
		if e != nil && err == nil {
			err = sp.ofNames(e)
		}
		return len(outs) > 0
	}
	for _, e := range sp.grammar.Exprs {
		if e.Op != grammar.Seq && e.Op != grammar.Rep {
			continue
		}
		written := uint64(0)
		for i, k := range e.Children {
			rest := core.Part{Expr: e, I: i + 1}
			_, write := sp.effects.Of(sp.Whole(k, grammar.Any))
			written |= write
			touch, _ := sp.effects.Of(rest)
			both := written & touch & sp.constant
			if both&^set == 0 || able(rest, both) {
				continue
			}
			enough := uint64(0) // each by itself
			for left := both; left != 0; left &= left - 1 {
				if c := left & -left; able(rest, both&^c) {
					enough |= c
				}
			}
			set |= enough
			if enough == 0 {
				set |= both
			}
		}
	}
	return set, err
}

// coarsely returns the state of one namespace in a coarse space. If a name is visible, pending
// ones make no difference.
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

// state returns the state of a coarse automaton for the names in play.
func (env *Env) state(sp *States) State {
	s := State(0)
	for k := range sp.ns {
		c, ns, part := &sp.ns[k], &env.ns[k], State(0)
		switch {
		case c.binds && ns.bound:
			part = 1
		case c.forward > 0:
			part = env.forwardly(c, k)
		case c.total && c.size > 1:
			part = c.totally(ns.used)
		case c.hides:
			one := State(len(c.Texts) + 1)
			part = State(len(ns.visible)) + State(len(ns.pending))*one
			if c.Types == nil {
				part += State(ns.used) * one * one
			}
		case !c.binds && !c.total && len(c.Texts) > 0:
			part = c.coarsely(len(ns.visible), len(ns.pending))
		}
		s = sp.space.With(s, k, part)
	}
	return s
}

// forwardly returns the coarse state of component k, whose names may be used before they are defined.
func (env *Env) forwardly(c *coding, k int) State {
	ns := &env.ns[k]
	number := State(ns.used) // of defined names
	for i := c.class(0); i <= c.last(); i++ {
		number -= State(len(env.ns[i].pending))
	}
	if c.uncounted {
		number /= State(len(c.Texts))
	}
	switch {
	case c.total:
		return number
	case c.Types != nil:
		number = 0
	}
	return State(min(len(ns.visible)+len(ns.pending), 1)+2*len(ns.pending)) + number*c.unit()
}
