package sample_test

import (
	"math"
	"testing"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/internal/core"
	"github.com/gramfuzz/gramfuzz/internal/testing/brute"
	"github.com/gramfuzz/gramfuzz/sample"
)

// TestOracleAgainstClosedForm counts binary trees by terminals: T = x + x²T² has the closed
// form T(x) = (1 - √(1-4x³)) / 2x² (Catalan numbers), and the mean size is x·T'/T.
func TestOracleAgainstClosedForm(t *testing.T) {
	g := grammars.Must("tree")
	p, err := count.NewProgram(g, count.Size(1, grammar.Terminals), count.Options{})
	if err != nil {
		t.Fatal(err)
	}
	value := func(x float64) float64 { return (1 - math.Sqrt(1-4*x*x*x)) / (2 * x * x) }
	for _, mean := range []float64{2, 10, 100, 1000} {
		o, err := core.NewOracle(ctx, (*core.Program)(p), mean)
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(o.Mean-mean) > mean*0.02 {
			t.Errorf("asked for mean %g, got %g", mean, o.Mean)
		}
		if got, want := o.Value[p.Root], value(o.X); math.Abs(got-want) > 1e-6*want {
			t.Errorf("mean %g: value %.12g, closed form %.12g", mean, got, want)
		}
	}
}

// TestBoltzmann checks that sampling is uniform within one size (by tolerance of the oracle),
// and that sentences reach sizes far above the mean of small ones.
func TestBoltzmann(t *testing.T) {
	g := grammars.Must("tree")
	s, err := sample.New(ctx, g, sample.Options{Bound: count.Size(13, grammar.Terminals), Strategy: sample.Boltzmann, Seed: 4})
	if err != nil {
		t.Fatal(err)
	}
	l := &brute.Lister{Facts: g.Facts(nil, grammar.Exact), Limit: 13, Most: 10_000}
	var want []brute.Derivation
	for _, d := range l.List(g.Root, 20) {
		if d.Size[grammar.Terminals] == 13 {
			want = append(want, d)
		}
	}
	if len(want) != 14 {
		t.Fatalf("listed %d trees of 5 leaves", len(want))
	}
	if p := evenness(tally(t, s, 3000), want); p < alpha {
		t.Errorf("p = %g", p)
	}
}

func TestBoltzmannLarge(t *testing.T) {
	g := grammars.Must("json")
	facts := g.Facts(nil, grammar.Structure)
	s, err := sample.New(ctx, g, sample.Options{Bound: count.Sizes(100_000, 110_000, grammar.Bytes), Strategy: sample.Boltzmann, Seed: 4})
	if err != nil {
		t.Fatal(err)
	}
	src := s.Source()
	tree, err := src.Tree(ctx, 0)
	if err != nil {
		t.Fatal(err)
	}
	text, err := src.Text(ctx, 0)
	if err != nil || text != tree.Text() {
		t.Errorf("text and tree differ: %v", err)
	}
	if n := derive.Size(tree, facts, grammar.Bytes); n != len(text) || n < 100_000 || n > 110_000 {
		t.Errorf("%d bytes, size %d", len(text), n)
	}
}

func BenchmarkBoltzmannMegabyte(b *testing.B) {
	for b.Loop() {
		s, err := sample.New(ctx, grammars.Must("json"), sample.Options{Bound: count.Sizes(1_000_000, 1_100_000, grammar.Bytes), Strategy: sample.Boltzmann, Seed: 4})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := s.Source().Text(ctx, 0); err != nil {
			b.Fatal(err)
		}
	}
}
