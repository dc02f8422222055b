package core

import (
	"slices"

	"github.com/gramfuzz/gramfuzz/grammar"
)

// Out is a state that a derivation can end in.
type Out struct {
	To State

	// Depth is the least depth of a derivation that ends there; Bytes and Nodes are the least
	// size, by bytes first.
	Depth, Bytes, Nodes int
}

// Smaller reports whether o belongs to a smaller derivation than p.
func (o *Out) Smaller(p *Out) bool {
	return o.Bytes < p.Bytes || o.Bytes == p.Bytes && o.Nodes < p.Nodes
}

// Reach finds the states in which derivations can end: for a node of the first pass and a state
// before it, the least fixed point over its parts. It computes results on demand. A Reach belongs
// to one goroutine.
type Reach struct {
	p      *Program
	gains  Effects // of an order: without the leaves that spend
	order  Ordered // or nil
	limit  int     // of size
	keep   int     // the size above which the next question forgets all results
	size   int     // the number of places and of their outs
	states bool    // only the states matter, so that a smaller derivation changes nothing
	places map[placeKey]*place
	queue  []*place
	made   []*place // since the queue was empty last
}

type placeKey struct {
	id   NodeID
	from State
}

// place is a node in a state.
type place struct {
	placeKey
	touch uint64 // components that it reads or changes; the others are 0 in its states
	outs  []Out
	parts []*place // that it is computed from; of a product: the first, then the second after each end of the first
	users []*place // that are computed from it; some more than once
	waits bool
	final bool // nothing changes its outs any more, and it has neither parts nor users

	// Of a union that was worked out before: the only part that changed since, nil for several.
	changed *place

	bottom *place // loose: of the same node in the state that allows least; nil: it is this one

	// Of a node that gains nothing in the components of Ordered.Early: the same node where these allow
	// least, and where they are free. If both end alike, so does this one.
	least, free *place
}

// Ordered is an automaton with a partial order of states: a state allows everything that smaller
// ones allow, and leads to states that are at least theirs.
type Ordered interface {
	Automaton
	AtLeast(s, t State) bool
	Bottom() State    // a state that allows nothing which another does not
	Constant() uint64 // components that no action changes

	// Early returns components, and two states of them: one that allows least, and one in which all is
	// possible and nothing changes.
	Early() (components uint64, least, free State)
}

// NewReach returns a Reach over all expressions of a grammar with an automaton and the facts
// under it. With repeat > 0 unbounded repetitions have at most max(min, repeat) elements. For an
// [Ordered] automaton it leaves out ends that are dominated by a better one in a state that is at
// least theirs. Its memory is about that of the budget.
func NewReach(g *grammar.Grammar, facts *grammar.Facts, a Automaton, repeat int, keep, limit Budget) *Reach {
	const bytes = 448 // at most the memory of a place or an end, as measured with many of both
	ordered, _ := a.(Ordered)
	base := newBase(g, a, facts, grammar.Terminals, repeat, DefaultBudget)
	r := &Reach{p: base, order: ordered, limit: int(limit.Bytes() / bytes), keep: int(keep.Bytes() / bytes), places: map[placeKey]*place{}}
	if ordered != nil {
		r.gains = NewEffects(g, gainingOf(g, a), facts)
	}
	return r
}

// Loose leaves out ends of an [Ordered] automaton if there is one in a state that is at least
// theirs, by any derivation. Depths and sizes are then meaningless, and the cost is far lower. It
// returns r.
func (r *Reach) Loose() *Reach {
	r.states = true
	return r
}

// Outs returns the states in which a part can end if it begins in s, and the components to which
// they apply: others are as in s (see [Space.Merge]). The caller must not change the result.
// Errors: [StatesError], [MemoryError].
func (r *Reach) Outs(k Part, s State) (outs []Out, touch uint64, err error) {
	id, err := r.p.lower(k)
	if err != nil {
		return nil, 0, err
	}
	touch, _ = r.p.effects(id)
	outs, err = r.outs(id, s)
	return outs, touch, err
}

// Clamp folds the positions of an unbounded repetition with the same derivations.
func (r *Reach) Clamp(e *grammar.Expr, i int) int { return r.p.clamp(e, i) }

