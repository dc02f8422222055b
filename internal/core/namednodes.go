package core

import (
	"slices"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/scope"
)

// Effect is the effect of a leaf on the names in play when a text is made. Leaves
// with nothing but an effect have one way, of size 0 and without text; ranks and
// choices do not depend on them.
type Effect uint8

// The effects.
const (
	NoEffect    Effect = iota
	TakeName           // the leaf is a name, one of the element At(Expr)
	CommitNames        // pending names become visible
	BeginScope         // a scope begins
	EndScope           // it ends
	HoldText           // the text that comes now …
	BindText           // … up to here is bound
)

// maxNamedNodes bounds the nodes of a program with names, which are about as many as
// without names times the number of states.
const maxNamedNodes = 1 << 18

// With names in play, what an expression derives depends on the state before
// it, and what follows on the state after it. So there is a node for every
// expression, state before and state after that occur: a matrix instead of a
// number, as in the counting of closed lambda terms (Grygiel & Lescanne 2013;
// Bendkowski 2020). A product sums over the states between its two parts, and
// a scope over all states at its end. Only states that matter are told apart: before
// a part, those of namespaces that it touches; after it, those of namespaces that it
// changes and something later touches. A part that touches no name keeps one node.

// useNames prepares the states; nothing without names.
func (l *lowering) useNames() error {
	p := l.p
	if p.Names == nil {
		return nil
	}
	var err error
	if p.Space, err = p.Names.Space(p.Unit == grammar.Bytes && !p.byDepth); err != nil {
		return err
	}
	p.effects = map[effectKey]NodeID{}
	l.reach = scope.NewReach(p.Space, p.Facts, p.repeat, 4*maxNamedNodes)
	return nil
}

func (p *Program) wraps(e *grammar.Expr) int {
	if p.Names == nil {
		return 0
	}
	return p.Names.Wraps(e)
}

func (p *Program) kind(e *grammar.Expr) scope.Kind {
	if p.Names != nil {
		if el := p.Names.At(e); el != nil {
			return el.Kind
		}
	}
	return scope.None
}

// touched returns the namespaces that a part reads or changes, and those it changes.
func (p *Program) touched(k partKey) (touch, write uint64) {
	if k.i > 0 {
		return p.Names.Touch(k.expr, k.i), p.Names.Write(k.expr, k.i)
	}
	return p.Names.Within(k.expr, k.wraps)
}

// settle clears the states of namespaces that do not matter to k. It reports whether
// those that k does not change are as they should be after it.
func (p *Program) settle(k *partKey) bool {
	touch, write := p.touched(*k)
	if !p.Space.Agree(k.in, k.out, k.exact&^write) {
		return false
	}
	k.exact &= write
	k.in, k.out = p.Space.Only(k.in, touch), p.Space.Only(k.out, k.exact)
	return true
}

// agree reports whether a part that changes nothing ends as it should.
func (p *Program) agree(st states) bool {
	return st.exact == 0 || p.Space.Agree(st.in, st.out, st.exact)
}

// split holds the states of a child and those of the rest after it.
type split struct{ child, rest states }

// splits lists, for a child followed by rest, whose states are those of both
// together, the states that the child may leave to the rest.
func (l *lowering) splits(child *grammar.Expr, a want, rest partKey) []split {
	p := l.p
	if p.Names == nil {
		return []split{{}}
	}
	shared := p.shared(child, rest)
	if shared == 0 {
		return []split{p.split(child, rest, rest.in)}
	}
	touch := p.Names.Touch(child, 0)
	outs, err := l.reach.Outs(child, 0, scope.Text(a), p.Space.Only(rest.in, touch))
	if err != nil {
		l.err = err
	}
	seen := map[scope.State]bool{}
	var mids []scope.State
	for _, o := range outs {
		mid := p.Space.Merge(rest.in, o.To, touch)
		if only := p.Space.Only(mid, shared); !seen[only] {
			seen[only] = true
			mids = append(mids, mid)
		}
	}
	slices.SortFunc(mids, func(x, y scope.State) int { return int(min(max(x-y, -1), 1)) })
	var out []split
	for _, mid := range mids {
		out = append(out, p.split(child, rest, mid))
	}
	return out
}

// shared returns the namespaces that a child changes and the rest touches.
func (p *Program) shared(child *grammar.Expr, rest partKey) uint64 {
	touch, _ := p.touched(rest)
	return p.Names.Write(child, 0) & touch
}

