package guide

import (
	"github.com/bits-and-blooms/bloom/v3"
)

// seenTexts is how many texts a seen-set holds before it starts anew.
const seenTexts = 1 << 20

// seenSet is a set of texts that errs on one side: of a million texts about one
// in ten thousand is taken for one that it has (Bloom 1970). It takes 2.4 MB,
// and forgets everything when it is full: to run a text again does no harm.
type seenSet struct {
	filter *bloom.BloomFilter
	n      int
}

func newSeenSet() *seenSet {
	return &seenSet{filter: bloom.NewWithEstimates(seenTexts, 1e-4)}
}

// add puts a text into the set and reports whether it was new.
func (s *seenSet) add(text []byte) bool {
	if s.filter.TestOrAdd(text) {
		return false
	}
	if s.n++; s.n == seenTexts {
		s.clear()
	}
	return true
}

// clear empties the set.
func (s *seenSet) clear() {
	s.filter.ClearAll()
	s.n = 0
}
