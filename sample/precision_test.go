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

// Numbers of a handful of bits leave most draws open and have them settled all
// the time: the sentences are the same, draw for draw, whether they are drawn
// at compiled slots or, for large sizes, straight from the numbers.
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
