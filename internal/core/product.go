package core

import (
	"slices"

	"github.com/gramfuzz/gramfuzz/grammar"
)

// product is two automata that run side by side. Its components are those of the first and then
// those of the second.
type product struct {
	a, b  Automaton
	space *Space
	at    []*Action
}

// Join returns the automaton that accepts the derivations that both accept. At most one of them
// may have a leaf at each expression of g; the wraps of the first are the inner ones. The error
// is [ErrStates].
func Join(g *grammar.Grammar, a, b Automaton) (Automaton, error) {
	space, err := NewSpace(slices.Concat(a.Space().size, b.Space().size)...)
	if err != nil {
		return nil, err
	}
	p := &product{a: a, b: b, space: space, at: make([]*Action, len(g.Exprs))}
	for _, e := range g.Exprs {
		p.at[e.ID] = p.both(a.At(e), b.At(e))
	}
	return p, nil
}

// Find returns the automaton of type T that a is, or that is a factor of the product a.
func Find[T Automaton](a Automaton) (found T, ok bool) {
	if p, is := a.(*product); is {
		found, ok = Find[T](p.a)
		if !ok {
			found, ok = Find[T](p.b)
		}
		return found, ok
	}
	found, ok = a.(T)
	return found, ok
}

// both joins the actions of the two at an expression.
func (p *product) both(x, y *Action) *Action {
	if y == nil {
		return x
	}
	shifted := *y
	shifted.Component += p.first()
	shifted.Also <<= p.first()
	shifted.Wraps = slices.Clone(y.Wraps)
	for i := range shifted.Wraps {
		shifted.Wraps[i].Component += p.first()
	}
	if x == nil {
		return &shifted
	}
	joined := *x
	if !x.Leaf {
		joined = shifted
	}
	joined.Wraps = slices.Concat(x.Wraps, shifted.Wraps)
	return &joined
}

// first returns the number of components of the first automaton.
func (p *product) first() int { return len(p.a.Space().size) }

func (p *product) Space() *Space { return p.space }

func (p *product) At(e *grammar.Expr) *Action { return p.at[e.ID] }

// inA and inB return the states of the factors.
func (p *product) inA(s State) State { return p.a.Space().take(0, 0, p.space, s, 0, p.first()) }

func (p *product) inB(s State) State {
	b := p.b.Space()
	return b.take(0, 0, p.space, s, p.first(), b.Len())
}

// side returns the automaton that has a component, the component's number there, and functions
// that extract its state from one of the product and insert it.
func (p *product) side(component int) (a Automaton, own int, in func(State) State, out func(s, part State) State) {
	first := 0
	a, in = p.a, p.inA
	if component >= p.first() {
		first, a, in = p.first(), p.b, p.inB
	}
	return a, component - first, in, func(s, part State) State {
		return p.space.take(s, first, a.Space(), part, 0, a.Space().Len())
	}
}

func (p *product) Edges(x *Action, s State) []Edge {
	y := *x
	a, own, in, out := p.side(x.Component)
	y.Component = own
	y.Also >>= x.Component - own
	edges := slices.Clone(a.Edges(&y, in(s)))
	for i := range edges {
		edges[i].To = out(s, edges[i].To)
	}
	return edges
}

func (p *product) Enter(w Wrap, before State) State {
	a, own, in, out := p.side(w.Component)
	w.Component = own
	return out(before, a.Enter(w, in(before)))
}

func (p *product) Leave(w Wrap, before, end State) (State, bool) {
	a, own, in, out := p.side(w.Component)
	w.Component = own
	to, ok := a.Leave(w, in(before), in(end))
	return out(end, to), ok
}

func (p *product) Accepting() func(State) bool {
	x, y := p.a.Accepting(), p.b.Accepting()
	if x == nil && y == nil {
		return nil
	}
	return func(s State) bool { return (x == nil || x(p.inA(s))) && (y == nil || y(p.inB(s))) }
}
