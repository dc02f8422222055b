package sample_test

import (
	"errors"
	"fmt"
	"math/big"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/internal/core"
	"github.com/gramfuzz/gramfuzz/internal/testing/brute"
	"github.com/gramfuzz/gramfuzz/load"
	"github.com/gramfuzz/gramfuzz/sample"
)

func mustDistinct(t testing.TB, name string, o sample.Options) *sample.Sampler {
	t.Helper()
	o.Distinct = true
	d, err := sample.New(ctx, grammars.Must(name), o)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// all returns every text of d, in order, and checks that it ends as Len says.
func all(t testing.TB, d *sample.Sampler) []string {
	t.Helper()
	src := d.Source()
	var out []string
	for i := uint64(0); ; i++ {
		text, err := src.Text(ctx, i)
		if errors.Is(err, sample.ErrExhausted) {
			if d.Len().Cmp(new(big.Int).SetUint64(i)) != 0 {
				t.Errorf("%d sentences, but Len is %v", i, d.Len())
			}
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, text)
	}
}

func TestDistinctGivesEveryDerivationOnce(t *testing.T) {
	tests := []struct {
		name string
		o    sample.Options
		want int
	}{
		{"lopsided", sample.Options{Bound: count.Depth(6)}, 6},
		{"tree", sample.Options{Bound: count.Depth(5)}, 677},
		{"tree", sample.Options{Bound: count.Size(25, grammar.Terminals)}, 1430}, // Catalan number 8
		{"tree", sample.Options{Bound: count.Sizes(1, 19, grammar.Terminals)}, 1 + 1 + 2 + 5 + 14 + 42 + 132},
		{"tree", sample.Options{Bound: count.Sizes(1, 19, grammar.Terminals), Spread: sample.ByCount}, 197},
	}
	for _, test := range tests {
		for seed := range uint64(3) {
			test.o.Seed = seed
			texts := all(t, mustDistinct(t, test.name, test.o))
			seen := map[string]bool{}
			for _, s := range texts {
				seen[s] = true
			}
			if len(texts) != test.want || len(seen) != test.want {
				t.Errorf("%s, %v, seed %d: %d texts, %d different, want %d", test.name, test.o.Bound, seed, len(texts), len(seen), test.want)
			}
		}
	}
}

// TestDistinctIsUniform checks over many seeds that every derivation is equally frequent at
// every position.
func TestDistinctIsUniform(t *testing.T) {
	const seeds = 6000
	got := [6]map[string]int{{}, {}, {}, {}, {}, {}}
	g := grammars.Must("lopsided")
	for seed := range uint64(seeds) {
		d, err := sample.New(ctx, g, sample.Options{Bound: count.Depth(6), Seed: seed, Distinct: true})
		if err != nil {
			t.Fatal(err)
		}
		for at, s := range all(t, d) {
			got[at][s]++
		}
	}
	for at := range got {
		var counts []int
		for _, c := range "ABCDEF" {
			counts = append(counts, got[at][string(c)])
		}
		if p := brute.ChiSquare(counts, brute.Even(6)); p < alpha {
			t.Errorf("place %d is not uniform, p = %g: %v", at, p, counts)
		}
	}
}

// TestDistinctEven checks that sizes take turns until they are used up.
func TestDistinctEven(t *testing.T) {
	d := mustDistinct(t, "tree", sample.Options{Bound: count.Sizes(1, 13, grammar.Terminals), Seed: 9})
	var got []string
	for _, s := range all(t, d) {
		got = append(got, fmt.Sprint(len(s)))
	}
	// Sizes 1, 4, 7, 10, 13 have 1, 1, 2, 5, 14: rounds of 5, 3, 2, 2, 2, 1, …
	rounds := []struct{ n, sizes int }{{5, 5}, {3, 3}, {2, 2}, {2, 2}, {2, 2}, {1, 1}}
	for i, r := range rounds {
		seen := map[string]bool{}
		for _, s := range got[:r.n] {
			seen[s] = true
		}
		if len(seen) != r.sizes {
			t.Errorf("round %d has sizes %v", i, got[:r.n])
		}
		got = got[r.n:]
	}
	if d := cmp.Diff(strings.Repeat("13 ", 8), strings.Join(got, " ")+" "); d != "" {
		t.Errorf("at the end, -want +got:\n%s", d)
	}
}

// TestDistinctTokens checks measure structure: token texts vary, the grammar derives them, and
// they do not change the derivation.
func TestDistinctTokens(t *testing.T) {
	d := mustDistinct(t, "json", sample.Options{Bound: count.Size(5, grammar.Terminals), Seed: 2})
	table, err := count.New(ctx, grammars.Must("json"), count.Size(5, grammar.Terminals), count.Options{})
	if err != nil {
		t.Fatal(err)
	}
	src := d.Source()
	texts := map[string]bool{}
	for i := range d.Len().Uint64() {
		tree, err := src.Tree(ctx, i)
		if err != nil {
			t.Fatal(err)
		}
		texts[tree.Text()] = true
		rank, err := table.Rank(rebase(t, table, tree))
		if err != nil {
			t.Fatal(err)
		}
		if want := d.Rank(i); rank.Cmp(want) != 0 {
			t.Fatalf("sentence %d has rank %v, want %v: %s", i, rank, want, tree.Text())
		}
	}
	if len(texts) != int(d.Len().Int64()) {
		t.Errorf("%d texts of %v derivations", len(texts), d.Len())
	}
}

// rebase rebuilds a tree over the grammar of a table.
func rebase(t *testing.T, table *count.Table, tree *derive.Tree) *derive.Tree {
	t.Helper()
	again, err := derive.NewMachine((*core.Table)(table).Program().Grammar, derive.Options{}).Run(ctx, derive.Strict(tree.Choices()))
	if err != nil {
		t.Fatal(err)
	}
	return again
}

func TestDistinctFarOut(t *testing.T) {
	d := mustDistinct(t, "expr", sample.Options{Bound: count.Size(301, grammar.Terminals)})
	if d.Len().BitLen() < 200 {
		t.Fatalf("the test needs many derivations, not %v", d.Len())
	}
	src := d.Source()
	seen := map[string]bool{}
	for i := range uint64(100) {
		s, err := src.Text(ctx, i*1e15)
		if err != nil {
			t.Fatal(err)
		}
		seen[s] = true
	}
	if len(seen) != 100 {
		t.Errorf("%d of 100 texts are different", len(seen))
	}
}

func TestDistinctRefusesOtherStrategies(t *testing.T) {
	_, err := sample.New(ctx, grammars.Must("tree"), sample.Options{Strategy: sample.Walk, Bound: count.Depth(4), Distinct: true})
	if err == nil {
		t.Error("no error for strategy walk")
	}
}

// TestDistinctBlocks: the tokens around a block count as a byte, and have no text to draw.
func TestDistinctBlocks(t *testing.T) {
	g := load.MustString(`s = LINE IN [pq] LINE? OUT ; @indent(IN, OUT) LINE = "\n" ;`)
	d, err := sample.New(ctx, g, sample.Options{Distinct: true, Bound: count.Sizes(0, 7, grammar.Bytes), Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	for i := range d.Len().Uint64() {
		if text, err := d.Source().Text(ctx, i); err != nil || strings.Count(string(text), "p")+strings.Count(string(text), "q") != 1 {
			t.Errorf("sentence %d is %q, %v", i, text, err)
		}
	}
	if d.Len().Int64() != 4 {
		t.Errorf("%v sentences, not 4", d.Len())
	}
}