// split divides states at the state mid after a child.
func (p *Program) split(child *grammar.Expr, rest partKey, mid scope.State) split {
	shared, write, st := p.shared(child, rest), p.Names.Write(child, 0), rest.states
	last := st.exact & write &^ shared // settled by the child already
	return split{
		child: states{st.in, p.Space.Merge(st.out, mid, shared), shared | last},
		rest:  states{p.Space.Merge(st.in, mid, shared), st.out, st.exact &^ last},
	}
}

// wrapped makes the node of an element with its outermost wrap.
func (l *lowering) wrapped(k partKey) Node {
	p, e := l.p, k.expr
	w := p.Names.At(e).Wraps[k.wraps-1]
	bit := uint64(1) << w.NS
	inner := k
	inner.wraps--
	around := func(before, after Effect, st states) NodeID {
		inner.states = st
		id := l.part(inner)
		if id == None {
			return None
		}
		end := l.effect(after, e, w.NS)
		if id != Empty {
			end = l.add(Node{Op: Prod, Expr: e, Children: []NodeID{id, end}})
		}
		if before == NoEffect {
			return end
		}
		return l.add(Node{Op: Prod, Expr: e, Children: []NodeID{l.effect(before, e, w.NS), end}})
	}
	free := k.states
	free.exact &^= bit
	switch {
	case w.Kind == scope.Scope:
		return l.asNode(e, around(BeginScope, EndScope, free))
	case w.Kind == scope.Bind && !p.Space.Agree(p.Space.Wrap(w, k.in, k.in), k.out, k.exact&bit):
		return l.asNode(e, None)
	case w.Kind == scope.Bind:
		return l.asNode(e, around(HoldText, BindText, free))
	case k.exact&bit == 0:
		return l.asNode(e, around(NoEffect, CommitNames, free))
	}
	n := Node{Op: Union, Expr: e}
	for _, st := range l.committed(k, w) {
		if id := around(NoEffect, CommitNames, st); id != None {
			n.Children = append(n.Children, id)
		}
	}
	return n
}

// committed lists the states of an element from whose end a commit leads to
// the state that is asked for.
func (l *lowering) committed(k partKey, w scope.Wrap) []states {
	p, bit := l.p, uint64(1)<<w.NS
	touch, _ := p.Names.Within(k.expr, k.wraps-1)
	outs, err := l.reach.OutsWithin(k.expr, 0, k.wraps-1, scope.Text(k.want), p.Space.Only(k.in, touch))
	if err != nil {
		l.err = err
	}
	seen := map[scope.State]bool{}
	var list []states
	for _, o := range outs {
		end := p.Space.Merge(k.in, o.To, touch)
		st := states{k.in, p.Space.Merge(k.out, end, bit), k.exact}
		if p.Space.Agree(p.Space.Wrap(w, k.in, end), k.out, bit) && !seen[st.out] {
			seen[st.out] = true
			list = append(list, st)
		}
	}
	slices.SortFunc(list, func(x, y states) int { return int(min(max(x.out-y.out, -1), 1)) })
	return list
}

// effect returns a leaf with nothing but an effect.
func (l *lowering) effect(a Effect, e *grammar.Expr, ns int) NodeID {
	key := effectKey{a, ns}
	id, ok := l.p.effects[key]
	if !ok {
		id = l.add(Node{Op: Leaf, Expr: e, Ways: []Ways{{0, 1}}, Effect: a, NS: ns})
		l.p.effects[key] = id
	}
	return id
}

type effectKey struct {
	effect Effect
	ns     int
}

// name makes the node of a name: a leaf, or one for each sort of names that it
// may be.
func (l *lowering) name(k partKey) Node {
	p, e := l.p, k.expr
	el := p.Names.At(e)
	n := Node{Op: Union, Expr: e}
	if k.want == emptyOnly {
		return n
	}
	var leaves []Node
	for _, edge := range p.Space.Edges(el, k.in) {
		if !p.Space.Agree(edge.To, k.out, k.exact) {
			continue
		}
		leaf := Node{Op: Leaf, Expr: e, Effect: TakeName, NS: el.NS, First: edge.First, Fresh: edge.Fresh}
		size := 1
		switch {
		case p.byDepth:
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
	for _, leaf := range leaves {
		n.Children = append(n.Children, l.add(leaf))
	}
	return n
}

// nameBytes is the mean length of the names of a namespace.
func (p *Program) nameBytes(ns int) float64 {
	texts := p.Names.Namespaces()[ns].Texts
	total := 0
	for _, text := range texts {
		total += len(text)
	}
	return float64(total) / float64(max(len(texts), 1))
}
