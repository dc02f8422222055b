package main

import (
	"math/big"
	"math/bits"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
)

// leastSet returns a lower bound on the number of sentences needed to take the same alternatives
// as trees. The bound is the size of a set of alternatives no two of which occur in one
// derivation. The set is found greedily, so the bound may be too low but never too high.
func leastSet(g *grammar.Grammar, trees []*derive.Tree) int {
	t := newTogether(g, trees)
	t.fill()
	apart := make([]*big.Int, len(t.of))
	all := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), uint(len(t.of))), big.NewInt(1))
	for a, with := range t.pairs[g.Start] {
		apart[a] = new(big.Int).AndNot(all, with)
		apart[a].SetBit(apart[a], a, 0)
	}
	best := min(1, len(trees))
	for first := range apart {
		left, n := new(big.Int).Set(apart[first]), 1
		for left.Sign() > 0 {
			next, most := -1, -1
			for a := range apart {
				if left.Bit(a) == 0 {
					continue
				}
				if k := ones(new(big.Int).And(left, apart[a])); k > most {
					next, most = a, k
				}
			}
			left.And(left, apart[next])
			n++
		}
		best = max(best, n)
	}
	return best
}

func ones(x *big.Int) (n int) {
	for _, word := range x.Bits() {
		n += bits.OnesCount(uint(word))
	}
	return n
}

// together finds the pairs of alternatives that can occur in one derivation. It ignores lexers, so
// some of these derivations may have no text.
type together struct {
	g     *grammar.Grammar
	of    map[int]int // numbers the relevant alternatives from 0
	below map[*grammar.Rule]*big.Int
	pairs map[*grammar.Rule][]*big.Int // by alternative: those that occur with it in a derivation of the rule
}

func newTogether(g *grammar.Grammar, trees []*derive.Tree) *together {
	t := &together{g: g, of: map[int]int{}, below: map[*grammar.Rule]*big.Int{}, pairs: map[*grammar.Rule][]*big.Int{}}
	facts := g.Facts(nil, grammar.Structure)
	for _, tree := range trees {
		nodes := tree.Nodes()
		for i := 0; i < len(nodes); i++ {
			n := &nodes[i]
			switch {
			case n.Expr.Op == grammar.Ref && facts.Leaf(n.Expr):
				i = n.End - 1
			case n.Expr.Op == grammar.Choice && !n.Name:
				alt := n.Expr.FirstAlt + n.Val
				if _, ok := t.of[alt]; !ok {
					t.of[alt] = len(t.of)
				}
			}
		}
	}
	for _, r := range g.Rules {
		t.below[r], t.pairs[r] = new(big.Int), make([]*big.Int, len(t.of))
		for a := range t.pairs[r] {
			t.pairs[r][a] = new(big.Int)
		}
	}
	return t
}

// fill visits all rules until no set grows.
func (t *together) fill() {
	for again := true; again; {
		again = false
		for _, r := range t.g.Rules {
			into := t.pairs[r]
			was := fingerprint(t.below[r], into)
			t.below[r] = t.visit(r.Body, into)
			again = again || was != fingerprint(t.below[r], into)
		}
	}
}

// fingerprint counts the members of the sets. They only grow, so an equal count means no change.
func fingerprint(below *big.Int, pairs []*big.Int) int {
	n := ones(below)
	for _, s := range pairs {
		n += ones(s)
	}
	return n
}

// visit returns the alternatives below e, and adds the pairs in derivations of e to into.
func (t *together) visit(e *grammar.Expr, into []*big.Int) *big.Int {
	all := new(big.Int)
	switch e.Op {
	case grammar.Choice:
		for i, k := range e.Children {
			below := t.visit(k, into)
			if a, ok := t.of[e.FirstAlt+i]; ok {
				one := new(big.Int).SetBit(new(big.Int), a, 1)
				cross(into, one, below)
				all.Or(all, one)
			}
			all.Or(all, below)
		}
	case grammar.Seq:
		for _, k := range e.Children {
			below := t.visit(k, into)
			cross(into, all, below)
			all.Or(all, below)
		}
	case grammar.Rep:
		all = t.visit(e.Children[0], into)
		if e.Max != 1 {
			cross(into, all, all)
		}
	case grammar.Ref:
		all.Set(t.below[e.Rule])
		for a := range into {
			if all.Bit(a) != 0 {
				into[a].Or(into[a], t.pairs[e.Rule][a])
			}
		}
	}
	return all
}

// cross adds every pair of a member of a and a member of b.
func cross(into []*big.Int, a, b *big.Int) {
	if a.Sign() == 0 || b.Sign() == 0 {
		return
	}
	for i := range into {
		if a.Bit(i) != 0 {
			into[i].Or(into[i], b)
		}
		if b.Bit(i) != 0 {
			into[i].Or(into[i], a)
		}
	}
}
