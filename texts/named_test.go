package texts_test

import (
	"math/big"
	"testing"

	gctx "github.com/gramfuzz/gramfuzz/context"
	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/parse"
)

// TestTextsWithNames checks with names in play that exactly one of all derivations within a bound
// is kept for each text.
func TestTextsWithNames(t *testing.T) {
	g := grammars.Must("assign")
	o := gctx.Options{Pool: 2}
	names, err := gctx.New(g, o)
	if err != nil {
		t.Fatal(err)
	}
	p, err := parse.New(ctx, g, parse.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range []count.Bound{count.Size(8, grammar.Terminals), count.Size(15, grammar.Bytes), count.Depth(4)} {
		table, err := count.New(ctx, g, b, count.Options{Measure: grammar.Exact, Names: o})
		if err != nil {
			t.Fatal(err)
		}
		if table.Total().Cmp(big.NewInt(20_000)) > 0 {
			t.Fatalf("%v: %v derivations", b, table.Total())
		}
		w := parse.Within{Bound: b, Facts: table.Facts(), Names: names}
		kept, derivations := map[string]int{}, 0
		for i := new(big.Int); i.Cmp(table.Total()) < 0; i.Add(i, big.NewInt(1)) {
			tree, err := table.Unrank(i)
			if err != nil {
				t.Fatal(err)
			}
			derivations++
			ok, _, err := p.IsFirst(ctx, tree, w)
			if err != nil {
				t.Fatal(err)
			}
			kept[tree.Text()] += 0
			if ok {
				kept[tree.Text()]++
			}
		}
		for text, n := range kept {
			if n != 1 {
				t.Errorf("%v: %d derivations of %q are kept", b, n, text)
			}
		}
		if len(kept) == derivations && !b.ByDepth() {
			t.Errorf("%v: nothing is ambiguous", b)
		}
		t.Logf("%v: %d texts of %d derivations", b, len(kept), derivations)
	}
}
