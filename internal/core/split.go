package core

import (
	"fmt"
	"slices"

	"github.com/gramfuzz/gramfuzz/grammar"
)

// maxSplitNodes bounds the nodes of a program with an automaton: about the number of states times
// the nodes that the grammar has without it.
const maxSplitNodes = 1 << 18

// StatesError says that a program has too many nodes, one for each state of an
// automaton.
type StatesError struct{ Limit int }

func (e *StatesError) Error() string {
	return fmt.Sprintf("derivations are told apart by more than %d states: too many to count with; ask for less at once", e.Limit)
}

// With an automaton, a part's derivations depend on the state before it, and those of the rest on
// the state after it. So the second pass makes a node for every combination of a first-pass node,
// a state before and a state after: a matrix instead of a number, as in the counting of closed
// lambda terms (Grygiel & Lescanne 2013; Bendkowski 2020). A product sums over the states between
// its two parts. Only relevant components are distinguished: of the state before a part, those
// that it touches; of the state after it, those that it changes and that a later part touches. A
// part without an effect keeps one node.

// states are those before and after a part. After it, components in exact must be as in out; the
// others are free.
type states struct {
	in, out State
	exact   uint64
}

// splitKey is a node of the first pass between states.
type splitKey struct {
	id NodeID
	states
}

type splitting struct {
	p     *Program // made by this pass
	reach *Reach
	todo  []splitPending
	err   error
}

type splitPending struct {
	id  NodeID
	key splitKey
}

// split makes the program in which every node of base stands between states.
func split(base *Program) (*Program, error) {
	p := &Program{Grammar: base.Grammar, Facts: base.Facts, Unit: base.Unit, Automaton: base.Automaton, Budget: base.Budget, base: base,
		start: base.start, repeat: base.repeat, tokens: base.tokens, between: map[splitKey]NodeID{}, leaves: map[effectKey]NodeID{}}
	p.Nodes = slices.Clone(base.Nodes[:Empty+1])
	s := &splitting{p: p, reach: &Reach{p: base, limit: 4 * maxSplitNodes, keep: 4 * maxSplitNodes, states: true, places: map[placeKey]*place{}}}
	p.Root = s.root()
	for len(s.todo) > 0 {
		t := s.todo[len(s.todo)-1]
		s.todo = s.todo[:len(s.todo)-1]
		p.Nodes[t.id] = s.node(t.key)
		if len(p.Nodes) > maxSplitNodes {
			s.err = &StatesError{maxSplitNodes}
		}
		if s.err != nil {
			return nil, s.err
		}
	}
	return p, s.err
}

// root returns the node of all accepted derivations.
func (s *splitting) root() NodeID {
	base, accepts := s.p.base, s.p.Automaton.Accepting()
	if accepts == nil {
		return s.at(splitKey{id: base.Root})
	}
	_, write := base.effects(base.Root)
	var ends []State
	for _, o := range s.outs(base.Root, 0) {
		if accepts(o.To) {
			ends = append(ends, o.To)
		}
	}
	slices.Sort(ends)
	n := Node{Op: Union, Expr: base.start}
	for _, end := range slices.Compact(ends) {
		if id := s.at(splitKey{base.Root, states{0, end, write}}); id != None {
			n.Children = append(n.Children, id)
		}
	}
	return s.p.add(n)
}

func (s *splitting) outs(id NodeID, from State) []Out {
	outs, err := s.reach.outs(id, from)
	if err != nil && s.err == nil {
		s.err = err
	}
	return outs
}

// effects returns the components that a node of the first pass reads or changes, and those that
// it may change.
func (p *Program) effects(id NodeID) (touch, write uint64) { return p.effectsBy(p.marks, id) }

func (p *Program) effectsBy(marks Effects, id NodeID) (touch, write uint64) {
	k := p.keys[id]
	switch n := &p.Nodes[id]; {
	case n.Op == Prod:
		touch, write = p.effectsBy(marks, n.Children[0])
		t, w := marks.Of(k)
		return touch | t, write | w
	case id > Empty && k.Expr == nil: // cases of a repetition's element
		return p.effectsBy(marks, n.Children[0])
	case k.Expr == nil:
		return 0, 0
	}
	return marks.Of(k)
}

