package pace

import (
	"math"
	"time"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
)

// Slow is a filter of sentences that are likely to be slow. One input in a hundred that
// loops until it is stopped may take two thirds of the time of a test. Unlike a mutator of
// bytes, a grammar knows the alternatives that such inputs have in common. Fuzzers that
// mutate a corpus favour its fast inputs for the same reason (AFL's performance score).
//
// The filter counts, for each alternative, the weightings with sentences that take it, and
// the share of them that were slow. An alternative is suspect if at least four of its
// weightings were slow, and its share is nearer to the greatest share than to that of all
// weightings (by their ratios). Alternatives above or beside a slow one have lower shares.
// One in 32 sentences with a suspect is run, and its time is learned too. Nothing is left
// out unless slow sentences take a quarter of the time or more.
//
// A weighting is a number that sentences share which resemble each other.
//
// The zero value is not valid; see [NewSlow].
type Slow struct {
	alts      []tally       // by number of the alternative
	whole     tally         // of all weightings
	typical   float64       // nanoseconds: a running estimate that no slow sentence raises much
	all, late time.Duration // the time of all runs, and of slow ones
	share     float64       // the least share of slow weightings that makes an alternative suspect
	runs      int
	barred    int // the sentences with a suspect
}

// tally is the number of weightings in which an alternative occurs, in all and slow ones.
type tally struct {
	last, lastSlow uint64 // 1 + the weighting counted last
	all, slow      int
}

const (
	// perWeighting is the number of successive sentences with the same weights in walks of
	// package stream.
	perWeighting = 4

	slowFactor  = 16 // a slow sentence takes at least this multiple of the typical time
	slowAtLeast = time.Millisecond

	suspectFrom = 4  // the least number of slow weightings of a suspect
	leftOut     = 32 // one in this many sentences with a suspect is run
)

// NewSlow returns a filter for sentences of g.
func NewSlow(g *grammar.Grammar) *Slow { return &Slow{alts: make([]tally, g.Alts), share: 1} }

// AppendAlternatives appends the numbers of the alternatives that a tree takes, with
// repetitions. They are the features by which [Slow] predicts a sentence's time.
func AppendAlternatives(dst []int, t *derive.Tree) []int {
	nodes := t.Nodes()
	for i := range nodes {
		if n := &nodes[i]; n.Expr.Op == grammar.Choice && !n.Name {
			dst = append(dst, n.Expr.FirstAlt+n.Val)
		}
	}
	return dst
}

// Skip reports whether to leave out a sentence with these alternatives. The cost is linear
// in their number.
func (p *Slow) Skip(alternatives []int) bool {
	if 4*p.late < p.all {
		return false
	}
	for _, a := range alternatives {
		if p.alts[a].share() >= p.share {
			p.barred++
			return p.barred%leftOut != 0
		}
	}
	return false
}

// share returns the share of slow weightings, corrected downwards if there are few. It is 0
// below suspectFrom slow weightings.
func (a *tally) share() float64 {
	if a.slow < suspectFrom {
		return 0
	}
	return float64(a.slow-2) / float64(a.all+4)
}

// Took records the time of a sentence with these alternatives. It is slow if it took many times the
// typical time.
func (p *Slow) Took(weighting uint64, alternatives []int, d time.Duration) {
	p.record(weighting, alternatives, d, p.IsSlow(d))
}

// Ran is Took for a sentence that resembles no other, and of which the caller knows whether it was slow.
func (p *Slow) Ran(alternatives []int, d time.Duration, slow bool) {
	p.record(uint64(p.runs), alternatives, d, slow)
}

func (p *Slow) record(weighting uint64, alternatives []int, d time.Duration, is bool) {
	p.runs++
	p.all += d
	if is {
		p.late += d
	}
	switch step := 1 + 1/float64(min(p.runs, 16)); {
	case p.runs == 1:
		p.typical = float64(d)
	case float64(d) > p.typical:
		p.typical *= step
	default:
		p.typical /= step
	}

	for _, a := range alternatives {
		p.alts[a].note(1+weighting, is)
	}
	p.whole.note(1+weighting, is)
	if is {
		p.compare()
	}
}

// note counts a weighting once, and once among the slow ones if it is slow.
func (a *tally) note(weighting uint64, slow bool) {
	if a.last != weighting {
		a.last = weighting
		a.all++
	}
	if slow && a.lastSlow != weighting {
		a.lastSlow = weighting
		a.slow++
	}
}

// compare updates the share from which on an alternative is suspect.
func (p *Slow) compare() {
	if p.whole.slow < suspectFrom {
		return
	}
	greatest := p.whole.share()
	for i := range p.alts {
		greatest = max(greatest, p.alts[i].share())
	}
	p.share = math.Sqrt(greatest * p.whole.share())
}

// IsSlow reports whether a time is many times the typical one.
func (p *Slow) IsSlow(d time.Duration) bool {
	return d >= slowAtLeast && float64(d) >= slowFactor*p.typical
}