func (r *Reach) outs(id NodeID, s State) ([]Out, error) {
	if r.size > r.keep {
		clear(r.places)
		r.size = 0
	}
	p := r.place(id, s, nil)
	for len(r.queue) > 0 {
		if r.size > r.limit {
			return nil, &StatesError{r.limit}
		}
		q := r.queue[len(r.queue)-1]
		r.queue = r.queue[:len(r.queue)-1]
		q.waits = false
		if r.update(q) {
			for _, u := range q.users {
				if u.waits && u.changed != q {
					u.changed = nil
				} else {
					u.changed = q
				}
				r.wait(u)
			}
		}
	}
	for _, q := range r.made {
		q.final, q.parts, q.users = true, nil, nil
	}
	r.made = r.made[:0]
	return p.outs, nil
}

func (r *Reach) wait(p *place) {
	if !p.waits {
		p.waits = true
		r.queue = append(r.queue, p)
	}
}

// place returns the place of a node in a state, for use in another.
func (r *Reach) place(id NodeID, s State, user *place) *place {
	touch, _ := r.p.effects(id)
	key := placeKey{id, r.p.Automaton.Space().Only(s, touch)}
	p := r.places[key]
	if p == nil {
		p = &place{placeKey: key, touch: touch}
		r.places[key] = p
		r.size++
		r.made = append(r.made, p)
		r.wait(p)
		if r.order != nil && touch != 0 {
			r.bound(p)
		}
	}
	if user != nil && !p.final {
		p.users = append(p.users, user)
	}
	return p
}

// bound finds places that say how p ends, if they do. They are computed before p.
func (r *Reach) bound(p *place) {
	_, gains := r.p.effectsBy(r.gains, p.id)
	early, least, free := r.order.Early()
	early &= p.touch
	sp := r.p.Automaton.Space()
	if lower, upper := sp.Merge(p.from, least, early), sp.Merge(p.from, free, early); early&gains == 0 && p.from != lower && p.from != upper {
		p.least, p.free = r.place(p.id, lower, p), r.place(p.id, upper, p)
		return
	}
	if r.states && gains&^r.order.Constant() == 0 {
		if bottom := r.place(p.id, r.order.Bottom(), p); bottom != p {
			p.bottom = bottom
		}
	}
}

// alike reports whether the places that bound p end in the same states, apart from those of the
// early components, and by derivations of the same sizes.
func (r *Reach) alike(p *place, early uint64) bool {
	if len(p.least.outs) != len(p.free.outs) {
		return false
	}
	sp := r.p.Automaton.Space()
	for _, o := range p.least.outs {
		o.To = sp.Merge(o.To, p.from, early)
		if !slices.ContainsFunc(p.free.outs, func(x Out) bool {
			x.To = sp.Merge(x.To, p.from, early)
			return x == o || r.states && x.To == o.To
		}) {
			return false
		}
	}
	return true
}

// part returns part i of p, a node in a state, which is the same whenever p is computed.
func (r *Reach) part(p *place, i int, id NodeID, s State) *place {
	if i == len(p.parts) {
		p.parts = append(p.parts, r.place(id, s, p))
	}
	return p.parts[i]
}

// update computes a place from its parts and reports whether that changed anything.
func (r *Reach) update(p *place) bool {
	n, k := &r.p.Nodes[p.id], r.p.keys[p.id]
	changed := false
	if p.least != nil {
		early, _, _ := r.order.Early()
		early &= p.touch
		if r.alike(p, early) {
			for _, o := range p.least.outs {
				o.To = r.p.Automaton.Space().Merge(o.To, p.from, early)
				changed = r.add(p, o) || changed
			}
			return changed
		}
	}
	switch {
	case p.id == None:
	case p.id == Empty:
		return r.add(p, Out{To: p.from})
	case p.bottom != nil && len(p.bottom.outs) > 0:
		return r.add(p, Out{To: p.from})
	case n.Op == Leaf && n.Effect == OwnLeaf:
		bytes := r.p.Facts.Size(n.Expr, grammar.Bytes, grammar.Any)
		for _, edge := range r.p.Automaton.Edges(r.p.Automaton.At(n.Expr), p.from) {
			changed = r.add(p, Out{edge.To, 0, bytes, 1}) || changed
		}
	case n.Op == Leaf && k.Want == grammar.OnlyEmpty:
		nodes := 0
		if n.Expr.Op == grammar.Ref {
			nodes = 1
		}
		return r.add(p, Out{p.from, 0, 0, nodes})
	case p.touch == 0 && k.Expr != nil && k.I == 0 && n.Op != Prod && k.Want != grammar.OnlyEmpty:
		f := r.p.Facts
		return r.add(p, Out{p.from, f.Depth(k.Expr, k.Want), f.Size(k.Expr, grammar.Bytes, k.Want), f.Size(k.Expr, grammar.Nodes, k.Want)})
	case n.Op == wrapped:
		w := r.p.wrapOf(p.id)
		entered := r.p.Automaton.Enter(w, p.from)
		inner := r.part(p, 0, n.Children[0], entered)
		for _, o := range inner.outs {
			to, ok := r.p.Automaton.Leave(w, p.from, r.merge(inner, entered, o.To))
			o.To = to
			changed = ok && r.add(p, o) || changed
		}
	case n.Op == Prod:
		return r.product(p, n)
	case n.Op == Call:
		more := Out{Depth: n.Level}
		if n.Rule == nil && !n.Expr.Rule.Inline {
			more.Nodes = 1
		}
		return r.addAll(p, r.part(p, 0, n.Children[0], p.from), more)
	default:
		return r.union(p, n)
	}
	return changed
}

