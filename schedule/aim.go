package schedule

import (
	"math"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
)

// A goal is an alternative of a choice, or what a repetition may leave out. An
// aimed walk has up to mostGoals of them, drawn evenly from all goals of the
// grammar, and goes to each by the shortest way; what it does not need to get
// there is drawn as in any other walk. So what lies behind ten
// decisions is as frequent as what lies behind one, and any two goals meet in one
// sentence of about the square of the number of goals.
const mostGoals = 3

// far is the distance of what does not lead to a goal.
const far = math.MaxUint16

// targets are the goals of a grammar and the ways to them.
type targets struct {
	goals []*grammar.Expr
	up    [][]step // by Expr.ID: the expressions that it is a part or the rule of
}

// step leads from an expression to one that has it as its kid number kid.
type step struct {
	from *grammar.Expr
	kid  int
}

func newTargets(g *grammar.Grammar) *targets {
	t := &targets{up: make([][]step, len(g.Exprs))}
	for _, e := range g.Exprs {
		if e.Op == grammar.Ref {
			body := e.Rule.Body.ID
			t.up[body] = append(t.up[body], step{from: e})
		}
		for i, k := range e.Kids {
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
	goals   int                 // 0: the walks are not aimed
	dist    [mostGoals][]uint16 // by Expr.ID: how many steps below it the goal is
	reached [mostGoals]uint16   // the distance left on the way; far: not begun; 0: there is nothing to do
	queue   []*grammar.Expr
}

// plan draws the goals of a tilt. It costs time linear in the grammar.
func (s *tiltedSource) plan() {
	s.aim.goals = 0
	all := s.l.targets.goals
	if len(all) == 0 || s.below(4) == 0 {
		return
	}
	s.aim.goals = 1 + s.below(mostGoals)
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
			if dist[e.ID] != far || d == far-1 || e.Op == grammar.Choice && !s.facts.Mask.On(e, up.kid) {
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
		if s.below(4) == 0 {
			s.aim.reached[i] = 0
		}
	}
}

// pursue answers a decision that lies on the way to a goal. The way to one may
// begin beside that to another, in what that leaves open. A goal that is reached
// is one again half of the time.
func (s *tiltedSource) pursue(d *derive.Decision) (int, bool) {
	a := &s.aim
	if d.Kind != derive.Alternative && d.Kind != derive.GoOn {
		return 0, false
	}
	for i := range a.goals {
		dist := a.dist[i]
		here := dist[d.Expr.ID]
		if here == far || here == 0 || here > a.reached[i] || a.reached[i] == far && s.below(4) == 0 {
			continue
		}
		v, next := 1, dist[d.Expr.Kids[0].ID]
		if d.Kind == derive.Alternative {
			v, next = s.nearest(d, dist)
		}
		if next >= here || !d.Can(v) { // the way is barred here
			a.reached[i] = far
			continue
		}
		if a.reached[i] = next; next == 0 && s.below(2) == 0 {
			a.reached[i] = far
		}
		return v, true
	}
	return 0, false
}

// nearest returns the alternative from which the goal is the least far, one of
// those that are equally near.
func (s *tiltedSource) nearest(d *derive.Decision, dist []uint16) (v int, next uint16) {
	next = far
	ties := 0
	for i := range d.N {
		k := d.Value(i)
		switch to := dist[d.Expr.Kids[k].ID]; {
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
