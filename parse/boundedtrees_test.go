package parse_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/testing/brute"
	"github.com/gramfuzz/gramfuzz/load"
	"github.com/gramfuzz/gramfuzz/parse"
)

// TestWithinAgainstBruteForce checks random small grammars under every kind of bound: the
// number of trees of a text within the bound is that of the listed derivations, the canonical
// tree is the first of them, and package count ranks it.
func TestWithinAgainstBruteForce(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	tried, cut := 0, 0
	for grammars := 0; grammars < 250; grammars++ {
		g := brute.Random(rng)
		p, err := parse.New(context.Background(), g, parse.Options{})
		if errors.Is(err, parse.ErrCyclic) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		facts := g.Facts(nil, grammar.Exact)
		for depth := 1; depth <= 4; depth++ {
			l := &brute.Lister{Facts: facts, Repeat: 2, Most: 300}
			list := l.List(g.Root, depth)
			if !l.Overflow {
				a, b := within(t, p, g, count.Bound{Depth: depth, Repeat: 2}, list)
				tried, cut = tried+a, cut+b
			}
		}
		for unit := grammar.Terminals; unit <= grammar.Nodes; unit++ {
			const limit = 4
			l := &brute.Lister{Facts: facts, Limit: limit, Unit: unit, Most: 300}
			all := l.List(g.Root, (limit+2)*(len(g.Rules)+1))
			if l.Overflow {
				continue
			}
			var list []brute.Derivation
			for _, d := range all {
				if d.Size[unit] >= 2 {
					list = append(list, d)
				}
			}
			a, b := within(t, p, g, count.Sizes(2, limit, unit), list)
			tried, cut = tried+a, cut+b
		}
	}
	t.Logf("%d texts, %d with trees outside too", tried, cut)
	if tried < 2000 || cut < 100 {
		t.Errorf("too little was tried: %d texts, %d with trees outside", tried, cut)
	}
}

func within(t *testing.T, p *parse.Parser, g *grammar.Grammar, b count.Bound, list []brute.Derivation) (tried, cut int) {
	t.Helper()
	ctx := context.Background()
	table, err := count.New(ctx, g, b, count.Options{Measure: grammar.Exact})
	if err != nil {
		return 0, 0 // no trees within the bound, or a cyclic grammar
	}
	byText := map[string][]string{}
	for _, d := range list {
		byText[d.Text] = append(byText[d.Text], fmt.Sprint(d.Choices))
	}
	for text, want := range byText {
		f, err := p.Parse(ctx, "t", text)
		if err != nil {
			t.Fatalf("%q: %v\n%s", text, err, load.Native(g))
		}
		tree, err := f.Within(ctx, b, table.Facts())
		if err != nil {
			t.Fatal(err)
		}
		checkTree(t, g, tree, text)
		if got := fmt.Sprint(tree.Choices()); got != want[0] {
			t.Fatalf("%v: %q: canonical %s, want %s\n%s", b, text, got, want[0], load.Native(g))
		}
		if _, err := table.Rank(tree); err != nil {
			t.Fatalf("%v: %q: %v", b, text, err)
		}
		tried++
		if all, err := f.Count(ctx); err == nil && all.Int64() > int64(len(want)) {
			cut++
		}
	}
	return tried, cut
}

// TestCanonicalWild checks that the canonical tree of a highly ambiguous text takes only a
// small multiple of the memory of its forest, and is still the first of all.
func TestCanonicalWild(t *testing.T) {
	p := must(t, read(t, `s = s s | s s s | "a" ;`))
	f, err := p.Parse(ctx, "t", strings.Repeat("a", 100))
	if err != nil {
		t.Fatal(err)
	}
	tree, err := f.Tree(ctx)
	if err != nil {
		t.Fatal(err)
	}
	// Take the first alternative as far to the left as there is text for it.
	want := make([]int, 0, 199)
	for range 99 {
		want = append(want, 0)
	}
	want = append(want, 2)
	for range 99 {
		want = append(want, 2)
	}
	if !slices.Equal(tree.Choices(), want) {
		t.Errorf("%v, want 99 times 0 and 100 times 2", tree.Choices())
	}
}
