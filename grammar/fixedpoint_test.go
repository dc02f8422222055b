package grammar

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// TestFactsAreSettled checks on random grammars that every value follows from those it depends
// on, so no rule was left waiting. It checks that exactly the expressions that derive a text
// have a depth, and that a rule derives itself exactly if there is a cycle of expressions.
func TestFactsAreSettled(t *testing.T) {
	for seed := range uint64(2000) {
		rng := rand.New(rand.NewPCG(seed, 3))
		b := &Bound{}
		n := 1 + rng.IntN(8)
		var bodies []*Expr
		for i := range n {
			kind := Syntax
			if i > 0 {
				kind = Kind(rng.IntN(4))
			}
			b.Rules = append(b.Rules, &Rule{Name: fmt.Sprint("r", i), Kind: kind, Recursive: true, ID: i})
			bodies = append(bodies, randomBody(rng, n, 3))
		}
		for i, body := range bodies {
			b.Rules[i].Body = body
			body.Walk(func(e *Expr) {
				if e.Op == Ref {
					e.Rule = b.Rules[e.Min]
				}
			})
		}
		g, _ := b.Freeze(nil, nil, "")
		c := newChecker(g)
		c.productive, c.nullable = c.leastFixedPoint(productive), c.leastFixedPoint(nullable)
		if any, all := c.anyCycle(), cycles(len(g.Exprs), c.units); any != (len(all) > 0) {
			t.Fatalf("seed %d: a rule derives itself: %v, but %d cycles of expressions", seed, any, len(all))
		}
		productive := c.productive
		for _, m := range []Measure{Structure, Exact} {
			f := g.Facts(nil, m)
			for _, e := range g.Exprs {
				if f.Productive(e) != productive[e.ID] {
					t.Fatalf("seed %d, %v: expression %d is productive: %v", seed, m, e.ID, f.Productive(e))
				}
				if got, want := f.least[e.ID], f.of(e); got != want {
					t.Fatalf("seed %d, %v: least values of expression %d are %v, settled they would be %v", seed, m, e.ID, got, want)
				}
			}
		}
	}
}

func randomBody(rng *rand.Rand, rules, depth int) *Expr {
	children := func() (out []*Expr) {
		for range 1 + rng.IntN(3) {
			out = append(out, randomBody(rng, rules, depth-1))
		}
		return out
	}
	op := rng.IntN(6)
	if depth == 0 {
		op = rng.IntN(3)
	}
	switch op {
	case 0:
		return &Expr{Op: Lit, Text: []string{"", "x", "yy"}[rng.IntN(3)]}
	case 1, 2:
		return &Expr{Op: Ref, Min: rng.IntN(rules)} // number of its rule
	case 3:
		return &Expr{Op: Seq, Children: children()}
	case 4:
		return &Expr{Op: Choice, Children: children()}
	}
	least := rng.IntN(3)
	return &Expr{Op: Rep, Children: children()[:1], Min: least, Max: []int{Unbounded, least, least + 1}[rng.IntN(3)]}
}
