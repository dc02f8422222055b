package stream

import (
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/lexical/ways"
)

// A target is an alternative of a choice or the body of a repetition. A walk with targets draws
// some uniformly from all of the grammar and takes the shortest way to each. So a target behind
// ten decisions is as frequent as one behind one decision, and any two meet in about one of n²
// sentences, where n is the number of targets. Such a walk has one to three targets and is
// otherwise like any other.
//
// In three of four weightings with targets the walk is minimal: it has two to seven targets, and
// mostly takes the least derivation beside the ways to them. A bug needs a few features together,
// and every other feature of a sentence gives the program a reason to refuse it earlier. The
// premise of combinatorial testing is that a few features together cause most failures (Kuhn,
// Wallace & Gallo 2004).
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

// approach holds the targets of a weighting and the progress of a sentence towards each.
type approach struct {
	targets int  // the number of targets; 0: none
	repeat  int  // the chance, in 1/64, that a target stays one after it is reached
	minimal bool // the walk takes the least derivation beside the ways to targets
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

// begin begins a sentence with some of the targets.
func (s *weightedWalk) begin() {
	for i := range s.approach.targets {
		s.approach.left[i] = ways.Unreachable
		if s.below(4) == 0 && (!s.approach.minimal || s.below(2) == 0) {
			s.approach.left[i] = 0
		}
	}
}

// toTarget answers a decision on the way to a target. The way to one target may begin inside a
// part that the way to another leaves open. In some weightings a reached target stays a target
// half of the time.
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
		a.left[i] = next
		if next == 0 && s.below(64) < a.repeat {
			a.left[i] = ways.Unreachable
		}
		return v, true
	}
	return 0, false
}

// beginsHere reports whether the way to a target begins here, at a distance: mostly if no later
// part is nearer.
func (s *weightedWalk) beginsHere(dist []uint16, here uint16) bool {
	return s.m.Ahead(dist, here) == (s.below(8) == 0)
}

// nearest returns the alternative from which the target is nearest, a random one among equals,
// and the distance from there.
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
		ties++
		if s.below(ties) == 0 {
			v = k
		}
	}
	return v, next
}

// minimal answers a decision that leads to no target. A repetition ends. An alternative is four
// times as likely as one whose least size is one terminal more.
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
		all += w
		if s.below(all) < w {
			v = d.Value(i)
		}
	}
	return v
}

// leastSize returns the least size of the i-th alternative that can be taken.
func (s *weightedWalk) leastSize(d *derive.Decision, i int) int {
	return s.facts.Size(d.Expr.Children[d.Value(i)], grammar.Terminals, d.Want)
}
