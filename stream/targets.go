package stream

import (
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/ways"
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

// paths are the targets of a grammar and the ways to them.
type paths struct {
	targets []*grammar.Expr
	up      *ways.Up
}

func newPaths(g *grammar.Grammar) *paths {
	p := &paths{up: ways.New(g)}
	for _, e := range g.Exprs {
		if e.Op == grammar.Choice || e.Op == grammar.Rep && e.Max != e.Min {
			p.targets = append(p.targets, e.Children...)
		}
	}
	return p
}

// approach is the targets of a weighting, and how far a sentence has got with each.
type approach struct {
	targets int  // 0: the walks have none
	repeat  int  // how often a target is one again once it is reached, in 1/64
	minimal bool // beside the ways to targets the walk takes the least
	dist    [maxMinimalTargets]ways.Field
	left    [maxMinimalTargets]uint16 // the steps left on the way; ways.Unreachable: not begun; 0: reached
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
		s.approach.dist[i].Fill(s.shape.paths.up, s.facts.Mask, all[s.below(len(all))])
	}
}

// begin begins a sentence, which goes to some of the targets.
func (s *weightedWalk) begin() {
	for i := range s.approach.targets {
		s.approach.left[i] = ways.Unreachable
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
		dist := a.dist[i].Steps
		here := dist[d.Expr.ID]
		if here == ways.Unreachable || here == 0 || here > a.left[i] || a.left[i] == ways.Unreachable && !s.beginsHere(dist, here) {
			continue
		}
		v, next := 1, dist[d.Expr.Children[0].ID]
		if d.Kind == derive.Alternative {
			v, next = s.nearest(d, dist)
		}
		if next >= here || !d.Can(v) { // the way is barred here
			a.left[i] = ways.Unreachable
			continue
		}
		if a.left[i] = next; next == 0 && s.below(64) < a.repeat {
			a.left[i] = ways.Unreachable
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
	next = ways.Unreachable
	ties := 0
	for i := range d.N {
		k := d.Value(i)
		switch to := dist[d.Expr.Children[k].ID]; {
		case to == ways.Unreachable || to > next:
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
