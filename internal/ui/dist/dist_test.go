package dist_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"os"
	"testing"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/internal/testing/brute"
	"github.com/gramfuzz/gramfuzz/internal/ui/dist"
	"github.com/gramfuzz/gramfuzz/load"
	"github.com/gramfuzz/gramfuzz/sample"
	"github.com/gramfuzz/gramfuzz/stream"
	"github.com/gramfuzz/gramfuzz/swarm"
)

var ctx = context.Background()

// published has the shares in percent of A…F under walks from the top, one sentence per
// configuration, from independent simulations.
var published = map[swarm.Mode][]float64{
	swarm.Off:   {50, 25, 12.5, 6.25, 3.1, 3.1},
	swarm.Plain: {62.5, 23.5, 8.8, 3.3, 1.3, 0.6},
	swarm.Down:  {50, 25, 12.5, 6.25, 3.1, 3.1},
	swarm.Both:  {26.5, 19.7, 14.5, 11.3, 10.4, 17.7},
}

func TestLopsided(t *testing.T) {
	for mode, want := range published {
		t.Run(mode.String(), func(t *testing.T) {
			sw, err := swarm.New(grammars.Must("lopsided"), swarm.Options{Mode: mode})
			if err != nil {
				t.Fatal(err)
			}
			a, err := dist.New(ctx, sw, dist.Options{Sample: sample.Options{Strategy: sample.Walk, Bound: count.Depth(6)}})
			if err != nil {
				t.Fatal(err)
			}
			if !a.Exact || len(a.Rows) != len(want) {
				t.Fatalf("exact %v, %d rows", a.Exact, len(a.Rows))
			}
			for i, r := range a.Rows {
				t.Logf("%s %s = %.4f%%", r.Name, r.P, 100*r.Share)
				if math.Abs(100*r.Share-want[i]) > 0.5 {
					t.Errorf("%s: %.3f%%, want %v%%", r.Name, 100*r.Share, want[i])
				}
			}
		})
	}
}

func mustSwarm(t testing.TB, g *grammar.Grammar, o swarm.Options) *swarm.Swarm {
	t.Helper()
	sw, err := swarm.New(g, o)
	if err != nil {
		t.Fatal(err)
	}
	return sw
}

