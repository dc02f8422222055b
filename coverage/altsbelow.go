package coverage

import (
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/base/graphs"
)

// altSet is a set of alternatives by number, as a bit set.
type altSet []uint64

func (s altSet) add(n int) { s[n>>6] |= 1 << (n & 63) }

func (s altSet) has(n int) bool { return s[n>>6]&(1<<(n&63)) != 0 }

// meets reports whether the sets have an alternative in common.
func (s altSet) meets(t altSet) bool {
	for i, word := range t {
		if s[i]&word != 0 {
			return true
		}
	}
	return false
}

func (s altSet) join(t altSet) {
	for i, word := range t {
		s[i] |= word
	}
}

// altsBelow computes the alternatives that derivations of an expression can take.
type altsBelow struct {
	alts   int
	byRule []altSet
	byExpr map[*grammar.Expr]altSet // of alternatives, made when first needed
}

func newAltsBelow(g *grammar.Grammar) *altsBelow {
	b := &altsBelow{alts: g.Alts, byRule: make([]altSet, len(g.Rules)), byExpr: make(map[*grammar.Expr]altSet)}
	next := make([][]int32, len(g.Rules))
	for i, r := range g.Rules {
		r.Body.Walk(func(e *grammar.Expr) {
			if e.Op == grammar.Ref && e.Rule != nil {
				next[i] = append(next[i], int32(e.Rule.ID))
			}
		})
	}
	for _, component := range graphs.Components(len(g.Rules), func(r int32) []int32 { return next[r] }) {
		set := b.empty()
		for _, r := range component {
			b.byRule[r] = set // shared by the whole component
		}
		for _, r := range component { // components after their successors
			b.collect(set, g.Rules[r].Body)
		}
	}
	return b
}

func (b *altsBelow) empty() altSet { return make(altSet, (b.alts+63)/64) }

// collect adds to set the alternatives below e.
func (b *altsBelow) collect(set altSet, e *grammar.Expr) {
	e.Walk(func(e *grammar.Expr) {
		switch {
		case e.Op == grammar.Choice:
			for i := range e.Children {
				set.add(e.FirstAlt + i)
			}
		case e.Op == grammar.Ref && e.Rule != nil:
			set.join(b.byRule[e.Rule.ID])
		}
	})
}

// of returns the alternatives below e.
func (b *altsBelow) of(e *grammar.Expr) altSet {
	set, ok := b.byExpr[e]
	if !ok {
		set = b.empty()
		b.collect(set, e)
		b.byExpr[e] = set
	}
	return set
}
