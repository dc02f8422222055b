package main

import (
	"math/bits"

	"github.com/gramfuzz/gramfuzz/grammar"
)

// possible finds the pairs of parts, one beginning before the other, that occur in derivations of
// a grammar. The share of pairs reached is relative to them. Restrictions of the lexer are ignored.
type possible struct {
	place map[*grammar.Expr]int
	facts *grammar.Facts
	size  int
	of    []within // by Expr.ID
	grown bool
}

// within has the parts and pairs that occur in derivations of an expression.
type within struct {
	parts set
	pairs []set // by the first part
}

type set []uint64

// add adds the members of t to s and reports whether s has grown.
func (s set) add(t set) (grown bool) {
	for i, w := range t {
		grown = grown || w&^s[i] != 0
		s[i] |= w
	}
	return grown
}

func newPossible(g *grammar.Grammar, place map[*grammar.Expr]int) *within {
	p := &possible{place: place, facts: g.Facts(nil, grammar.Structure), size: len(place), of: make([]within, len(g.Exprs))}
	for i := range p.of {
		p.of[i] = p.empty()
	}
	for p.grown = true; p.grown; {
		p.grown = false
		for _, r := range g.Rules {
			r.Body.Walk(p.grow)
		}
	}
	p.grow(g.Root)
	return &p.of[g.Root.ID]
}

func (p *possible) empty() within {
	w := within{make(set, (p.size+63)/64), make([]set, p.size)}
	for i := range w.pairs {
		w.pairs[i] = make(set, len(w.parts))
	}
	return w
}

// grow adds the parts and pairs of the children of e to those of e.
func (p *possible) grow(e *grammar.Expr) {
	if !p.facts.Productive(e) {
		return
	}
	switch e.Op {
	case grammar.Seq:
		before := make(set, (p.size+63)/64)
		for _, child := range e.Children {
			p.inside(e, child)
			p.after(e, before, p.of[child.ID].parts)
			before.add(p.of[child.ID].parts)
		}
	case grammar.Choice:
		for _, child := range e.Children {
			p.part(e, child)
		}
	case grammar.Rep:
		if e.Max == 0 {
			return
		}
		p.part(e, e.Children[0])
		if e.Max != 1 {
			p.after(e, p.of[e.ID].parts, p.of[e.ID].parts)
		}
	case grammar.Ref:
		p.inside(e, e.Rule.Body)
	}
}

// part adds a child to e: its parts and pairs, and the child itself if it is a part.
func (p *possible) part(e, child *grammar.Expr) {
	at, ok := p.place[child]
	if !p.facts.Productive(child) {
		return
	}
	p.inside(e, child)
	if ok {
		one := make(set, (p.size+63)/64)
		one[at/64] |= 1 << (at % 64)
		p.after(e, one, p.of[child.ID].parts)
		p.grown = p.of[e.ID].parts.add(one) || p.grown
	}
}

// inside adds the parts and pairs of a child to those of e.
func (p *possible) inside(e, child *grammar.Expr) {
	w, c := &p.of[e.ID], &p.of[child.ID]
	p.grown = w.parts.add(c.parts) || p.grown
	for i := range c.pairs {
		p.grown = w.pairs[i].add(c.pairs[i]) || p.grown
	}
}

// after adds to e every pair of a part in first and a part in second.
func (p *possible) after(e *grammar.Expr, first, second set) {
	for i := range p.size {
		if first[i/64]>>(i%64)&1 != 0 {
			p.grown = p.of[e.ID].pairs[i].add(second) || p.grown
		}
	}
}

// count returns the number of pairs.
func (w *within) count() (n int) {
	for _, s := range w.pairs {
		for _, word := range s {
			n += bits.OnesCount64(word)
		}
	}
	return n
}
