package coverage

import (
	"context"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
)

// Alternatives returns sentences that take the alternatives not yet counted in c,
// and counts them. Each sentence goes the shortest way to an alternative that the
// ones before do not take, and is the least one elsewhere. Alternatives that no
// sentence was found for stay uncounted. It costs time linear in the grammar for
// each alternative.
func (c *Coverage) Alternatives(ctx context.Context) ([]*derive.Tree, error) {
	g := c.graph.g
	m := derive.NewMachine(g, derive.Options{Facts: c.graph.facts})
	users := usersOf(g)
	var out []*derive.Tree
	for _, n := range c.graph.alternatives() {
		if c.alts[n] > 0 {
			continue
		}
		w := &shortestWay{choice: c.graph.alts[n].e, alt: c.graph.alts[n].i, away: distances(g, users, c.graph.alts[n].e)}
		w.left = w.away[g.Root.ID]
		t, err := m.Run(ctx, w)
		if err != nil {
			return nil, err
		}
		if w.done {
			c.Add(t)
			out = append(out, t)
		}
	}
	return out, nil
}

// usersOf returns, by Expr.ID, the expressions that an expression is a part of.
func usersOf(g *grammar.Grammar) [][]*grammar.Expr {
	users := make([][]*grammar.Expr, len(g.Exprs))
	for _, e := range g.Exprs {
		for _, k := range e.Children {
			users[k.ID] = append(users[k.ID], e)
		}
		if e.Op == grammar.Ref && e.Rule != nil && e.Rule.Kind != grammar.Skip {
			users[e.Rule.Body.ID] = append(users[e.Rule.Body.ID], e)
		}
	}
	return users
}

// distances returns, by Expr.ID, the least number of expansions that lead to an
// expression; -1 if none do.
func distances(g *grammar.Grammar, users [][]*grammar.Expr, to *grammar.Expr) []int {
	away := make([]int, len(g.Exprs))
	for i := range away {
		away[i] = -1
	}
	away[to.ID] = 0
	for queue := []*grammar.Expr{to}; len(queue) > 0; queue = queue[1:] {
		for _, u := range users[queue[0].ID] {
			if away[u.ID] < 0 {
				away[u.ID] = away[queue[0].ID] + 1
				queue = append(queue, u)
			}
		}
	}
	return away
}

// shortestWay is the chooser of the shortest way to an alternative.
type shortestWay struct {
	choice *grammar.Expr
	alt    int
	away   []int
	left   int // expansions left on the way
	done   bool
}

// Choose takes the step that is nearest to the alternative, and the default beside
// the way.
func (w *shortestWay) Choose(d *derive.Decision) (int, error) {
	// A decision further away than the rest of the way is beside it.
	if at := w.away[d.Expr.ID]; w.done || at < 0 || at > w.left {
		return derive.Default, nil
	}
	switch d.Kind {
	case derive.GoOn:
		if d.Can(1) {
			w.left = w.away[d.Expr.Children[0].ID]
			return 1, nil
		}
	case derive.Alternative:
		if d.Expr == w.choice {
			w.done = d.Can(w.alt) // not if it is empty and must not be
			w.left = -1
			if w.done {
				return w.alt, nil
			}
			break
		}
		best := -1
		for i := range d.N {
			v := d.Value(i)
			if a := w.away[d.Expr.Children[v].ID]; a >= 0 && (best < 0 || a < w.away[d.Expr.Children[best].ID]) {
				best = v
			}
		}
		if best >= 0 {
			w.left = w.away[d.Expr.Children[best].ID]
			return best, nil
		}
	}
	return derive.Default, nil
}
