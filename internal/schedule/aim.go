package schedule

import (
	"math"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
)

// A goal is an alternative of a choice, or what a repetition may leave out. An
// aimed walk has some, drawn evenly from all goals of the grammar, and goes to each
// by the shortest way. So what lies behind ten decisions is as frequent as what
// lies behind one, and any two goals meet in one sentence of about the square of
// the number of goals. It has one to three where the rest is drawn as in any other
// walk.
//
// In three of four aimed tilts the walk is bare besides: what it does not need to get
// to its goals, two to seven, is mostly the least that there is. Bugs need a few things together,
// and each other thing in the sentence is one more reason for a program to refuse
// it before it gets there; what is bare is small, and fast. That a few features
// together are behind most failures is what combinatorial testing goes by (Kuhn,
// Wallace & Gallo 2004).
const (
	mostGoals     = 3
	mostBareGoals = 7
)

// far is the distance of what does not lead to a goal.
const far = math.MaxUint16

// targets are the goals of a grammar and the ways to them.
type targets struct {
	goals []*grammar.Expr
	up    [][]step // by Expr.ID: the expressions that it is a part or the rule of
}

// step leads from an expression to one that has it as its child number child.
type step struct {
	from  *grammar.Expr
	child int
}

func newTargets(g *grammar.Grammar) *targets {
	t := &targets{up: make([][]step, len(g.Exprs))}
	for _, e := range g.Exprs {
		if e.Op == grammar.Ref {
			body := e.Rule.Body.ID
			t.up[body] = append(t.up[body], step{from: e})
		}
		for i, k := range e.Children {
			t.up[k.ID] = append(t.up[k.ID], step{e, i})
			if e.Op == grammar.Choice || e.Op == grammar.Rep && e.Max != e.Min {
				t.goals = append(t.goals, k)
			}
		}
	}
	return t
}

// aim is the plan of a tilt, and how far a sentence has got with it.
type aim struct {
	goals   int                     // 0: the walks are not aimed
	again   int                     // how often a goal that is reached is one again, in 1/64
	bare    bool                    // beside the goals there is the least
	dist    [mostBareGoals][]uint16 // by Expr.ID: how many steps below it the goal is
	reached [mostBareGoals]uint16   // the distance left on the way; far: not begun; 0: there is nothing to do
	queue   []*grammar.Expr
}

// plan draws the goals of a tilt. It costs time linear in the grammar.
func (s *tiltedSource) plan() {
	s.aim.goals, s.aim.bare = 0, false
	all := s.l.targets.goals
	if len(all) == 0 || s.below(4) == 0 {
		return
	}
	s.aim.goals = 1 + s.below(mostGoals)
	s.aim.again = [...]int{0, 8, 32}[s.below(3)]
	if s.below(4) > 0 {
		s.aim.bare, s.aim.goals = true, 2+s.below(mostBareGoals-1)
	}
	for i := range s.aim.goals {
		s.aim.dist[i] = s.measure(s.aim.dist[i], all[s.below(len(all))])
	}
}

// measure finds how far below each expression the goal is, under the
// configuration in force.
func (s *tiltedSource) measure(dist []uint16, goal *grammar.Expr) []uint16 {
	if dist == nil {
		dist = make([]uint16, len(s.l.g.Exprs))
	}
	for i := range dist {
		dist[i] = far
	}
	dist[goal.ID] = 0
	queue := append(s.aim.queue[:0], goal)
	for i := 0; i < len(queue); i++ {
		d := dist[queue[i].ID]
		for _, up := range s.l.targets.up[queue[i].ID] {
			e := up.from
			if dist[e.ID] != far || d == far-1 || e.Op == grammar.Choice && !s.facts.Mask.On(e, up.child) {
				continue
			}
			dist[e.ID] = d + 1
			queue = append(queue, e)
		}
	}
	s.aim.queue = queue
	return dist
}

// start begins a sentence: it goes to some of the goals of the tilt.
func (s *tiltedSource) start() {
	for i := range s.aim.goals {
		s.aim.reached[i] = far
		if s.below(4) == 0 && (!s.aim.bare || s.below(2) == 0) {
			s.aim.reached[i] = 0
		}
	}
}

// pursue answers a decision that lies on the way to a goal. The way to one may
// begin beside that to another, in what that leaves open. A goal that is reached
// is one again now and then, in some tilts half of the time.
func (s *tiltedSource) pursue(d *derive.Decision) (int, bool) {
	a := &s.aim
	if d.Kind != derive.Alternative && d.Kind != derive.GoOn {
		return 0, false
	}
	for i := range a.goals {
		dist := a.dist[i]
		here := dist[d.Expr.ID]
		if here == far || here == 0 || here > a.reached[i] || a.reached[i] == far && !s.begins(dist, here) {
			continue
		}
		v, next := 1, dist[d.Expr.Children[0].ID]
		if d.Kind == derive.Alternative {
			v, next = s.nearest(d, dist)
		}
		if next >= here || !d.Can(v) { // the way is barred here
			a.reached[i] = far
			continue
		}
		if a.reached[i] = next; next == 0 && s.below(64) < a.again {
			a.reached[i] = far
		}
		return v, true
	}
	return 0, false
}

// begins reports whether the way to a goal begins here, at a distance, which it
// mostly does where it is not nearer to what is still to come.
func (s *tiltedSource) begins(dist []uint16, here uint16) bool {
	return s.machine.Ahead(dist, here) == (s.below(8) == 0)
}

// nearest returns the alternative from which the goal is the least far, one of
// those that are equally near.
func (s *tiltedSource) nearest(d *derive.Decision, dist []uint16) (v int, next uint16) {
	next = far
	ties := 0
	for i := range d.N {
		k := d.Value(i)
		switch to := dist[d.Expr.Children[k].ID]; {
		case to == far || to > next:
			continue
		case to < next:
			next, ties = to, 0
		}
		if ties++; s.below(ties) == 0 {
			v = k
		}
	}
	return v, next
}

// bare answers a decision that leads to no goal: a repetition ends, and of the
// alternatives one is four times as likely as another that has a terminal more at
// the least.
func (s *tiltedSource) bare(d *derive.Decision) int {
	if d.Kind == derive.GoOn {
		return d.Value(0)
	}
	least := grammar.Never
	for i := range d.N {
		least = min(least, s.leastOf(d, i))
	}
	v, all := d.Value(0), 0
	for i := range d.N {
		w := 1 << 16 >> min(17, 2*(s.leastOf(d, i)-least))
		if all += w; s.below(all) < w {
			v = d.Value(i)
		}
	}
	return v
}

// leastOf returns the least size of the i-th alternative that can be taken.
func (s *tiltedSource) leastOf(d *derive.Decision, i int) int {
	return s.facts.Size(d.Expr.Children[d.Value(i)], grammar.Terminals, d.Want)
}
