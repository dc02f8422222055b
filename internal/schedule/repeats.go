package schedule

import (
	"time"

	"github.com/cespare/xxhash/v2"
)

// Repeats says which texts were run before. The stream draws small sentences
// often, and some tilts little else: of the first millions a quarter to a half are
// repeats, which a property that is a function of its text need not see again.
//
// It remembers texts by hashes, each in the one of 2^20 places that it may have,
// which the last comer keeps: in streams of two million nine repeats in ten were
// known. A new text is taken for a repeat less than once in 2^31. A look costs
// tens of nanoseconds, the table 4 MiB.
//
// Languages may be small: the more repeats follow each other, the more of them
// are run. The zero value is not valid; see [NewRepeats]. A Repeats belongs to one
// goroutine.
type Repeats struct {
	tags     []uint32 // 32 bits of the hash; 0 for none
	left     int      // repeats in a row that were left out
	patience int      // how many may be
}

// RepeatsFrom is how long a text takes to run from which on it is worth while to
// leave out repeats: what is left out has been drawn.
const RepeatsFrom = 20 * time.Microsecond

// placeBits says how many places there are: 2 to this.
const placeBits = 20

// patient is how many repeats in a row are left out at most.
const patient = 256

// NewRepeats returns a Repeats that knows no text.
func NewRepeats() *Repeats {
	return &Repeats{tags: make([]uint32, 1<<placeBits), patience: patient}
}

// Skip reports whether the text is to be left out, as one that was run before.
func (r *Repeats) Skip(text []byte) bool {
	h := xxhash.Sum64(text)
	place, tag := &r.tags[h>>(64-placeBits)], uint32(h)|1
	if *place != tag {
		*place, r.left, r.patience = tag, 0, min(r.patience+1, patient)
		return false
	}
	if r.left++; r.left <= r.patience {
		return true
	}
	r.left, r.patience = 0, r.patience/2
	return false
}
