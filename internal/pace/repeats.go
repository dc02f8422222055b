package pace

import "github.com/gramfuzz/gramfuzz/internal/seen"

// repeats says which texts to leave out because they were run before. The stream
// draws small sentences often, and some weightings little else: a quarter to a half of the
// first millions are repeats. A property that is a function of its text need not see
// them again.
//
// It knows most of them, see [seen.Texts]. Languages may be small, so the more
// repeats follow each other, the more of them are run. The zero value is not valid;
// see [newRepeats].
type repeats struct {
	texts    *seen.Texts
	skipped  int // repeats in a row that were left out
	patience int // the most that may be
}

// maxPatience is the greatest number of repeats in a row that are left out.
const maxPatience = 256

// newRepeats returns a repeats that knows no text.
func newRepeats() *repeats { return &repeats{texts: seen.NewTexts(), patience: maxPatience} }

// skip reports whether the text is to be left out because it was run before.
func (r *repeats) skip(text []byte) bool {
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
