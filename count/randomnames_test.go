package count_test

import (
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	gctx "github.com/gramfuzz/gramfuzz/context"
	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/core/scope"
	"github.com/gramfuzz/gramfuzz/internal/testing/brute"
)

// TestRandomNames compares counting, ranks, and the walks that look ahead with brute force, over random
// grammars with names.
func TestRandomNames(t *testing.T) {
	n := 30
	switch os.Getenv("GRAMFUZZ_LONG") {
	case "":
	case "all":
		n = 10_000
	default:
		n = 300
	}
	bounds := []count.Bound{{Depth: 1, Repeat: 2}, {Depth: 2, Repeat: 2}, {Depth: 3, Repeat: 1}}
	for u := grammar.Terminals; u <= grammar.Nodes; u++ {
		bounds = append(bounds, count.Sizes(0, 3, u), count.Sizes(5, 6, u))
	}
	compared, some := 0, 0
	for i := range n {
		g, source := brute.RandomNames(rand.New(rand.NewPCG(uint64(i), 1)))
		for _, mode := range []gctx.Mode{gctx.Pool, gctx.Canonical} {
			o := gctx.Options{Mode: mode, Pool: 3}
			names, err := gctx.New(g, o)
			if err != nil || names == nil {
				continue // uses without definitions
			}
			pools := map[string][]string{}
			for _, ns := range (*scope.Names)(names).Namespaces() {
				if mode == gctx.Canonical {
					pools[ns.Name] = ns.Texts
				}
			}
			for _, b := range bounds {
				want, ok := obeying(t, g, pools, b)
				if !ok {
					continue
				}
				compared++
				some += min(len(want), 1)
				agree(t, g, o, b, want)
			}
		}
		if t.Failed() {
			t.Fatalf("grammar %d:\n%s", i, source)
		}
	}
	if compared < 4*n || some < n {
		t.Errorf("only %d bounds of %d grammars compared, %d of them with sentences", compared, n, some)
	}
}

// obeying lists the texts of the derivations within a bound that obey the names, sorted; false if there
// are too many derivations.
func obeying(t *testing.T, g *grammar.Grammar, pools map[string][]string, b count.Bound) (texts []string, ok bool) {
	t.Helper()
	l := &brute.Lister{Facts: g.Facts(nil, grammar.Exact), Repeat: b.Repeat, Limit: b.Max, Unit: b.Unit, Most: 2000}
	depth := b.Depth
	if !b.ByDepth() {
		depth = 12
	}
	all := l.List(g.Root, depth)
	if l.Overflow {
		return nil, false
	}
	m := derive.NewMachine(g, derive.Options{})
	for _, d := range all {
		if !b.ByDepth() && d.Size[b.Unit] < b.Min {
			continue
		}
		tree, err := m.Run(ctx, derive.Strict(d.Choices))
		if err != nil {
			t.Fatal(err)
		}
		if brute.Obeys(tree, pools) == nil {
			texts = append(texts, d.Text)
		}
	}
	slices.Sort(texts)
	return texts, true
}

func agree(t *testing.T, g *grammar.Grammar, o gctx.Options, b count.Bound, want []string) {
	t.Helper()
	table, err := count.New(ctx, g, b, count.Options{Names: o})
	if empty := new(count.EmptyError); errors.As(err, &empty) {
		if len(want) > 0 {
			t.Errorf("%v, %v: %v, listed %q", o.Mode, b, err, want)
		}
		return
	}
	if err != nil {
		t.Errorf("%v, %v: %v, listed %q", o.Mode, b, err, want)
		return
	}
	var got []string
	choices := map[string]bool{}
	for i := range table.Total().Int64() {
		tree, err := table.Unrank(big.NewInt(i))
		if err != nil {
			list, _ := table.UnrankChoices(big.NewInt(i))
			t.Errorf("%v, %v, rank %d, %v: %v", o.Mode, b, i, list, err)
			return
		}
		if rank, err := table.Rank(tree); err != nil || rank.Int64() != i {
			t.Errorf("%v, %v, rank %d has rank %v, %v", o.Mode, b, i, rank, err)
		}
		got = append(got, tree.Text())
		choices[fmt.Sprint(tree.Choices())] = true
	}
	slices.Sort(got)
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("%v, %v: (-want +got)\n%s", o.Mode, b, d)
	}
	if b.ByDepth() {
		walked, overflow := everyChoice(t, g, o, b, 500)
		if d := cmp.Diff(choices, walked); d != "" && !overflow {
			t.Errorf("%v, %v: walks (-want +got)\n%s", o.Mode, b, d)
		}
	}
}
