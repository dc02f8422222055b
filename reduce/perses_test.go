package reduce

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/stream"
)

// TestNodeEditsOf: the edits of adjoining ranges are those of the whole range, in the same order.
func TestNodeEditsOf(t *testing.T) {
	for _, name := range []string{"json", "expr", "go", "assign", "select"} {
		g := grammars.Must(name)
		s, err := (&stream.Plan{Strategy: stream.Mixed, Seed: 1}).Open(t.Context(), g, stream.Options{})
		if err != nil {
			t.Fatal(err)
		}
		src, facts, edits := s.Source(), g.Facts(nil, grammar.Structure), 0
		for i := range uint64(40) {
			tree, err := src.Tree(t.Context(), i)
			if err != nil {
				t.Fatal(err)
			}
			text := tree.AppendText(nil)
			if len(text) > 300 {
				continue
			}
			v := newTreeView(tree, text, newMinimalDeriver(facts, tree.Gaps() != nil))
			all := v.nodeEdits()
			var parts []edit
			for least, below := len(text)/2, math.MaxInt; below > 0; least, below = least/4, least {
				parts = append(parts, v.nodeEditsOf(least, below)...)
			}
			if d := cmp.Diff(applied(tree.Choices(), all), applied(tree.Choices(), parts)); d != "" {
				t.Fatalf("%s %d: %s", name, i, d)
			}
			edits += len(all)
		}
		t.Logf("%s: %d edits", name, edits)
		if edits < 100 {
			t.Errorf("%s has %d edits", name, edits)
		}
	}
}

// applied returns the choices after each edit.
func applied(choices []int, es []edit) (all [][]int) {
	for _, e := range es {
		if cuts, ok := merge([]edit{e}); ok {
			all = append(all, spliceChoices(choices, cuts))
		}
	}
	return all
}
