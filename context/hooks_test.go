package context_test

import (
	"context"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	gctx "github.com/gramfuzz/gramfuzz/context"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/testing/brute"
	"github.com/gramfuzz/gramfuzz/load"
)

var ctx = context.Background()

func parse(t testing.TB, name, src string) *grammar.Grammar {
	t.Helper()
	g, _, err := load.Source(name+".ebnf", []byte(src), load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func machine(t testing.TB, g *grammar.Grammar, o gctx.Options, d derive.Options) *derive.Machine {
	t.Helper()
	n, err := gctx.New(g, o)
	if err != nil {
		t.Fatal(err)
	}
	m, err := gctx.Machine(g, n, d)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// walker makes every decision uniformly among the possible values, and ends repetitions soon.
func walker(rng *rand.Rand) derive.Chooser {
	return derive.ChooserFunc(func(d *derive.Decision) (int, error) {
		return d.Value(rng.IntN(d.N)), nil
	})
}

// TestWalks checks that walks never run into a dead end, with or without a depth bound. They
// obey the annotations, and their choices replay to the same tree.
func TestWalks(t *testing.T) {
	for name, src := range brute.Annotated {
		for _, mode := range []gctx.Mode{gctx.Pool, gctx.Canonical} {
			g := parse(t, name, src)
			bounded := machine(t, g, gctx.Options{Mode: mode}, derive.Options{MaxDepth: 6, Repeat: 4})
			free := machine(t, g, gctx.Options{Mode: mode}, derive.Options{})
			forgets := machine(t, g, gctx.Options{Mode: mode}, derive.Options{Memory: 1}) // looks ahead anew each time
			rng := rand.New(rand.NewPCG(1, 2))
			for i := range long(500, 2000) {
				tree, err := bounded.Run(ctx, walker(rng))
				if err != nil {
					t.Fatalf("%s, %v: walk %d: %v", name, mode, i, err)
				}
				obeys(t, name, tree)
				m := free
				if i%20 == 0 {
					m = forgets
				}
				again, err := m.Run(ctx, derive.Strict(tree.Choices()))
				if err != nil {
					t.Fatalf("%s, %v: replay of %v: %v", name, mode, tree.Choices(), err)
				}
				if diff := cmp.Diff(tree.Text(), again.Text()); diff != "" {
					t.Fatalf("%s: replay (-want +got)\n%s", name, diff)
				}
			}
		}
	}
}

// long returns some, or with GRAMFUZZ_LONG more.
func long(some, more int) int {
	if os.Getenv("GRAMFUZZ_LONG") != "" {
		return more
	}
	return some
}

// TestReplayIsTotal checks that any sequence of numbers replays to a sentence that obeys, and
// that its choices are a normal form.
func TestReplayIsTotal(t *testing.T) {
	for name, src := range brute.Annotated {
		g := parse(t, name, src)
		m := machine(t, g, gctx.Options{}, derive.Options{})
		rng := rand.New(rand.NewPCG(3, 4))
		for range long(500, 2000) {
			choices := make([]int, rng.IntN(40))
			for i := range choices {
				choices[i] = rng.IntN(9) - 1
			}
			tree, err := m.Run(ctx, derive.Replay(choices))
			if err != nil {
				t.Fatalf("%s: %v: %v", name, choices, err)
			}
			obeys(t, name, tree)
			again, err := m.Run(ctx, derive.Strict(tree.Choices()))
			if err != nil {
				t.Fatalf("%s: normal form of %v: %v", name, choices, err)
			}
			if diff := cmp.Diff(tree.Choices(), again.Choices()); diff != "" {
				t.Fatalf("%s: (-want +got)\n%s", name, diff)
			}
		}
	}
}

// obeys fails if a tree uses a name that is not visible. It is an independent check that
// shares nothing with the hooks: it walks the nodes' annotations.
func obeys(t testing.TB, name string, tree *derive.Tree) {
	t.Helper()
	if err := brute.Obeys(tree, nil); err != nil {
		t.Fatalf("%s: %q: %v", name, tree.Text(), err)
	}
}
