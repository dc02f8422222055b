package reduce

import (
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
)

// Shrinker lists what the passes ask about a sentence, for loops that ask about
// more than one property at a time. It belongs to one goroutine.
type Shrinker struct{ tight, spaced *leastMaker }

// NewShrinker returns a shrinker for sentences of the grammar that the facts are
// of.
func NewShrinker(facts *grammar.Facts) *Shrinker {
	return &Shrinker{newLeastMaker(facts, false), newLeastMaker(facts, true)}
}

// Smaller returns what lists choice sequences that may replay to a smaller
// sentence than the tree's; nil at the end. They are those of the passes:
// Perses (descendants, elements of lists, least derivations; what saves most
// first), DDMin (chunks of choices deleted, halves first, down to single ones)
// and, of Hypothesis, each choice lowered. Each is one edit of the tree, and a
// slice of its own; two may be the same, and what they replay to may be no
// smaller. The first takes time in proportion to the tree.
func (s *Shrinker) Smaller(t *derive.Tree) (next func() []int) {
	base := t.Choices()
	least := s.tight
	if t.Gaps != nil {
		least = s.spaced
	}
	lists := []func() []edit{
		func() []edit { return newView(t, t.AppendText(nil), least).nodeEdits() },
		func() []edit { return chunkCuts(len(base)) },
		func() []edit { return lowered(base) },
	}
	var es []edit
	return func() []int {
		for {
			for len(es) == 0 {
				if len(lists) == 0 {
					return nil
				}
				es, lists = lists[0](), lists[1:]
			}
			e := es[0]
			es = es[1:]
			if cuts, ok := merge([]edit{e}); ok {
				return spliceChoices(base, cuts)
			}
		}
	}
}

// chunkCuts returns the edits that delete chunks of n choices.
func chunkCuts(n int) (es []edit) {
	for size := (n + 1) / 2; size >= 1; size /= 2 {
		for from := 0; from < n; from += size {
			es = append(es, newEdit(choiceCut(from, min(from+size, n))))
		}
	}
	return es
}
