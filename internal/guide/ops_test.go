package guide

import (
	"bytes"
	"context"
	"math/rand/v2"
	"testing"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammars"
)

// TestOperators: what operators on trees, expansion and shrinking make are
// sentences whose choices replay to themselves, every operator changes something
// somewhere, and what is listed as smaller is.
func TestOperators(t *testing.T) {
	for _, name := range []string{"json", "expr", "assign", "go", "select"} {
		g := grammars.Must(name)
		src, err := NewSentences(g, SentenceOptions{})
		if err != nil {
			t.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(1, 2))
		check := func(op string, in *Input) {
			t.Helper()
			if in.Tree == nil || string(in.Text) != in.Tree.Text() {
				t.Fatalf("%s, %s: %q is not the text of its tree", name, op, in.Text)
			}
			again, err := src.machine.Run(t.Context(), derive.Strict(in.Choices))
			if err != nil || again.Text() != string(in.Text) {
				t.Fatalf("%s, %s: the choices of %q do not replay: %v", name, op, in.Text, err)
			}
		}
		changed := map[string]bool{}
		for range 60 {
			in, err := src.Random(t.Context(), rng)
			if err != nil {
				t.Fatal(err)
			}
			other, err := src.Random(t.Context(), rng)
			if err != nil {
				t.Fatal(err)
			}
			for _, op := range src.operators() {
				out, err := op.make(t.Context(), rng, in, other)
				if err != nil {
					t.Fatal(err)
				}
				if out != nil {
					check(op.name, out)
					changed[op.name] = changed[op.name] || !bytes.Equal(out.Text, in.Text)
				}
			}
			for what, list := range map[string]candidates{"expand": src.expand(rng, in), "shrink": src.shrink(in)} {
				for range 20 {
					out, err := list(t.Context())
					if err != nil {
						t.Fatal(err)
					}
					if out == nil {
						break
					}
					check(what, out)
					if what == "shrink" && !simpler(out, in) {
						t.Fatalf("%s: %q is not smaller than %q", name, out.Text, in.Text)
					}
				}
			}
			for k, p := range src.prefixes(in) {
				if string(p.text) != string(in.Text[:k]) || p.whole != (k == len(in.Text)) {
					t.Fatalf("%s: prefix %d of %q is %q", name, k, in.Text, p.text)
				}
			}
		}
		for _, op := range src.operators() {
			lists := op.name == "recombine" || op.name == "shuffle" // some grammars have none
			if !changed[op.name] && !(lists && (name == "expr" || name == "assign")) {
				t.Errorf("%s: operator %s changed nothing", name, op.name)
			}
		}
	}
}

// TestAlternatives: how alternatives are grouped has no influence on the walk
// over states, in which plain drawing has one alternative twice as often.
func TestAlternatives(t *testing.T) {
	test := func(_ context.Context, in *Input) ([]Label, error) { return []Label{Named(string(in.Text))}, nil }
	const draws = 200 // of each seed
	for _, text := range []string{
		`s = "x" | ("y" | "z") ;`,
		`s = ("x" | "y") | "z" ;`,
		`s = both | "z" ; both = mapped ; mapped = "x" | "y" ;`,
	} {
		walked, drawn := map[string]int{}, map[string]int{}
		var farthest []int // of each seed: how far from a third the draws of one alternative are
		for seed := range uint64(seeds) {
			src := sentences(t, text, SentenceOptions{})
			loop, err := New("exemplars", src, test, Options{Seed: seed, Reweigh: true})
			if err != nil {
				t.Fatal(err)
			}
			if err := loop.Step(t.Context()); err != nil {
				t.Fatal(err)
			}
			w := loop.(*exemplars).walker
			rng := rand.New(rand.NewPCG(3, seed))
			of := map[string]int{}
			for range draws {
				in, err := w.draw(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				of[string(in.Text)]++
				tree, err := src.machine.Run(t.Context(), newTail(nil, rng, 10))
				if err != nil {
					t.Fatal(err)
				}
				drawn[tree.Text()]++
			}
			far := 0
			for _, s := range []string{"x", "y", "z"} {
				walked[s] += of[s]
				far = max(far, of[s]-draws/3, draws/3-of[s])
			}
			farthest = append(farthest, far)
		}
		median, worst := spread(farthest)
		t.Logf("%s: walked %v, drawn by fair coins %v; of %d draws of a seed one is %d (median), %d (worst) from a third",
			text, walked, drawn, draws, median, worst)
		// A third each: of 200 draws the standard deviation is 6.7, of 10,000 it is 47.
		most := 0
		for _, s := range []string{"x", "y", "z"} {
			if n := walked[s] - seeds*draws/3; n < -200 || n > 200 {
				t.Errorf("%s: %q was walked to %d times of %d", text, s, walked[s], seeds*draws)
			}
			most = max(most, drawn[s])
		}
		if worst > 33 {
			t.Errorf("%s: with one seed one is %d from a third", text, worst)
		}
		if most < seeds*draws*45/100 {
			t.Errorf("%s: plain drawing is even: %v", text, drawn)
		}
	}
}
