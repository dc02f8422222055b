package main

import (
	"context"
	"io"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/swarm"
)

// pairSet counts the pairs of alternatives that one sentence takes together, which a
// swarm is meant to vary. Alternatives inside tokens do not count.
type pairSet struct {
	place map[int]int // the alternative's number in the grammar to 0, 1, 2, …
	seen  []bool      // by pair
	hit   int
	taken []int
	last  []int // by alternative: the sentence that had it last
	n     int
}

func newPairSet(sw *swarm.Swarm) *pairSet {
	p := &pairSet{place: map[int]int{}}
	for _, f := range sw.Features() {
		if f.Expr != nil && f.Expr.Op == grammar.Choice {
			p.place[f.Expr.FirstAlt+f.Alt] = len(p.place)
		}
	}
	p.seen = make([]bool, len(p.place)*len(p.place))
	p.last = make([]int, len(p.place))
	return p
}

// all returns how many pairs there are. Not all of them need to be possible.
func (p *pairSet) all() int { return len(p.place) * (len(p.place) - 1) / 2 }

// take notes an alternative of the present sentence.
func (p *pairSet) take(alt int) {
	i, ok := p.place[alt]
	if !ok || p.last[i] == p.n+1 {
		return
	}
	p.last[i] = p.n + 1
	for _, j := range p.taken {
		if at := max(i, j)*len(p.place) + min(i, j); !p.seen[at] {
			p.seen[at] = true
			p.hit++
		}
	}
	p.taken = append(p.taken, i)
}

// end ends the present sentence.
func (p *pairSet) end() {
	p.taken = p.taken[:0]
	p.n++
}

// pairs returns how many pairs of alternatives n sentences reach, and of how many.
func (c config) pairs(ctx context.Context, g *grammar.Grammar, n int, seed uint64) (hit, all int, err error) {
	o := c.options(g)
	o.Seed = seed
	sw, err := swarm.New(g, swarm.Options{Mode: c.swarm})
	if err != nil {
		return 0, 0, err
	}
	s, err := c.open(ctx, g, o)
	if err != nil {
		return 0, 0, err
	}
	p := newPairSet(sw)
	src := s.Source()
	for i := range uint64(n) {
		t, err := src.Tree(ctx, i)
		if err != nil {
			return 0, 0, err
		}
		for k := range t.Nodes {
			if e := t.Nodes[k].Expr; e.Op == grammar.Choice && !t.Nodes[k].Name {
				p.take(e.FirstAlt + t.Nodes[k].Val)
			}
		}
		p.end()
	}
	return p.hit, p.all(), nil
}

// pairTable prints, for every configuration, the share of pairs of alternatives
// that occur in one sentence together, in percent.
func pairTable(ctx context.Context, cols []column, rows []config, n int, seed uint64, stdout, stderr io.Writer) error {
	return table(cols, rows, "pairs of alternatives", "pairs of alternatives", stdout, stderr, func(c column, row config) (int, int, error) {
		return row.pairs(ctx, c.g, n, seed)
	})
}
