package reduce

import (
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
)

// Shrinker lists the smaller candidates of sentences, for loops that test more than
// one property at a time. It belongs to one goroutine.
type Shrinker struct{ tight, spaced *minimalDeriver }

// NewShrinker returns a shrinker for sentences of the grammar of the facts.
func NewShrinker(facts *grammar.Facts) *Shrinker {
	return &Shrinker{newMinimalDeriver(facts, false), newMinimalDeriver(facts, true)}
}

// Smaller returns an iterator over choice sequences that may replay to a smaller sentence than
// the tree's; it returns nil at the end. Each is one edit of the tree: those of the passes perses
// (largest savings first) and ddmin (halves first, down to single choices), then each choice
// lowered. Two may be equal, and a replay may be no smaller. The first takes time linear in the
// tree.
func (s *Shrinker) Smaller(t *derive.Tree) (next func() []int) {
	base := t.Choices()
	least := s.tight
	if t.Gaps() != nil {
		least = s.spaced
	}
	lists := []func() []edit{
		func() []edit { return newTreeView(t, t.AppendText(nil), least).nodeEdits() },
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
