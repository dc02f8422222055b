package textset_test

import (
	"errors"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/internal/core"
	"github.com/gramfuzz/gramfuzz/internal/core/textset"
	"github.com/gramfuzz/gramfuzz/internal/testing/brute"
	"github.com/gramfuzz/gramfuzz/load"
)

func table(t *testing.T, g *grammar.Grammar, b count.Bound) *count.Table {
	t.Helper()
	table, err := count.New(t.Context(), g, b, count.Options{Measure: grammar.Exact})
	if err != nil && !errors.As(err, new(*count.EmptyError)) {
		t.Log(err)
	}
	return table
}

// TestAgainstTrees compares the numbers of texts of random grammars with those of all trees.
func TestAgainstTrees(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	ambiguous := 0
	for grammars := 0; ambiguous < 40; grammars++ {
		g := brute.Random(rng)
		b := []count.Bound{{Depth: 4, Repeat: 2}, count.Sizes(1, 5, grammar.Terminals), count.Sizes(0, 6, grammar.Bytes), count.Sizes(2, 7, grammar.Nodes)}[grammars%4]
		table := table(t, g, b)
		if table == nil || table.Total().Cmp(big.NewInt(2000)) > 0 {
			continue
		}
		first := b.Min
		if b.ByDepth() {
			first = b.Depth
		}
		all, rank := map[string]bool{}, new(big.Int)
		sets := textset.New((*core.Table)(table), 1_000_000)
		for step := first; step <= b.Steps(); step++ {
			want := map[string]bool{}
			for range table.At(step).Int64() {
				tree, err := table.Unrank(rank)
				if err != nil {
					t.Fatal(err)
				}
				want[tree.Text()], all[tree.Text()] = true, true
				rank.Add(rank, big.NewInt(1))
			}
			if got, err := sets.Count(t.Context(), step, step); err != nil || got != len(want) {
				t.Fatalf("step %d of %v: %d texts, %v; want %d of\n%s", step, b, got, err, len(want), load.Native(g))
			}
		}
		if got, err := sets.Count(t.Context(), first, b.Steps()); err != nil || got != len(all) {
			t.Fatalf("%v: %d texts, %v; want %d of\n%s", b, got, err, len(all), load.Native(g))
		}
		if int64(len(all)) < table.Total().Int64() {
			ambiguous++
		}
	}
}

// TestVeryAmbiguous counts texts with more trees than can be looked at. Their numbers are powers of
// two, Catalan's (A000108) and Schröder's (A001003).
func TestVeryAmbiguous(t *testing.T) {
	for _, test := range []struct {
		src        string
		size, want int
	}{
		{`s = s s s | s s | "a" | "b" ;`, 12, 1 << 12},
		{`s = s s | "a" ;`, 200, 1},
		{`e = e "+" e | "(" e ")" | "x" ;`, 19, 16796},
		{`e = e "+" e | e "*" e | "(" e ")" | "1" ;`, 17, 103049},
	} {
		g := load.MustString(test.src)
		sets := textset.New((*core.Table)(table(t, g, count.Size(test.size, grammar.Terminals))), 2_000_000)
		if n, err := sets.Count(t.Context(), test.size, test.size); err != nil || n != test.want {
			t.Errorf("%s: %d texts of size %d, %v; want %d", test.src, n, test.size, err, test.want)
		}
	}
}

// TestRefused checks the limits: texts that are made, and memory.
func TestRefused(t *testing.T) {
	g := load.MustString(`s = s s | "a" | "b" | "c" ;`)
	full := table(t, g, count.Size(12, grammar.Terminals))
	if n, err := textset.New((*core.Table)(full), 10_000).Count(t.Context(), 12, 12); !errors.Is(err, textset.ErrMany) {
		t.Errorf("%d, %v", n, err)
	}
	small, err := count.New(t.Context(), g, count.Size(12, grammar.Terminals), count.Options{Measure: grammar.Exact, MaxMemory: 100_000})
	if err != nil {
		t.Fatal(err)
	}
	if n, err := textset.New((*core.Table)(small), 1_000_000).Count(t.Context(), 12, 12); !errors.Is(err, core.ErrMemory) {
		t.Errorf("%d, %v", n, err)
	}
}

// TestNotJoined checks that texts are not counted by parts where a part does not decide its text.
func TestNotJoined(t *testing.T) {
	for _, test := range []struct {
		name string
		m    grammar.Measure
	}{{"assign", grammar.Exact}, {"png", grammar.Exact}, {"json", grammar.Structure}} {
		full, err := count.New(t.Context(), grammars.Must(test.name), count.Bound{Depth: 6}, count.Options{Measure: test.m})
		if err != nil {
			t.Fatal(err)
		}
		if textset.New((*core.Table)(full), 100) != nil {
			t.Errorf("%s is counted by parts", test.name)
		}
	}
}
