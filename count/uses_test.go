package count_test

import (
	"context"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/internal/core"
	"github.com/gramfuzz/gramfuzz/internal/testing/brute"
)

// TestUses compares the averages with a count over all derivations of random grammars, by depth
// and by size.
func TestUses(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	compared := 0
	for range 60 {
		g := brute.Random(rng)
		if g == nil {
			continue
		}
		for _, b := range []count.Bound{count.Depth(3), count.Size(4, grammar.Terminals), count.Size(5, grammar.Bytes), count.Size(6, grammar.Nodes)} {
			table, err := count.New(t.Context(), g, b, count.Options{})
			if err != nil || table.Total().Cmp(big.NewInt(3000)) > 0 {
				continue
			}
			compared++
			got, err := usesOf(t, table)
			if err != nil {
				t.Fatal(err)
			}
			want := usesByBrute(t, table)
			near(t, "terminals", got.Terminals, want.Terminals)
			near(t, "bytes", got.Bytes, want.Bytes)
			for i := range want.Alternatives {
				near(t, "alternative", got.Alternatives[i], want.Alternatives[i])
			}
		}
	}
	if compared < 50 {
		t.Errorf("only %d comparisons", compared)
	}
}

func usesOf(t *testing.T, table *count.Table) (*core.Uses, error) {
	t.Helper()
	if table.Bound().ByDepth() {
		return (*core.Table)(table).Uses(t.Context())
	}
	f, err := core.NewFloats(t.Context(), (*core.Table)(table).Program(), table.Bound().Max, nil)
	if err != nil {
		t.Fatal(err)
	}
	weight := make([]float64, table.Bound().Max+1)
	weight[table.Bound().Max] = 1
	return f.Uses(t.Context(), weight)
}

func usesByBrute(t *testing.T, table *count.Table) *core.Uses {
	t.Helper()
	u := &core.Uses{Alternatives: make([]float64, (*core.Table)(table).Program().Grammar.Alts)}
	n, _ := new(big.Float).SetInt(table.Total()).Float64()
	for rank := new(big.Int); rank.Cmp(table.Total()) < 0; rank.Add(rank, big.NewInt(1)) {
		tree, err := table.Unrank(rank)
		if err != nil {
			t.Fatal(err)
		}
		u.Bytes += float64(len(tree.Text())) / n
		for i := range tree.Nodes() {
			switch e := tree.Nodes()[i].Expr; {
			case e.Op == grammar.Choice:
				u.Alternatives[e.FirstAlt+tree.Nodes()[i].Val] += 1 / n
			case e.Op == grammar.Class, e.Op == grammar.Lit && e.Text != "":
				u.Terminals += 1 / n
			}
		}
	}
	return u
}

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-9*(1+want) {
		t.Errorf("%s: %g, want %g", what, got, want)
	}
}

func ExampleTable_Uses() {
	g := grammars.Must("lopsided")
	table, err := count.New(context.Background(), g, count.Depth(6), count.Options{})
	if err != nil {
		panic(err)
	}
	u, err := (*core.Table)(table).Uses(context.Background())
	if err != nil {
		panic(err)
	}
	if math.Abs(u.Alternatives[0]-1.0/6) > 1e-12 {
		panic("the first alternative is taken in one sentence of six")
	}
	// Output:
}