// wrapOf returns the wrap of a first-pass node of kind wrapped.
func (p *Program) wrapOf(id NodeID) Wrap {
	k := p.keys[id]
	return p.Automaton.At(k.Expr).Wraps[k.Wraps-1]
}

// settle removes irrelevant states from a key, and reports whether the components that the node
// does not change have the demanded states after it.
func (p *Program) settle(k *splitKey) bool {
	touch, write := p.base.effects(k.id)
	sp := p.Automaton.Space()
	if !sp.Agree(k.in, k.out, k.exact&^write) {
		return false
	}
	k.exact &= write
	k.in, k.out = sp.Only(k.in, touch), sp.Only(k.out, k.exact)
	return true
}

// findBetween returns the node for a key, [None] if there is none, the key under which it is
// kept, and whether it is already made.
func (p *Program) findBetween(k splitKey) (NodeID, splitKey, bool) {
	if k.id == None || !p.settle(&k) {
		return None, k, true
	}
	if k.id == Empty {
		return Empty, k, true
	}
	id, known := p.between[k]
	return id, k, known
}

// at returns the node for a key; a new one is made later.
func (s *splitting) at(k splitKey) NodeID {
	id, k, known := s.p.findBetween(k)
	if !known {
		id = s.p.add(Node{Expr: s.p.base.Nodes[k.id].Expr})
		s.p.between[k] = id
		s.todo = append(s.todo, splitPending{id, k})
	}
	return id
}

// node makes the node for a key.
func (s *splitting) node(k splitKey) Node {
	from := &s.p.base.Nodes[k.id]
	n := *from
	switch {
	case from.Op == Leaf && from.Effect == OwnLeaf:
		return s.leaf(k, from.Expr)
	case from.Op == Leaf:
		return n
	case from.Op == Call:
		n.Children = []NodeID{s.at(splitKey{from.Children[0], k.states})}
		return n
	case from.Op == wrapped:
		return s.wrap(k)
	}
	n.Children, n.Values = nil, nil
	for i, child := range from.Children {
		ids := s.ways(splitKey{child, k.states})
		if len(ids) > 1 && from.Values != nil {
			ids = []NodeID{s.p.add(Node{Op: Union, Expr: from.Expr, Children: ids})}
		}
		n.Children = append(n.Children, ids...)
		if from.Values != nil && len(ids) > 0 {
			n.Values = append(n.Values, from.Values[i])
		}
	}
	return n
}

// ways lists the nodes that together have the derivations for a key: for a product one for each
// state between its parts.
func (s *splitting) ways(k splitKey) (ids []NodeID) {
	n := &s.p.base.Nodes[k.id]
	switch {
	case n.Op == Prod:
		for _, m := range s.mids(k) {
			if id := s.p.product(n.Expr, s.at(m.first), s.at(m.rest)); id != None {
				ids = append(ids, id)
			}
		}
	case n.Op == Union && s.p.base.keys[k.id].Expr == nil: // cases of a repetition's element
		for _, child := range n.Children {
			ids = append(ids, s.ways(splitKey{child, k.states})...)
		}
	default:
		if id := s.at(k); id != None {
			ids = append(ids, id)
		}
	}
	return ids
}

// halves are a product's two parts between states.
type halves struct{ first, rest splitKey }

// mids divides a product at every state in which its first part can end.
func (s *splitting) mids(k splitKey) (list []halves) {
	base, sp := s.p.base, s.p.Automaton.Space()
	x, y, rest := base.Nodes[k.id].Children[0], base.Nodes[k.id].Children[1], base.keys[k.id]
	add := func(mid State) {
		first, after := s.p.halve(x, rest, k.states, mid)
		list = append(list, halves{splitKey{x, first}, splitKey{y, after}})
	}
	shared := base.shared(x, rest)
	if shared == 0 {
		add(k.in)
		return list
	}
	touch, _ := base.effects(x)
	seen := map[State]bool{}
	var mids []State
	for _, o := range s.outs(x, sp.Only(k.in, touch)) {
		mid := sp.Merge(k.in, o.To, touch)
		if only := sp.Only(mid, shared); !seen[only] {
			seen[only] = true
			mids = append(mids, mid)
		}
	}
	slices.Sort(mids)
	for _, mid := range mids {
		add(mid)
	}
	return list
}

