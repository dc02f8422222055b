package count

import (
	"fmt"

	"github.com/gramfuzz/gramfuzz/grammar"
)

// DefaultRepeat bounds the elements of an unbounded repetition under a depth bound whose Repeat
// is 0.
const DefaultRepeat = 4

// Bound makes the set of derivations finite. Either Depth is positive, or the
// size is Min to Max.
type Bound struct {
	Depth  int // the maximal number of nested rules; 0: bounded by size
	Repeat int // with Depth: unbounded repetitions are cut at max(min, Repeat) elements; 0 is DefaultRepeat

	Min, Max int          // without Depth: the size, inclusive
	Unit     grammar.Unit // of the size
}

// Depth returns a bound on the height in nested rules.
func Depth(d int) Bound { return Bound{Depth: d} }

// Size returns the bound of exactly n units.
func Size(n int, u grammar.Unit) Bound { return Sizes(n, n, u) }

// Sizes returns the bound of min … max units, inclusive. It is never the zero Bound, which stands for
// none in options: no terminals at all are a bound, whose Repeat has no other meaning.
func Sizes(min, max int, u grammar.Unit) Bound {
	b := Bound{Min: min, Max: max, Unit: u}
	if b == (Bound{}) {
		b.Repeat = DefaultRepeat
	}
	return b
}

// ByDepth reports whether the bound is one of depth.
func (b Bound) ByDepth() bool { return b.Depth > 0 }

// Steps returns the greatest depth or size within the bound.
func (b Bound) Steps() int {
	if b.ByDepth() {
		return b.Depth
	}
	return b.Max
}

func (b Bound) check() error {
	if !b.ByDepth() && (b.Min < 0 || b.Max < b.Min) {
		return fmt.Errorf("size %d to %d is not a range of sizes", b.Min, b.Max)
	}
	if b.Depth < 0 || b.Repeat < 0 {
		return fmt.Errorf("depth and repeat cannot be negative")
	}
	return nil
}

// String formats the bound as "depth 5" or "size 3 to 7 terminals".
func (b Bound) String() string {
	switch {
	case b.ByDepth():
		return fmt.Sprintf("depth %d", b.Depth)
	case b.Min == b.Max:
		return fmt.Sprintf("size %d %v", b.Min, b.Unit)
	}
	return fmt.Sprintf("size %d to %d %v", b.Min, b.Max, b.Unit)
}
