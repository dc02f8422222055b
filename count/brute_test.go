package count_test

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/core"
	"github.com/gramfuzz/gramfuzz/internal/testing/brute"
	"github.com/gramfuzz/gramfuzz/load"
)

// TestAgainstBruteForce tries every bound and unit on random grammars. The counts are those of a
// list made without any table, unranking all ranks gives exactly the list, and ranking gives the
// ranks back.
func TestAgainstBruteForce(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	tried := 0
	for grammars := 0; grammars < 250; grammars++ {
		g := brute.Random(rng)
		if _, err := count.NewProgram(g, count.Size(1, grammar.Bytes), count.Options{}); errors.Is(err, count.ErrCyclic) {
			continue // refused by Freeze
		}
		facts := g.Facts(nil, grammar.Exact)
		for depth := 1; depth <= 4; depth++ {
			l := &brute.Lister{Facts: facts, Repeat: 2, Most: 400}
			if want := l.List(g.Root, depth); !l.Overflow && len(want) > 0 {
				tried++
				compare(t, g, count.Bound{Depth: depth, Repeat: 2}, want, true)
			}
		}
		for unit := grammar.Terminals; unit <= grammar.Nodes; unit++ {
			const limit = 4
			l := &brute.Lister{Facts: facts, Limit: limit, Unit: unit, Most: 400}
			all := l.List(g.Root, (limit+2)*(len(g.Rules)+1))
			if l.Overflow {
				continue
			}
			for size := 0; size <= limit; size++ {
				var want []brute.Derivation
				for _, d := range all {
					if d.Size[unit] == size {
						want = append(want, d)
					}
				}
				tried++
				compare(t, g, count.Size(size, unit), want, false)
			}
		}
	}
	if tried < 500 {
		t.Errorf("only %d bounds were small enough to list", tried)
	}
}

func compare(t *testing.T, g *grammar.Grammar, b count.Bound, want []brute.Derivation, ordered bool) {
	t.Helper()
	table, err := count.New(context.Background(), g, b, count.Options{Measure: grammar.Exact})
	if empty := new(count.EmptyError); len(want) == 0 && errors.As(err, &empty) {
		return
	}
	if err != nil {
		t.Fatalf("%v: %v\n%s", b, err, load.Native(g))
	}
	if table.Total().Cmp(big.NewInt(int64(len(want)))) != 0 {
		t.Fatalf("%v: counted %v, listed %d\n%s", b, table.Total(), len(want), load.Native(g))
	}
	listed := map[string]bool{}
	for _, d := range want {
		listed[fmt.Sprint(d.Choices)] = true
	}
	for i := range want {
		rank := big.NewInt(int64(i))
		tree, err := table.Unrank(rank)
		if err != nil {
			t.Fatalf("%v: unrank %d: %v\n%s", b, i, err, load.Native(g))
		}
		if ordered {
			if diff := cmp.Diff(want[i].Choices, tree.Choices(), cmpopts.EquateEmpty()); diff != "" {
				t.Fatalf("%v: unrank %d (-want +got)\n%s\n%s", b, i, diff, load.Native(g))
			}
			if tree.Text() != want[i].Text {
				t.Fatalf("%v: unrank %d gives %q, want %q", b, i, tree.Text(), want[i].Text)
			}
		}
		key := fmt.Sprint(tree.Choices())
		if !listed[key] {
			t.Fatalf("%v: unrank %d gives %v, which is not listed or came before\n%s", b, i, tree.Choices(), load.Native(g))
		}
		delete(listed, key)
		back, err := table.Rank(tree)
		if err != nil || back.Cmp(rank) != 0 {
			t.Fatalf("%v: rank of unrank %d is %v, %v\n%s", b, i, back, err, load.Native(g))
		}
	}
}

// TestStructureAgainstBruteForce compares the counts with tokens as leaves with those of a list
// whose tokens are leaves.
func TestStructureAgainstBruteForce(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	tried := 0
	for grammars := 0; grammars < 300; grammars++ {
		g := brute.Random(rng)
		if len(g.Rules) < 2 {
			continue
		}
		token := g.Rules[len(g.Rules)-1]
		token.Kind = grammar.Token
		exact := g.Facts(nil, grammar.Exact)
		if !exact.Productive(g.Root) || !exact.Productive(token.Body) || exact.Nullable(token.Body) {
			continue
		}
		if _, err := count.NewProgram(g, count.Size(1, grammar.Bytes), count.Options{}); err != nil {
			continue
		}
		for unit := grammar.Terminals; unit <= grammar.Nodes; unit++ {
			const limit = 4
			l := &brute.Lister{Facts: g.Facts(nil, grammar.Structure), Inner: exact, Slack: core.TokenSlack, Limit: limit, Unit: unit, Most: 400}
			want := map[int]int64{}
			for _, d := range l.List(g.Root, (limit+2)*(len(g.Rules)+1)) {
				want[d.Size[unit]]++
			}
			if l.Overflow || len(want) == 0 {
				continue
			}
			table, err := count.New(ctx, g, count.Sizes(0, limit, unit), count.Options{})
			if err != nil {
				t.Fatalf("%v: %v\n%s", unit, err, load.Native(g))
			}
			tried++
			for n := 0; n <= limit; n++ {
				if table.At(n).Int64() != want[n] {
					t.Errorf("size %d %v: counted %v, listed %d\n%s", n, unit, table.At(n), want[n], load.Native(g))
				}
			}
		}
	}
	if tried < 50 {
		t.Errorf("only %d bounds were small enough to list", tried)
	}
}
