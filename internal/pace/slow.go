package pace

import (
	"math"
	"time"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
)

// slow says which sentences to leave out because they are likely to be slow. One
// input in a hundred that loops until it is stopped may take two thirds of the
// time of a test; what a grammar knows, and a mutator of bytes does not, is which
// alternatives such inputs have in common. Fuzzers that mutate a corpus favour
// its fast inputs for the same reason (AFL's performance score).
//
// An alternative is suspect when sentences of at least four weightings that have it
// were slow, and a share of those weightings that have it which is nearer to the
// greatest such share than to that of all weightings (by their ratios): what stands
// above a slow alternative or beside it is slow less often than itself. Of
// sentences with a suspect one in 32 is run, and what it takes is learned too.
// Nothing is left out unless slow sentences take a quarter of the time or more.
//
// The zero value is not valid; see [newSlow].
type slow struct {
	alts      []tally       // by number of the alternative
	whole     tally         // of all weightings
	typical   float64       // nanoseconds: a running mean that no slow sentence raises much
	all, late time.Duration // spent in all runs, and in slow ones
	share     float64       // of the slow weightings of an alternative, from which on it is suspect
	runs      int
	barred    int
}

// tally counts weightings in which an alternative occurs, by what they took.
type tally struct {
	last, lastSlow uint64 // 1 + the weighting counted last
	all, slow      int
}

const (
	// perWeighting is the number of sentences in a row that are alike: so many have the
	// same weights in walks of package stream.
	perWeighting = 4

	slowFactor  = 16 // how many times what is typical is slow
	slowAtLeast = time.Millisecond

	suspectFrom = 4  // slow weightings
	leftOut     = 32 // of so many sentences with a suspect one is run
)

// newSlow returns a slow for sentences of g.
func newSlow(g *grammar.Grammar) *slow { return &slow{alts: make([]tally, g.Alts), share: 1} }

// appendAlternatives appends the numbers of the alternatives that a tree takes, some of
// them repeated: what a slow knows a sentence by.
func appendAlternatives(dst []int, t *derive.Tree) []int {
	nodes := t.Nodes()
	for i := range nodes {
		if n := &nodes[i]; n.Expr.Op == grammar.Choice && !n.Name {
			dst = append(dst, n.Expr.FirstAlt+n.Val)
		}
	}
	return dst
}

// skip reports whether a sentence with these alternatives is to be left out. It
// costs time linear in them.
func (p *slow) skip(alternatives []int) bool {
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

// share returns which share of an alternative's weightings was slow, and less the fewer
// there were; 0 where that is not known.
func (a *tally) share() float64 {
	if a.slow < suspectFrom {
		return 0
	}
	return float64(a.slow-2) / float64(a.all+4)
}

// took notes how long sentence i took, with these alternatives.
func (p *slow) took(i uint64, alternatives []int, d time.Duration) {
	p.runs++
	p.all += d
	is := p.isSlow(d)
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

	weighting := 1 + i/perWeighting
	for _, a := range alternatives {
		p.alts[a].note(weighting, is)
	}
	p.whole.note(weighting, is)
	if is {
		p.compare()
	}
}

// note counts a weighting once, and once more where it is slow.
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

// compare finds the share from which on an alternative is suspect.
func (p *slow) compare() {
	if p.whole.slow < suspectFrom {
		return
	}
	greatest := p.whole.share()
	for i := range p.alts {
		greatest = max(greatest, p.alts[i].share())
	}
	p.share = math.Sqrt(greatest * p.whole.share())
}

func (p *slow) isSlow(d time.Duration) bool {
	return d >= slowAtLeast && float64(d) >= slowFactor*p.typical
}
