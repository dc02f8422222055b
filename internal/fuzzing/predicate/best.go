package predicate

import (
	"bytes"
	"crypto/sha256"
	"fmt"

	"github.com/gramfuzz/gramfuzz/internal/base/words"
	"github.com/gramfuzz/gramfuzz/reduce"
)

// Best keeps the best text of a reduction so far, at a path.
type Best struct {
	path  string // "": not kept
	write func(path string, text []byte) error

	// kept is the result of an earlier run of the same predicate. It stays while this run, which
	// repeats the known answers, has nothing smaller.
	kept []byte
}

// OpenBest keeps best texts at path by write. A text that read finds there stays until a smaller
// one if the cache (which may be nil) knows that the predicate holds for it.
func OpenBest(path string, cache *reduce.FileCache, read func(path string) ([]byte, error), write func(path string, text []byte) error) *Best {
	b := &Best{path: path, write: write}
	if cache == nil || path == "" {
		return b
	}
	text, err := read(path)
	if err != nil {
		return b
	}
	if holds, _ := cache.Get(sha256.Sum256(text)); holds {
		b.kept = text
	}
	return b
}

// Earlier reports whether the path has the result of an earlier run.
func (b *Best) Earlier() bool { return b.kept != nil }

// Put writes the best so far.
func (b *Best) Put(text []byte) error {
	if b.path == "" || b.kept != nil && reduce.Compare(b.kept, nil, text, nil) <= 0 {
		return nil
	}
	b.kept = nil
	return b.write(b.path, text)
}

// Finish writes the result. A run that ended early keeps a smaller earlier one.
func (b *Best) Finish(text []byte, whole bool) error {
	if b.path == "" || b.kept == nil || !whole || bytes.Equal(b.kept, text) {
		return nil
	}
	b.kept = nil
	return b.write(b.path, text)
}

// Summary describes in one line a reduction that kept its best texts here. known is the number of
// answers that the cache in the folder dir had at the start; took is the time.
func (b *Best) Summary(s *reduce.Stats, n Counts, known int, dir string, took fmt.Stringer) string {
	msg := fmt.Sprintf("%s to %d, %s, %v", words.Plural(s.From, "byte"), s.To, words.Plural(n.Calls, "call"), took)
	add := func(when bool, format string, a ...any) {
		if when {
			msg += fmt.Sprintf("; "+format, a...)
		}
	}
	add(known > 0, "%s known from %s", words.Plural(known, "answer"), dir)
	add(n.Late > 0, "%s took too long and counted as no", words.Plural(n.Late, "candidate"))
	add(n.Broken > 0, "%s had no answer (exit code 126 or 127, or a signal) and counted as no", words.Plural(n.Broken, "candidate"))
	add(n.Also > 0, "%s also interesting", words.Plural(n.Also, "candidate"))
	add(s.Flaky > 0, "the predicate is flaky: %s did not hold when asked again", words.Plural(s.Flaky, "step"))
	add(s.LostTree, "what the grammar says the input is does not have the property, so it was reduced as a text")
	add(s.Stopped, "stopped early, it may get smaller")
	add(b.kept != nil && len(b.kept) < s.To, "%s keeps the %s of an earlier run", b.path, words.Plural(len(b.kept), "byte"))
	return msg
}