// union adds the ends of all parts, or of the only one that changed: a union of very many parts
// waits once for each.
func (r *Reach) union(p *place, n *Node) bool {
	part := p.changed
	p.changed = nil
	if part != nil && len(p.parts) > 0 && part != p.least && part != p.free {
		return r.addAll(p, part, Out{})
	}
	changed := false
	for i, child := range n.Children {
		changed = r.addAll(p, r.part(p, i, child, p.from), Out{}) || changed
	}
	return changed
}

// gaining are actions of which those that spend do not write. Wraps that may refuse the end of their
// inside write, so that they are not taken for changing nothing.
type gaining []*Action // by Expr.ID

func (a gaining) At(e *grammar.Expr) *Action { return a[e.ID] }

func gainingOf(g *grammar.Grammar, of Actions) gaining {
	all := make(gaining, len(g.Exprs))
	for _, e := range g.Exprs {
		action := of.At(e)
		if action == nil {
			continue
		}
		gains := *action
		gains.Writes, gains.Wraps = action.Writes && !action.Spends, slices.Clone(action.Wraps)
		for i := range gains.Wraps {
			gains.Wraps[i].Restores = gains.Wraps[i].Restores && gains.Wraps[i].Forgets
		}
		all[e.ID] = &gains
	}
	return all
}

// merge returns s after a part that ended in to, of which only the components that the part
// touches are meaningful.
func (r *Reach) merge(part *place, s, to State) State {
	return r.p.Automaton.Space().Merge(s, to, part.touch)
}

func (r *Reach) product(p *place, n *Node) bool {
	changed := false
	first := r.part(p, 0, n.Children[0], p.from)
	for i := 0; i < len(first.outs); i++ { // it may be p itself, and grow
		x := first.outs[i]
		mid := r.merge(first, p.from, x.To)
		rest := r.part(p, i+1, n.Children[1], mid)
		for j := 0; j < len(rest.outs); j++ {
			y := rest.outs[j]
			changed = r.add(p, Out{r.merge(rest, mid, y.To), max(x.Depth, y.Depth), x.Bytes + y.Bytes, x.Nodes + y.Nodes}) || changed
		}
	}
	return changed
}

// addAll adds the ends of a part, with the addition more.
func (r *Reach) addAll(p, part *place, more Out) bool {
	changed := false
	for i := 0; i < len(part.outs); i++ {
		o := part.outs[i]
		changed = r.add(p, Out{r.merge(part, p.from, o.To), o.Depth + more.Depth, o.Bytes, o.Nodes + more.Nodes}) || changed
	}
	return changed
}

// add notes an end of p and reports whether it is new or better than a known one.
func (r *Reach) add(p *place, o Out) bool {
	o.Bytes, o.Nodes = min(o.Bytes, grammar.Never), min(o.Nodes, grammar.Never)
	for i := range p.outs {
		k := &p.outs[i]
		if k.To != o.To {
			continue
		}
		if r.states {
			return false
		}
		better := false
		if o.Depth < k.Depth {
			k.Depth, better = o.Depth, true
		}
		if o.Smaller(k) {
			k.Bytes, k.Nodes, better = o.Bytes, o.Nodes, true
		}
		return better
	}
	for i := range p.outs {
		k := &p.outs[i]
		if r.order != nil && (r.states || k.Depth <= o.Depth && !o.Smaller(k)) && r.order.AtLeast(k.To, o.To) {
			return false
		}
	}
	p.outs = append(p.outs, o)
	r.size++
	return true
}