func parse(t testing.TB, src string) *grammar.Grammar {
	t.Helper()
	g, _, err := load.Source("t.ebnf", []byte(src), load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// small has weights, repetitions that may be empty, two trees of one text, a token of one text,
// nested choices and a cycle.
const small = `s = x %3 | y %1 | "q" s %2 ; x = ("a" | "b")* ; y = ("a" | z)? T ; z = "(" s ")" ; @token T = "t" ;`

// TestExactAgreesWithSamples compares samples with the exact account, for every strategy, mode
// and kind of bound.
func TestExactAgreesWithSamples(t *testing.T) {
	n := 10_000
	for _, src := range []string{small, string(lopsided(t))} {
		g := parse(t, src)
		for _, o := range []sample.Options{
			{Strategy: sample.Uniform, Bound: count.Depth(3)},
			{Strategy: sample.Uniform, Bound: count.Sizes(0, 3, grammar.Terminals)},
			{Strategy: sample.Uniform, Bound: count.Sizes(0, 3, grammar.Bytes), Spread: sample.ByCount},
			{Strategy: sample.Walk, Bound: count.Bound{Depth: 3, Repeat: 2}},
			{Strategy: sample.Walk, Bound: count.Sizes(1, 3, grammar.Terminals)},
			{Strategy: sample.Weighted, Bound: count.Sizes(1, 4, grammar.Nodes)},
		} {
			for _, mode := range []swarm.Mode{swarm.Off, swarm.Plain, swarm.Down, swarm.Both} {
				t.Run(fmt.Sprint(g.Start.Name, " ", o.Strategy, " ", o.Bound, " ", mode), func(t *testing.T) {
					if len(src) > 100 && o.Bound.ByDepth() {
						o.Bound = count.Depth(6)
					}
					checkAgainstSamples(t, mustSwarm(t, g, swarm.Options{Mode: mode}), o, n)
				})
			}
		}
	}
}

func lopsided(t *testing.T) []byte {
	src, ok := grammars.Source("lopsided")
	if !ok {
		t.Fatal("no grammar lopsided")
	}
	return src
}

func checkAgainstSamples(t *testing.T, sw *swarm.Swarm, o sample.Options, n int) {
	t.Helper()
	a, err := dist.New(ctx, sw, dist.Options{Sample: o})
	var empty *count.EmptyError
	if errors.As(err, &empty) {
		t.Skip(err) // by size, a grammar may have no sentence
	}
	if err != nil {
		t.Fatal(err)
	}
	if !a.Exact {
		t.Fatalf("not exact: %s", a.Why)
	}
	sum := new(big.Rat)
	at := map[string]int{}
	var p []float64
	for _, r := range a.Rows {
		sum.Add(sum, r.P)
		at[fmt.Sprint(r.Choices)] = len(p)
		p = append(p, r.Share)
	}
	if sum.Cmp(big.NewRat(1, 1)) != 0 {
		t.Errorf("probabilities sum to %v", sum)
	}
	if len(p) == 1 {
		return
	}
	o.Seed = 4
	if sw.Mode() != swarm.Off {
		n /= 10
	}
	g := sw.Grammar()
	o.Bound = a.Bound
	r, err := stream.Swarm(ctx, sw, o.Seed, 1, func(ctx context.Context, mask *grammar.Mask) (*stream.Stream, error) {
		o := o
		o.Mask = mask
		return stream.Sample(ctx, g, o)
	})
	if err != nil {
		t.Fatal(err)
	}
	counts := make([]int, len(p))
	src := r.Source()
	for i := range n {
		tree, err := src.Tree(ctx, uint64(i))
		if err != nil {
			t.Fatal(err)
		}
		choices := tree.Choices()
		if choices == nil {
			choices = []int{}
		}
		k, ok := at[fmt.Sprint(choices)]
		if !ok {
			t.Fatalf("the account lacks %v", choices)
		}
		counts[k]++
	}
	if got := brute.ChiSquare(counts, p); got < 1e-5 {
		t.Errorf("chi-square probability %g", got)
	}
}

// TestAlternativesBothWays draws uniformly without a swarm: every leaf has the same probability,
// and the account by alternatives from counts is equal to that from the list of leaves.
func TestAlternativesBothWays(t *testing.T) {
	g := parse(t, small)
	for _, mode := range []swarm.Mode{swarm.Off, swarm.Plain, swarm.Both} {
		for _, o := range []sample.Options{
			{Bound: count.Bound{Depth: 3, Repeat: 2}},
			{Bound: count.Sizes(0, 4, grammar.Terminals)},
			{Bound: count.Sizes(0, 4, grammar.Terminals), Spread: sample.ByCount},
		} {
			sw := mustSwarm(t, g, swarm.Options{Mode: mode})
			listed, err := dist.New(ctx, sw, dist.Options{Sample: o, By: dist.Alternatives, Leaves: 5000})
			if err != nil {
				t.Fatal(err)
			}
			counted, err := dist.New(ctx, sw, dist.Options{Sample: o, By: dist.Alternatives, Leaves: 5})
			if err != nil {
				t.Fatal(err)
			}
			if !listed.Exact || !counted.Exact || listed.Why != "" || counted.Why == "" {
				t.Fatalf("exact %v %v, why %q %q", listed.Exact, counted.Exact, listed.Why, counted.Why)
			}
			for i, r := range listed.Rows {
				if r.P.Cmp(counted.Rows[i].P) != 0 || r.Name != counted.Rows[i].Name {
					t.Errorf("%v %v: %s is %v listed, %s %v counted", mode, o.Bound, r.Name, r.P, counted.Rows[i].Name, counted.Rows[i].P)
				}
			}
		}
	}
}

// TestEstimate checks that the intervals of an estimate hold the exact probability.
func TestEstimate(t *testing.T) {
	g := grammars.Must("lopsided")
	for mode := range published {
		sw := mustSwarm(t, g, swarm.Options{Mode: mode})
		o := dist.Options{Sample: sample.Options{Strategy: sample.Walk, Bound: count.Depth(6), Seed: 3}, Samples: 3000}
		exact, err := dist.New(ctx, sw, o)
		if err != nil {
			t.Fatal(err)
		}
		o.Leaves, o.By = 5, dist.Alternatives
		byAlt := o
		byAlt.Leaves = 0
		want, err := dist.New(ctx, sw, byAlt)
		if err != nil {
			t.Fatal(err)
		}
		got, err := dist.New(ctx, sw, o)
		if err != nil {
			t.Fatal(err)
		}
		if got.Exact || got.Why == "" || got.Samples != 3000 || len(exact.Rows) != 6 {
			t.Fatalf("exact %v, why %q, %d samples", got.Exact, got.Why, got.Samples)
		}
		for i, r := range got.Rows {
			if p := want.Rows[i].Share; p < r.Lo-.01 || p > r.Hi+.01 || r.Hi-r.Lo > .06 {
				t.Errorf("%v: %s is %.4f, estimated %.4f to %.4f", mode, r.Name, p, r.Lo, r.Hi)
			}
		}
	}
}

// TestLarge checks that the accounts of large and of infinite grammars are by alternatives.
func TestLarge(t *testing.T) {
	for _, strategy := range []sample.Strategy{sample.Uniform, sample.Walk} {
		for _, mode := range []swarm.Mode{swarm.Off, swarm.Both} {
			sw := mustSwarm(t, grammars.Must("json"), swarm.Options{Mode: mode})
			a, err := dist.New(ctx, sw, dist.Options{Sample: sample.Options{Strategy: strategy, Bound: count.Sizes(1, 15, grammar.Terminals)}, Samples: 200})
			if err != nil {
				t.Fatal(err)
			}
			wantExact := strategy == sample.Uniform && mode == swarm.Off
			if a.By != dist.Alternatives || a.Exact != wantExact {
				t.Errorf("%v %v: by %v, exact %v (%s)", strategy, mode, a.By, a.Exact, a.Why)
			}
		}
	}
}

func TestErrors(t *testing.T) {
	sw := mustSwarm(t, grammars.Must("json"), swarm.Options{})
	if _, err := dist.New(ctx, sw, dist.Options{By: dist.Leaves, Sample: sample.Options{Strategy: sample.Walk}, Leaves: 10}); err == nil {
		t.Error("ten leaves of json")
	}
	var empty *count.EmptyError
	if _, err := dist.New(ctx, sw, dist.Options{Sample: sample.Options{Bound: count.Sizes(0, 0, grammar.Bytes)}}); !errors.As(err, &empty) {
		t.Errorf("nothing within the bound: %v", err)
	}
}

// TestTokens checks that sentences that differ only in the texts of tokens are one row, where
// tokens are leaves. The exact probabilities lie in the intervals of an estimate.
func TestTokens(t *testing.T) {
	g := parse(t, `s = N | "(" s ")" | s "+" s ; @token N = [0-9]+ ("." | "e" [0-9])? ;`)
	for _, o := range []sample.Options{
		{Strategy: sample.Walk, Bound: count.Depth(3)},
		{Strategy: sample.Uniform, Bound: count.Sizes(1, 5, grammar.Terminals)},
	} {
		for _, mode := range []swarm.Mode{swarm.Off, swarm.Down} {
			sw := mustSwarm(t, g, swarm.Options{Mode: mode})
			exact, err := dist.New(ctx, sw, dist.Options{Sample: o})
			if err != nil {
				t.Fatal(err)
			}
			o.Seed = 8
			if !exact.Exact || exact.Rows[0].Name != "0" {
				t.Fatalf("exact %v (%s), rows %v", exact.Exact, exact.Why, exact.Rows)
			}
			if mode == swarm.Off {
				continue // a single configuration is always enumerated
			}
			estimate, err := dist.New(ctx, sw, dist.Options{Sample: o, Paths: 1, Samples: 3000})
			if err != nil {
				t.Fatal(err)
			}
			rows := dist.Compare(exact, estimate)
			if estimate.Exact || len(rows) != len(exact.Rows) || len(rows) < 4 {
				t.Fatalf("%d rows of %d, exact %v", len(rows), len(exact.Rows), estimate.Exact)
			}
			for _, r := range rows {
				if p, e := r.Cells[0].Share, r.Cells[1]; p < e.Lo-.005 || p > e.Hi+.005 {
					t.Errorf("%v %v: %s is %.4f, estimated %.4f to %.4f", o.Strategy, mode, r.Name, p, e.Lo, e.Hi)
				}
			}
		}
	}
	if a, err := dist.New(ctx, mustSwarm(t, g, swarm.Options{}), dist.Options{Sample: sample.Options{Strategy: sample.Walk, Bound: count.Sizes(1, 5, grammar.Bytes)}, Samples: 100}); err != nil || a.Exact {
		t.Errorf("sizes in bytes: %v", err)
	}
}

// TestLopsidedSamples draws one sentence for each of many configurations and compares with the
// exact account: 100,000 sentences with GRAMFUZZ_LONG=all, otherwise fewer.
func TestLopsidedSamples(t *testing.T) {
	n := 1_000
	switch os.Getenv("GRAMFUZZ_LONG") {
	case "":
	case "all":
		n = 100_000
	default:
		n = 10_000
	}
	for mode := range published {
		sw := mustSwarm(t, grammars.Must("lopsided"), swarm.Options{Mode: mode})
		if mode != swarm.Off {
			checkAgainstSamples(t, sw, sample.Options{Strategy: sample.Walk, Bound: count.Depth(6)}, 10*n)
		}
	}
}
