package stream

import (
	"math"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
)

// A target is an alternative of a choice or the body of a repetition. A walk with
// targets draws some evenly from all of the grammar and goes to each by the shortest
// way. So a target behind ten decisions is as frequent as one behind one, and any two
// meet in about one sentence of n², where n is the number of targets. Such a walk has
// one to three and is otherwise like any other.
//
// In three of four weightings with targets the walk is minimal: it has two to seven, and
// beside the ways to them mostly takes the least derivation. A bug needs a few things
// together. Every other thing in a sentence is one more reason for the program to
// refuse it before. That a few features together cause most failures is the premise of
// combinatorial testing (Kuhn, Wallace & Gallo 2004).
const (
	maxTargets        = 3
	maxMinimalTargets = 7
)

// unreachable is the distance of an expression that does not lead to the target.
const unreachable = math.MaxUint16

// paths are the targets of a grammar and the ways to them.
type paths struct {
	targets []*grammar.Expr
	up      [][]step // by Expr.ID: the expressions that have it as a part or name its rule
}

// step leads from an expression to one that has it as its child number child.
type step struct {
	from  *grammar.Expr
	child int
}

func newPaths(g *grammar.Grammar) *paths {
	p := &paths{up: make([][]step, len(g.Exprs))}
	for _, e := range g.Exprs {
		if e.Op == grammar.Ref {
			body := e.Rule.Body.ID
			p.up[body] = append(p.up[body], step{from: e})
		}
		for i, k := range e.Children {
			p.up[k.ID] = append(p.up[k.ID], step{e, i})
			if e.Op == grammar.Choice || e.Op == grammar.Rep && e.Max != e.Min {
				p.targets = append(p.targets, k)
			}
		}
	}
	return p
}

// approach is the targets of a weighting, and how far a sentence has got with each.
type approach struct {
	targets int                         // 0: the walks have none
	repeat  int                         // how often a target is one again once it is reached, in 1/64
	minimal bool                        // beside the ways to targets the walk takes the least
	dist    [maxMinimalTargets][]uint16 // by Expr.ID: the steps from it down to the target
	left    [maxMinimalTargets]uint16   // the steps left on the way; unreachable: not begun; 0: reached
	queue   []*grammar.Expr
}

// chooseTargets draws the targets of a weighting, in time linear in the grammar.
func (s *weightedWalk) chooseTargets() {
	s.approach.targets, s.approach.minimal = 0, false
	all := s.shape.paths.targets
	if len(all) == 0 || s.below(4) == 0 {
		return
	}
	s.approach.targets = 1 + s.below(maxTargets)
	s.approach.repeat = [...]int{0, 8, 32}[s.below(3)]
	if s.below(4) > 0 {
		s.approach.minimal, s.approach.targets = true, 2+s.below(maxMinimalTargets-1)
	}
	for i := range s.approach.targets {
		s.approach.dist[i] = s.distances(s.approach.dist[i], all[s.below(len(all))])
	}
}

// distances finds the steps from each expression down to the target, under the
// configuration in force.
func (s *weightedWalk) distances(dist []uint16, target *grammar.Expr) []uint16 {
	if dist == nil {
		dist = make([]uint16, len(s.shape.g.Exprs))
	}
	for i := range dist {
		dist[i] = unreachable
	}
	dist[target.ID] = 0
	queue := append(s.approach.queue[:0], target)
	for i := 0; i < len(queue); i++ {
		d := dist[queue[i].ID]
		for _, up := range s.shape.paths.up[queue[i].ID] {
			e := up.from
			if dist[e.ID] != unreachable || d == unreachable-1 || e.Op == grammar.Choice && !s.facts.Mask.On(e, up.child) {
				continue
			}
			dist[e.ID] = d + 1
			queue = append(queue, e)
		}
	}
	s.approach.queue = queue
	return dist
}

// begin begins a sentence, which goes to some of the targets.
func (s *weightedWalk) begin() {
	for i := range s.approach.targets {
		s.approach.left[i] = unreachable
		if s.below(4) == 0 && (!s.approach.minimal || s.below(2) == 0) {
			s.approach.left[i] = 0
		}
	}
}

// toTarget answers a decision on the way to a target. The way to one may begin inside
// a part that the way to another leaves open. A target that is reached may be one
// again, in some weightings half of the time.
func (s *weightedWalk) toTarget(d *derive.Decision) (int, bool) {
	a := &s.approach
	if d.Kind != derive.Alternative && d.Kind != derive.GoOn {
		return 0, false
	}
	for i := range a.targets {
		dist := a.dist[i]
		here := dist[d.Expr.ID]
		if here == unreachable || here == 0 || here > a.left[i] || a.left[i] == unreachable && !s.beginsHere(dist, here) {
			continue
		}
		v, next := 1, dist[d.Expr.Children[0].ID]
		if d.Kind == derive.Alternative {
			v, next = s.nearest(d, dist)
		}
		if next >= here || !d.Can(v) { // the way is barred here
			a.left[i] = unreachable
			continue
		}
		if a.left[i] = next; next == 0 && s.below(64) < a.repeat {
			a.left[i] = unreachable
		}
		return v, true
	}
	return 0, false
}

// beginsHere reports whether the way to a target begins here, at a distance: mostly if
// nothing that is still to come is nearer.
func (s *weightedWalk) beginsHere(dist []uint16, here uint16) bool {
	return s.m.Ahead(dist, here) == (s.below(8) == 0)
}

// nearest returns the alternative from which the target is nearest, one of them where
// several are, and the distance from there.
func (s *weightedWalk) nearest(d *derive.Decision, dist []uint16) (v int, next uint16) {
	next = unreachable
	ties := 0
	for i := range d.N {
		k := d.Value(i)
		switch to := dist[d.Expr.Children[k].ID]; {
		case to == unreachable || to > next:
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

// minimal answers a decision that leads to no target. A repetition ends. An alternative
// is four times as likely as one that has a terminal more at the least.
func (s *weightedWalk) minimal(d *derive.Decision) int {
	if d.Kind == derive.GoOn {
		return d.Value(0)
	}
	least := grammar.Never
	for i := range d.N {
		least = min(least, s.leastSize(d, i))
	}
	v, all := d.Value(0), 0
	for i := range d.N {
		w := 1 << 16 >> min(17, 2*(s.leastSize(d, i)-least))
		if all += w; s.below(all) < w {
			v = d.Value(i)
		}
	}
	return v
}

// leastSize returns the least size of the i-th alternative that can be taken.
func (s *weightedWalk) leastSize(d *derive.Decision, i int) int {
	return s.facts.Size(d.Expr.Children[d.Value(i)], grammar.Terminals, d.Want)
}
