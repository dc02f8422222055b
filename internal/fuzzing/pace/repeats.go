package pace

import "github.com/gramfuzz/gramfuzz/internal/base/seen"

// repeats is a filter of texts that were run before. A stream draws small sentences often,
// and with some weightings little else: a quarter to a half of the first millions are
// repeats. A property that is a function of its text need not see them again.
//
// The filter recognizes most repeats: see [seen.Texts]. A language may be small, so the
// longer the runs of repeats, the more of them pass. The zero value is not valid; see
// [newRepeats].
type repeats struct {
	texts    *seen.Texts
	skipped  int // the repeats left out in a row
	patience int // the bound of skipped
}

// maxPatience bounds the repeats left out in a row.
const maxPatience = 256

// newRepeats returns a filter that has seen no text.
func newRepeats() *repeats { return &repeats{texts: seen.NewTexts(), patience: maxPatience} }

// skip reports whether to leave the text out because it was run before. It remembers the
// text.
func (r *repeats) skip(text []byte) bool {
	if r.texts.Add(text) {
		r.skipped, r.patience = 0, min(r.patience+1, maxPatience)
		return false
	}
	r.skipped++
	if r.skipped <= r.patience {
		return true
	}
	r.skipped, r.patience = 0, r.patience/2
	return false
}
