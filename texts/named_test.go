package texts_test

import (
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	gctx "github.com/gramfuzz/gramfuzz/context"
	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/internal/testing/brute"
	"github.com/gramfuzz/gramfuzz/parse"
	"github.com/gramfuzz/gramfuzz/texts"
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

// TestNamedTextOrder lists the texts of random grammars with names in the order of the ranks of their first
// trees, and numbers each. Ranks with names follow the states between parts, not the choices.
func TestNamedTextOrder(t *testing.T) {
	ambiguous := 0
	for i := uint64(0); ambiguous < 20; i++ {
		g, source := brute.RandomNames(rand.New(rand.NewPCG(i, 2)))
		for _, b := range []count.Bound{{Depth: 3, Repeat: 2}, count.Sizes(0, 5, grammar.Nodes)} {
			table, err := count.New(ctx, g, b, count.Options{Measure: grammar.Exact, Names: gctx.Options{Pool: 2}})
			p, perr := parse.New(ctx, g, parse.Options{})
			if err != nil || perr != nil || table.Total().Cmp(big.NewInt(300)) > 0 {
				continue
			}
			want := firstOfTexts(t, table)
			if len(want) == int(table.Total().Int64()) {
				continue
			}
			ambiguous++
			all := texts.NewTable(p, table, nil)
			if got := textsOf(t, all.Shard(ctx, 0, 1)); !slices.Equal(got, want) {
				t.Fatalf("%v\n%s%s", b, source, cmp.Diff(want, got))
			}
			for n, text := range want {
				if got, err := all.Rank(ctx, "t", text); err != nil || got != uint64(n) {
					t.Errorf("%v\n%s%q has number %d, %v; want %d", b, source, text, got, err, n)
				}
			}
		}
	}
}
