package parse_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/testing/blind"
	"github.com/gramfuzz/gramfuzz/internal/testing/brute"
	"github.com/gramfuzz/gramfuzz/load"
	"github.com/gramfuzz/gramfuzz/parse"
)

// TestAgainstBruteForce checks on random small grammars that the trees of every short text are
// exactly the derivations listed without any table. The first tree is the least; texts that
// are not listed are refused. Flat productions, with nothing to settle, have the same trees.
func TestAgainstBruteForce(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	var tried stats
	for grammars := 0; grammars < 250; grammars++ {
		tried.compare(t, brute.Random(rng), rng)
	}
	t.Logf("%+v", tried)
	if tried.Texts < 1000 || tried.Ambiguous < 100 || tried.Refused < 300 || tried.Deterministic < 20 || tried.General < 20 {
		t.Errorf("too little was tried: %+v", tried)
	}
}

// FuzzAgainstBruteForce is TestAgainstBruteForce with grammars from arbitrary seeds.
func FuzzAgainstBruteForce(f *testing.F) {
	f.Add(uint64(1), uint64(2))
	blind.Fuzz(f, func(t *testing.T, a, b uint64) {
		rng := rand.New(rand.NewPCG(a, b))
		new(stats).compare(t, brute.Random(rng), rng)
	})
}

type stats struct{ Texts, Ambiguous, Refused, Deterministic, General int }

func (s *stats) compare(t *testing.T, g *grammar.Grammar, rng *rand.Rand) {
	t.Helper()
	ctx := context.Background()
	_, counted := count.NewProgram(g, count.Size(1, grammar.Bytes), count.Options{Measure: grammar.Exact})
	p, err := parse.New(ctx, g, parse.Options{})
	if errors.Is(counted, count.ErrCyclic) || errors.Is(err, parse.ErrCyclic) {
		if !errors.Is(counted, count.ErrCyclic) && err != nil {
			t.Fatalf("refused as cyclic, but can be counted\n%s", load.Native(g))
		}
		return
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, load.Native(g))
	}
	const limit = 5
	l := &brute.Lister{Facts: g.Facts(nil, grammar.Exact), Limit: limit, Unit: grammar.Bytes, Most: 2000}
	all := l.List(g.Root, (limit+2)*(len(g.Rules)+1))
	if l.Overflow {
		return
	}
	if p.Deterministic() {
		s.Deterministic++
	} else {
		s.General++
	}
	want := map[string][]string{}
	for _, d := range all {
		want[d.Text] = append(want[d.Text], fmt.Sprint(d.Choices))
	}
	g.Exprs[0].Annotations = []grammar.Annotation{{Name: "prefer", Args: []string{"0"}}}
	flat, err := parse.New(ctx, g, parse.Options{Settled: true})
	if err != nil {
		t.Fatalf("%v\n%s", err, load.Native(g))
	}
	for text, choices := range want {
		s.Texts++
		if len(choices) > 1 {
			s.Ambiguous++
		}
		s.trees(t, g, p, text, choices)
		s.trees(t, g, flat, text, choices)
	}
	for range 10 {
		text := ""
		for len(text) < limit && rng.IntN(limit) > 0 {
			text += []string{"a", "b", "c", "é", "x", "\xc3"}[rng.IntN(6)]
		}
		if len(text) > limit || want[text] != nil {
			continue
		}
		s.Refused++
		if _, err := p.Parse(ctx, "t", text); !errors.As(err, new(*parse.Error)) {
			t.Fatalf("%q is not derivable, but: %v\n%s", text, err, load.Native(g))
		}
	}
}

func (s *stats) trees(t *testing.T, g *grammar.Grammar, p *parse.Parser, text string, want []string) {
	t.Helper()
	ctx := context.Background()
	f, err := p.Parse(ctx, "t", text)
	if err != nil {
		t.Fatalf("%q: %v\n%s", text, err, load.Native(g))
	}
	var got []string
	first := ""
	for tree, err := range f.All(ctx) {
		if err != nil {
			t.Fatalf("%q: %v\n%s", text, err, load.Native(g))
		}
		checkTree(t, g, tree, text)
		got = append(got, fmt.Sprint(tree.Choices()))
		if first == "" {
			first = got[0]
		}
	}
	if first != want[0] {
		t.Fatalf("%q: canonical %s, want %s\n%s", text, first, want[0], load.Native(g))
	}
	slices.Sort(want)
	slices.Sort(got)
	if d := cmp.Diff(want, got); d != "" {
		t.Fatalf("%q: -want +got\n%s\n%s", text, d, load.Native(g))
	}
	n, err := f.Count(ctx)
	if err != nil || n.Int64() != int64(len(want)) {
		t.Fatalf("%q: counted %v, %v; listed %d\n%s", text, n, err, len(want), load.Native(g))
	}
}

// checkTree checks that the choices of a tree replay to it, and that it has the text.
func checkTree(t *testing.T, g *grammar.Grammar, tree *derive.Tree, text string) {
	t.Helper()
	if tree.Text() != text {
		t.Fatalf("parsed %q, but the tree says %q\n%s", text, tree.Text(), load.Native(g))
	}
	again, err := derive.NewMachine(g, derive.Options{}).Run(context.Background(), derive.Strict(tree.Choices()))
	if err != nil {
		t.Fatalf("%q: replay: %v\n%s", text, err, load.Native(g))
	}
	if len(again.Nodes()) != len(tree.Nodes()) {
		t.Fatalf("%q: %d nodes, replay has %d\n%s", text, len(tree.Nodes()), len(again.Nodes()), load.Native(g))
	}
	for i := range tree.Nodes() {
		if tree.Nodes()[i] != again.Nodes()[i] {
			t.Fatalf("%q: node %d is %+v, replay has %+v\n%s", text, i, tree.Nodes()[i], again.Nodes()[i], load.Native(g))
		}
	}
	if !slices.Equal(tree.Choices(), again.Choices()) {
		t.Fatalf("%q: choices %v, replay has %v", text, tree.Choices(), again.Choices())
	}
}