// shared returns the components that a first part changes and the rest touches.
func (p *Program) shared(x NodeID, rest Part) uint64 {
	_, write := p.effects(x)
	touch, _ := p.marks.Of(rest)
	return write & touch
}

// halve divides the states of a product at the state mid after its first part.
func (p *Program) halve(x NodeID, rest Part, st states, mid State) (first, after states) {
	sp, shared := p.Automaton.Space(), p.base.shared(x, rest)
	_, write := p.base.effects(x)
	last := st.exact & write &^ shared // already settled by the first part
	first = states{st.in, sp.Merge(st.out, mid, shared), shared | last}
	return first, states{sp.Merge(st.in, mid, shared), st.out, st.exact &^ last}
}

// leaf makes the node of a leaf of the automaton: one leaf for each edge.
func (s *splitting) leaf(k splitKey, e *grammar.Expr) Node {
	p, a := s.p, s.p.Automaton.At(e)
	var leaves []Node
	for _, edge := range p.Automaton.Edges(a, k.in) {
		if !p.Automaton.Space().Agree(edge.To, k.out, k.exact) {
			continue
		}
		leaf := Node{Op: Leaf, Expr: e, Effect: OwnLeaf, Component: a.Component, First: edge.First, Fresh: edge.Fresh}
		if a.Silent {
			leaf.First = -1
		}
		size := 1
		switch {
		case p.ByDepth():
			size = 0
		case p.Unit == grammar.Bytes:
			size = edge.Size
		}
		leaf.Ways = []Ways{{size, edge.Ways}}
		leaves = append(leaves, leaf)
	}
	if len(leaves) == 1 {
		return leaves[0]
	}
	n := Node{Op: Union, Expr: e}
	for _, leaf := range leaves {
		n.Children = append(n.Children, p.add(leaf))
	}
	return n
}

// wrap makes the node of an expression with a wrap around it.
func (s *splitting) wrap(k splitKey) Node {
	p, sp, from := s.p, s.p.Automaton.Space(), &s.p.base.Nodes[k.id]
	w := p.base.wrapOf(k.id)
	inner, bit := from.Children[0], uint64(1)<<w.Component
	n := Node{Op: Union, Expr: from.Expr}
	add := func(st states) {
		if id := s.around(from.Expr, w, s.at(splitKey{inner, st})); id != None {
			n.Children = append(n.Children, id)
		}
	}
	entered := p.Automaton.Enter(w, k.in)
	free := states{entered, k.out, k.exact &^ bit}
	if w.Forgets {
		if to, ok := p.Automaton.Leave(w, k.in, entered); ok && sp.Agree(to, k.out, k.exact&bit) {
			add(free)
		}
		return n
	}
	touch, _ := p.base.effects(inner)
	var ends []State
	all := true
	for _, o := range s.outs(inner, sp.Only(entered, touch)) {
		end := sp.Merge(entered, o.To, touch)
		to, ok := p.Automaton.Leave(w, k.in, end)
		if !ok || !sp.Agree(to, k.out, k.exact&bit) {
			all = false
			continue
		}
		ends = append(ends, sp.Merge(k.out, end, bit))
	}
	if all && k.exact&bit == 0 {
		add(free)
		return n
	}
	slices.Sort(ends)
	for _, out := range slices.Compact(ends) {
		add(states{entered, out, k.exact | bit})
	}
	return n
}

// around puts the effects of a wrap before and after a node.
func (s *splitting) around(e *grammar.Expr, w Wrap, id NodeID) NodeID {
	if id == None {
		return None
	}
	return s.p.product(e, s.effect(w.Begin, e, w), s.p.product(e, id, s.effect(w.End, e, w)))
}

// effect returns a leaf with only an effect; Empty if there is none.
func (s *splitting) effect(x Effect, e *grammar.Expr, w Wrap) NodeID {
	id := s.p.effectOf(x, w)
	if id == None {
		id = s.p.add(Node{Op: Leaf, Expr: e, Ways: []Ways{{0, 1}}, Effect: x, Component: w.Component})
		s.p.leaves[effectKey{x, w.Component}] = id
	}
	return id
}

type effectKey struct {
	effect    Effect
	component int
}
