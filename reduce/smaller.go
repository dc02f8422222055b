package reduce

import (
	"math"
	"sync"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
)

// Smaller returns a function for loops that test more than one property at a time. Given a
// sentence of the grammar of the facts, it returns an iterator over choice sequences that may
// replay to a smaller sentence; the iterator returns nil at the end. Each sequence is one edit of
// the tree: those of the passes perses (largest savings first) and ddmin (halves first, down to
// single choices), then each choice lowered. Two may be equal, and a replay may be no smaller. The
// first takes time linear in the tree. The function belongs to one goroutine.
func Smaller(facts *grammar.Facts) func(t *derive.Tree) (next func() []int) {
	tight, spaced := newMinimalDeriver(facts, false), newMinimalDeriver(facts, true)
	return func(t *derive.Tree) func() []int {
		if t.Gaps() != nil {
			return smaller(t, spaced)
		}
		return smaller(t, tight)
	}
}

func smaller(t *derive.Tree, least *minimalDeriver) (next func() []int) {
	base := t.Choices()
	text := t.AppendText(nil)
	view := sync.OnceValue(func() *treeView { return newTreeView(t, text, least) })
	var lists []func() []edit
	for gain, below := len(text)/2, math.MaxInt; below > 0; gain, below = gain/4, gain {
		lists = append(lists, func() []edit { return view().nodeEditsOf(gain, below) })
	}
	lists = append(lists,
		func() []edit { return chunkCuts(len(base)) },
		func() []edit { return lowered(base) })
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
