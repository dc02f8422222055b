package coverage_test

import (
	"context"
	"testing"

	gctx "github.com/gramfuzz/gramfuzz/context"
	"github.com/gramfuzz/gramfuzz/coverage"
	"github.com/gramfuzz/gramfuzz/grammars"
)

// TestCoverObeys checks that the sentences that cover all k-paths of an annotated grammar obey
// it.
func TestCoverObeys(t *testing.T) {
	for _, name := range grammars.Names() {
		g := grammars.Must(name)
		names, err := gctx.New(g, gctx.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if names == nil {
			continue
		}
		for k := 1; k <= 4; k++ {
			r, err := coverage.Cover(context.Background(), g, k, coverage.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if len(r.Trees) == 0 || len(r.Missed) > 0 {
				t.Errorf("%s, k = %d: %d sentences for %d paths, missed %v", name, k, len(r.Trees), r.Paths, r.Missed)
			}
			for _, tree := range r.Trees {
				if err := names.Check(tree); err != nil {
					t.Errorf("%s, k = %d: %q: %v", name, k, tree.Text(), err)
				}
			}
		}
	}
}
