package count

import (
	"fmt"
	"math/big"
	"strings"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/core"
)

// ErrCyclic says that a rule derives itself without consuming anything, so that
// there are infinitely many derivations. Loading names the cycle; this error is
// met only where that was ignored.
var ErrCyclic = core.ErrCyclic

// ErrOutside says that a tree is not a derivation within the bound.
var ErrOutside = core.ErrOutside

// EmptyError says that no sentence is within the bound, and which bounds have some.
type EmptyError struct {
	Rule  string
	Bound Bound
	Needs int   // depth: the least that has a derivation; grammar.Never if none
	Near  []int // size: the nearest sizes that have one, at most one on either side
}

func (e *EmptyError) Error() string {
	if e.Bound.ByDepth() {
		if e.Needs == grammar.Never {
			return fmt.Sprintf("rule %s derives nothing", e.Rule)
		}
		return fmt.Sprintf("rule %s needs at least depth %d, not %d", e.Rule, e.Needs, e.Bound.Depth)
	}
	size := fmt.Sprint(e.Bound.Min)
	if e.Bound.Max != e.Bound.Min {
		size = fmt.Sprintf("%d to %d", e.Bound.Min, e.Bound.Max)
	}
	var near string
	switch len(e.Near) {
	case 0:
		near = "there is none of any size near"
	case 1:
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

// MemoryError says that exact tables would not fit.
type MemoryError struct {
	Bound       Bound
	Needs, Have int64  // bytes
	Fits        string // a bound that would fit, as flags; "" when none is known
}

func (e *MemoryError) Error() string {
	return fmt.Sprintf("exact tables for %v need about %s, more than the %s allowed%s", e.Bound, bytes(e.Needs), bytes(e.Have), wouldFit(e.Fits))
}

// wouldFit adds a smaller bound to a message, where one is known.
func wouldFit(flags string) string {
	if flags == "" {
		return ""
	}
	return "; " + flags + " would fit"
}

// bytes formats a number of bytes for people.
func bytes(n int64) string {
	units := []string{"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"}
	v, u := float64(n), 0
	for v >= 1024 && u < len(units)-1 {
		v, u = v/1024, u+1
	}
	return strings.TrimSuffix(fmt.Sprintf("%.1f", v), ".0") + " " + units[u]
}

// short formats a number, a long one by its first digits and its length.
func short(n *big.Int) string {
	if n.BitLen() < 200 {
		return n.String()
	}
	s := n.String()
	return fmt.Sprintf("%s… (%d digits)", s[:20], len(s))
}
