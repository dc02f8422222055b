package core

import (
	"slices"

	"github.com/gramfuzz/gramfuzz/grammar"
)

// product is two automata that run side by side. Its components are those of the first
// and then those of the second.
type product struct {
	a, b  Automaton
	space *Space
	base  State // how many states the first has
	at    []*Action
}

// Join returns the automaton that takes the derivations which both take. At most one of
// them has a leaf at each expression of g; the wraps of the first are the inner ones.
// The error is [ErrStates].
func Join(g *grammar.Grammar, a, b Automaton) (Automaton, error) {
	space, err := NewSpace(slices.Concat(a.Space().size, b.Space().size)...)
	if err != nil {
		return nil, err
	}
	p := &product{a: a, b: b, space: space, base: 1, at: make([]*Action, len(g.Exprs))}
	for _, n := range a.Space().size {
		p.base *= n
	}
	for _, e := range g.Exprs {
		p.at[e.ID] = p.both(a.At(e), b.At(e))
	}
	return p, nil
}

// Find returns the automaton of type T that a is, or that is one of a product's.
func Find[T Automaton](a Automaton) (found T, ok bool) {
	if p, is := a.(*product); is {
		if found, ok = Find[T](p.a); !ok {
			found, ok = Find[T](p.b)
		}
		return found, ok
	}
	found, ok = a.(T)
	return found, ok
}

// both joins the parts of the two at an expression.
func (p *product) both(x, y *Action) *Action {
	if y == nil {
		return x
	}
	shifted := *y
	shifted.Component += p.first()
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

// first returns how many components the first automaton has.
func (p *product) first() int { return len(p.a.Space().size) }

func (p *product) Space() *Space { return p.space }

func (p *product) At(e *grammar.Expr) *Action { return p.at[e.ID] }

func (p *product) Edges(x *Action, s State) []Edge {
	if x.Component < p.first() {
		edges := slices.Clone(p.a.Edges(x, s%p.base))
		for i := range edges {
			edges[i].To += s - s%p.base
		}
		return edges
	}
	y := *x
	y.Component -= p.first()
	edges := slices.Clone(p.b.Edges(&y, s/p.base))
	for i := range edges {
		edges[i].To = edges[i].To*p.base + s%p.base
	}
	return edges
}

func (p *product) Enter(w Wrap, before State) State {
	if w.Component < p.first() {
		return p.a.Enter(w, before%p.base) + before - before%p.base
	}
	w.Component -= p.first()
	return p.b.Enter(w, before/p.base)*p.base + before%p.base
}

func (p *product) Leave(w Wrap, before, end State) (State, bool) {
	if w.Component < p.first() {
		to, ok := p.a.Leave(w, before%p.base, end%p.base)
		return to + end - end%p.base, ok
	}
	w.Component -= p.first()
	to, ok := p.b.Leave(w, before/p.base, end/p.base)
	return to*p.base + end%p.base, ok
}

func (p *product) Accepting() func(State) bool {
	x, y := p.a.Accepting(), p.b.Accepting()
	if x == nil && y == nil {
		return nil
	}
	return func(s State) bool { return (x == nil || x(s%p.base)) && (y == nil || y(s/p.base)) }
}
