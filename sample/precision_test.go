package sample

import (
	"context"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/sample/internal/fastdraw"
)

// TestLowPrecisionDrawsTheSame uses numbers of a handful of bits, which leave most draws
// undecided at first. The sentences are the same, draw for draw, at compiled slots or, for
// large sizes, straight from the numbers.
func TestLowPrecisionDrawsTheSame(t *testing.T) {
	names := []string{"expr", "json", "lopsided"}
	if os.Getenv("GRAMFUZZ_LONG") != "" {
		names = grammars.Names()
	}
	for _, name := range names {
		g := grammars.Must(name)
		least := g.Facts(nil, grammar.Structure).Size(g.Root, grammar.Terminals, grammar.Any)
		for _, o := range []Options{
			{Bound: count.Sizes(least, least+25, grammar.Terminals)},
			{Bound: count.Sizes(least, least+25, grammar.Terminals), Spread: ByCount},
			{Bound: count.Sizes(least, least+defaultLimits.Size+20, grammar.Bytes), Spread: ByCount},
			{Bound: count.Sizes(least, least+30, grammar.Terminals), limits: &fastdraw.Limits{Size: 8, Outcomes: 2, Texts: 8, Bytes: 1 << 8}},
		} {
			o.Seed = 9
			want := drawn(t, g, o)
			for _, o.numberBits = range []int{4, 8, 14} {
				if diff := cmp.Diff(want, drawn(t, g, o)); diff != "" {
					t.Errorf("%s, %v, numbers of %d bits (-want +got)\n%s", name, o.Bound, o.numberBits, diff)
				}
			}
		}
	}
}

// drawn returns the choices of a few sentences.
func drawn(t *testing.T, g *grammar.Grammar, o Options) [][]int {
	t.Helper()
	ctx := context.Background()
	s, err := New(ctx, g, o)
	if err != nil {
		t.Fatalf("%s, %v: %v", g.Name, o.Bound, err)
	}
	var all [][]int
	src := s.Source()
	for i := range uint64(3) {
		choices, err := src.Choices(ctx, i)
		if err != nil {
			t.Fatalf("%s, %v: %v", g.Name, o.Bound, err)
		}
		all = append(all, choices)
	}
	return all
}

// TestMemoryChangesNothing checks that a seed gives the same texts and records regardless of
// the compiled parts kept and of the order of the sentences.
func TestMemoryChangesNothing(t *testing.T) {
	ctx := context.Background()
	for _, name := range []string{"expr", "json", "assign"} {
		g := grammars.Must(name)
		var want []Sentence
		for _, memory := range []int64{1 << 40, 1 << 16, 1} {
			s, err := New(ctx, g, Options{Bound: count.Sizes(5, 30, grammar.Terminals), Seed: 4, memory: memory})
			if err != nil {
				t.Fatal(err)
			}
			src := s.Source()
			got := make([]Sentence, 200)
			for i := range got {
				at := (i * 77) % len(got) // another order than by number
				if memory == 1<<40 {
					at = i
				}
				if err := src.Sentence(ctx, &got[at], uint64(at)); err != nil {
					t.Fatal(err)
				}
			}
			if want == nil {
				want = got
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s, %d bytes: (-much memory +little)\n%s", name, memory, diff)
			}
		}
	}
}
