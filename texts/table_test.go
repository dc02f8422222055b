package texts_test

import (
	"context"
	"fmt"
	"iter"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/testing/brute"
	"github.com/gramfuzz/gramfuzz/load"
	"github.com/gramfuzz/gramfuzz/parse"
	"github.com/gramfuzz/gramfuzz/texts"
)

var ctx = context.Background()

func read(t testing.TB, src string) *grammar.Grammar {
	t.Helper()
	g, err := load.String(src)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func must(t testing.TB, g *grammar.Grammar) *parse.Parser {
	t.Helper()
	p, err := parse.New(ctx, g, parse.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestTextTable compares the numbers of texts with those of a look at all trees within a bound.
// Shards are disjoint and together have all texts.
func TestTextTable(t *testing.T) {
	rng := rand.New(rand.NewPCG(33, 34))
	for grammars, ambiguous := 0, 0; ambiguous < 15; grammars++ {
		g := brute.Random(rng)
		b := count.Bound{Depth: 4, Repeat: 2}
		if grammars%2 == 1 {
			b = count.Sizes(1, 4, grammar.Terminals)
		}
		table, err := count.New(ctx, g, b, count.Options{Measure: grammar.Exact})
		p, perr := parse.New(ctx, g, parse.Options{})
		if err != nil || perr != nil || table.Total().Cmp(big.NewInt(400)) > 0 {
			continue
		}
		want, trees := firstOfTexts(t, table), int(table.Total().Int64())
		if len(want) == trees {
			continue
		}
		ambiguous++
		if got := textsOf(t, texts.NewTable(p, table, nil).Shard(ctx, 0, 1)); !slices.Equal(got, want) {
			t.Fatalf("%v\n%s%s", b, load.Native(g), cmp.Diff(want, got))
		}
		var parts []string
		for i := range 3 {
			parts = append(parts, textsOf(t, texts.NewTable(p, table, nil).Shard(ctx, i, 3))...)
		}
		all := slices.Clone(want)
		slices.Sort(all)
		slices.Sort(parts)
		if !slices.Equal(parts, all) {
			t.Fatalf("three shards: %s", cmp.Diff(all, parts))
		}
		if n, err := texts.NewTable(p, table, nil).Count(ctx); err != nil || n != uint64(len(want)) {
			t.Errorf("%d texts, %v; want %d", n, err, len(want))
		}
		for i, text := range want {
			if n, err := texts.NewTable(p, table, nil).Rank(ctx, "t", text); err != nil || n != uint64(i) {
				t.Errorf("%q has number %d, %v; want %d\n%s", text, n, err, i, load.Native(g))
			}
			if tree, err := texts.NewTable(p, table, nil).Unrank(ctx, big.NewInt(int64(i))); err != nil || tree.Text() != text {
				t.Errorf("number %d: %v, want %q", i, err, text)
			}
		}
	}
}

// firstOfTexts returns the distinct texts of a table in the order of the ranks of their first trees.
func firstOfTexts(t *testing.T, table *count.Table) (texts []string) {
	t.Helper()
	known := map[string]bool{}
	for i := range table.Total().Int64() {
		tree, err := table.Unrank(big.NewInt(i))
		if err != nil {
			t.Fatal(err)
		}
		if text := tree.Text(); !known[text] {
			known[text], texts = true, append(texts, text)
		}
	}
	return texts
}

func textsOf(t *testing.T, all iter.Seq2[*derive.Tree, error]) []string {
	t.Helper()
	var list []string
	for tree, err := range all {
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, tree.Text())
	}
	return list
}

// TestTextTableBudget checks that a number that takes too many trees is refused at once.
func TestTextTableBudget(t *testing.T) {
	g := read(t, `s = s s | "a" | "b" ;`)
	table, err := count.New(ctx, g, count.Size(12, grammar.Terminals), count.Options{Measure: grammar.Exact})
	if err != nil {
		t.Fatal(err)
	}
	all := texts.NewTable(must(t, g), table, nil)
	all.MaxTries = 500
	refused := func(trees *big.Int, err error) {
		t.Helper()
		want := fmt.Sprintf("%v trees, which is more than 500;", trees)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	_, err = all.Count(ctx)
	refused(table.Total(), err)
	_, err = all.Unrank(ctx, big.NewInt(600))
	refused(big.NewInt(601), err)
	first, err := must(t, g).Parse(ctx, "t", "bbbbbbbbbbbb")
	if err != nil {
		t.Fatal(err)
	}
	tree, err := first.Tree(ctx)
	if err != nil {
		t.Fatal(err)
	}
	rank, err := table.Rank(tree)
	if err != nil {
		t.Fatal(err)
	}
	_, err = all.Rank(ctx, "t", "bbbbbbbbbbbb")
	refused(rank, err)
	for _, err = range all.Shard(ctx, 0, 1) {
		if err != nil {
			break
		}
	}
	if want := "of 500 trees none is the canonical one"; err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
}
