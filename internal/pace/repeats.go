package pace

import (
	"time"

	"github.com/gramfuzz/gramfuzz/internal/seen"
)

// Repeats says which texts to leave out because they were run before. The stream
// draws small sentences often, and some weightings little else: a quarter to a half of the
// first millions are repeats. A property that is a function of its text need not see
// them again.
//
// It knows most of them, see [seen.Texts]. Languages may be small, so the more
// repeats follow each other, the more of them are run. The zero value is not valid;
// see [NewRepeats]. A Repeats belongs to one goroutine.
type Repeats struct {
	texts    *seen.Texts
	skipped  int // repeats in a row that were left out
	patience int // the most that may be
}

// RepeatsFrom is the time of a run from which on leaving out repeats is worth while:
// a repeat has to be drawn before it is known as one.
const RepeatsFrom = 20 * time.Microsecond

// maxPatience is the greatest number of repeats in a row that are left out.
const maxPatience = 256

// NewRepeats returns a Repeats that knows no text.
func NewRepeats() *Repeats { return &Repeats{texts: seen.NewTexts(), patience: maxPatience} }

// Skip reports whether the text is to be left out because it was run before.
func (r *Repeats) Skip(text []byte) bool {
	if r.texts.Add(text) {
		r.skipped, r.patience = 0, min(r.patience+1, maxPatience)
		return false
	}
	if r.skipped++; r.skipped <= r.patience {
		return true
	}
	r.skipped, r.patience = 0, r.patience/2
	return false
}
