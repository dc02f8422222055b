package count

import (
	"fmt"
	"math/big"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/core"
)

// ErrCyclic says that a rule derives itself without consuming anything, so that there are
// infinitely many derivations. Loading a grammar reports the cycle with its rules; this error is
// met only where that report was ignored.
var ErrCyclic = core.ErrCyclic

// ErrOutside says that a tree is not a derivation within the bound.
var ErrOutside = core.ErrOutside

// EmptyError says that no sentence is within the bound, and names bounds that have some.
type EmptyError struct {
	Rule  string
	Bound Bound
	Needs int  // the least depth that has a derivation, grammar.Never if none; or a size that each has at least
	Names bool // without names there are derivations

	unknown bool  // size: the nearest sizes were not found within the memory
	Near    []int // size: the nearest sizes that have a derivation, at most one on either side
}

func (e *EmptyError) Error() string {
	switch {
	case e.Needs == grammar.Never && e.Names && e.Bound.Repeat > 0:
		return fmt.Sprintf("rule %s derives nothing with the names that are in play; take more with --pool, or raise --repeat", e.Rule)
	case e.Needs == grammar.Never && e.Names:
		return fmt.Sprintf("rule %s derives nothing with the names that are in play; take more with --pool", e.Rule)
	case e.Needs == grammar.Never:
		return fmt.Sprintf("rule %s derives nothing", e.Rule)
	case e.Bound.ByDepth():
		return fmt.Sprintf("rule %s needs at least depth %d, not %d", e.Rule, e.Needs, e.Bound.Depth)
	}
	size := fmt.Sprint(e.Bound.Min)
	if e.Bound.Max != e.Bound.Min {
		size = fmt.Sprintf("%d to %d", e.Bound.Min, e.Bound.Max)
	}
	near := ""
	switch {
	case e.unknown:
		return fmt.Sprintf("no sentence of %s %v; sizes near need more than --max-memory to look at", size, e.Bound.Unit)
	case len(e.Near) == 0 && e.Needs > e.Bound.Max:
		near = fmt.Sprintf("each has at least %d", e.Needs)
	case len(e.Near) == 0:
		near = "there is none of any size near"
	case len(e.Near) == 1:
		near = fmt.Sprintf("nearest is %d", e.Near[0])
	default:
		near = fmt.Sprintf("nearest are %d and %d", e.Near[0], e.Near[1])
	}
	return fmt.Sprintf("no sentence of %s %v; %s", size, e.Bound.Unit, near)
}

// RankError says that a rank is not below the number of derivations.
type RankError struct{ Rank, Total *big.Int }

func (e *RankError) Error() string {
	return fmt.Sprintf("rank %s is out of range: there are %s derivations, numbered from 0", short(e.Rank), short(e.Total))
}

// MemoryError says that tables would not fit in memory.
type MemoryError = core.MemoryError

// short formats a number; a long one is shortened to its first digits and its length.
func short(n *big.Int) string {
	if n.BitLen() < 200 {
		return n.String()
	}
	s := n.String()
	return fmt.Sprintf("%s… (%d digits)", s[:20], len(s))
}
