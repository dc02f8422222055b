package stream_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/load"
	"github.com/gramfuzz/gramfuzz/sample"
	"github.com/gramfuzz/gramfuzz/stream"
	"github.com/gramfuzz/gramfuzz/swarm"
)

// TestSwarm checks that every strategy, in every mode, draws sentences within the bound that take
// only the features of their configuration. They are the same in any order and for any number of
// goroutines.
func TestSwarm(t *testing.T) {
	g := grammars.Must("json")
	for _, o := range []sample.Options{
		{Strategy: sample.Uniform},
		{Strategy: sample.Uniform, Bound: count.Depth(6)},
		{Strategy: sample.Walk},
		{Strategy: sample.Weighted, Bound: count.Depth(8)},
		{Strategy: sample.Limit},
		{Strategy: sample.Uniform, Measure: grammar.Exact, Bound: count.Sizes(1, 20, grammar.Bytes)},
	} {
		for _, mode := range []swarm.Mode{swarm.Off, swarm.Plain, swarm.Down, swarm.Both} {
			t.Run(fmt.Sprint(o.Strategy, " ", o.Bound, " ", o.Measure, " ", mode), func(t *testing.T) {
				o.Seed = 5
				sw := mustSwarm(t, g, swarm.Options{Mode: mode, Measure: o.Measure})
				r, err := swarmed(t, sw, o)
				if err != nil {
					t.Fatal(err)
				}
				want := first(t, r.Source(), 16)
				checkSentences(t, sw, r, o, want)
				fresh, err := swarmed(t, sw, o)
				if err != nil {
					t.Fatal(err)
				}
				var wg sync.WaitGroup
				got := make([]string, len(want))
				for j := range 3 {
					wg.Go(func() {
						src := fresh.Source()
						for i := len(want) - 1 - j; i >= 0; i -= 3 {
							got[i], _ = textOf(src, uint64(i))
						}
					})
				}
				wg.Wait()
				if d := cmp.Diff(want, got); d != "" {
					t.Errorf("drawn backwards by three (-want +got):\n%s", d)
				}
			})
		}
	}
}

// swarmed is the stream of a swarm with a configuration every 4 sentences.
func swarmed(t *testing.T, sw *swarm.Swarm, o sample.Options) (*stream.Stream, error) {
	g := sw.Grammar()
	if o.Bound == (count.Bound{}) && o.Strategy != sample.Limit {
		o.Bound = sample.DefaultBound(g, g.Facts(nil, o.Measure))
	}
	return stream.Swarm(t.Context(), sw, o.Seed, 4, func(ctx context.Context, mask *grammar.Mask) (*stream.Stream, error) {
		o := o
		o.Mask = mask
		return stream.Sample(ctx, g, o)
	})
}

func mustSwarm(t testing.TB, g *grammar.Grammar, o swarm.Options) *swarm.Swarm {
	t.Helper()
	sw, err := swarm.New(g, o)
	if err != nil {
		t.Fatal(err)
	}
	return sw
}

func first(t *testing.T, src stream.Source, n int) (out []string) {
	t.Helper()
	for i := range n {
		s, err := textOf(src, uint64(i))
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, s)
	}
	return out
}

func checkSentences(t *testing.T, sw *swarm.Swarm, r *stream.Stream, o sample.Options, texts []string) {
	t.Helper()
	g := sw.Grammar()
	full := g.Facts(nil, o.Measure)
	src := r.Source()
	m := derive.NewMachine(g, derive.Options{Facts: full})
	named := map[string]bool{}
	for i, text := range texts {
		tree, err := src.Tree(t.Context(), uint64(i))
		if err != nil {
			t.Fatal(err)
		}
		place, err := stream.PlaceOf(t.Context(), src, uint64(i))
		if err != nil {
			t.Fatal(err)
		}
		c, err := sw.Parse(place.Config)
		if err != nil {
			t.Fatal(err)
		}
		named[c.Name()] = true
		if tree.Text() != text {
			t.Fatalf("sentence %d: the tree says %q, the text is %q", i, tree.Text(), text)
		}
		replayed, err := m.Run(t.Context(), derive.Strict(tree.Choices()))
		if err != nil || replayed.Text() != text {
			t.Fatalf("sentence %d does not replay in the full grammar: %v", i, err)
		}
		for n := range tree.Nodes() {
			if e := tree.Nodes()[n].Expr; e.Op == grammar.Choice && !c.Mask().On(e, tree.Nodes()[n].Val) {
				t.Fatalf("sentence %d takes alternative %d at %v, which %s has not", i, tree.Nodes()[n].Val, e.Pos, c.Name())
			}
		}
		if b := r.Bound(); !b.ByDepth() {
			if n := derive.Size(tree, full, b.Unit); n < b.Min || n > b.Max {
				t.Fatalf("sentence %d has size %d, outside %v", i, n, b)
			}
		}
	}
	want := (len(texts) + 3) / 4
	if sw.Mode() == swarm.Off {
		want = 1
	}
	if len(named) != want {
		t.Errorf("%d configurations for %d sentences, want %d", len(named), len(texts), want)
	}
}

// TestBarren checks that a configuration without a sentence is skipped, and that the error says
// what to do if no other is left.
func TestBarren(t *testing.T) {
	long := "s = a0 ;"
	for i := range 40 {
		long += fmt.Sprintf("a%d = a%d ;", i, i+1)
	}
	g, _, err := load.Source("long.ebnf", []byte(long+` a40 = "x" ;`), load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	sw := mustSwarm(t, g, swarm.Options{Mode: swarm.Plain})
	_, err = swarmed(t, sw, sample.Options{})
	if err == nil {
		t.Fatal("a sampler of configurations that all derive nothing")
	}
	if d := cmp.Diff("10000 swarm configurations in a row gave no sentence (rule s derives nothing); mode down or both completes configurations", err.Error()); d != "" {
		t.Error(d)
	}
	sw = mustSwarm(t, g, swarm.Options{Mode: swarm.Down})
	if _, err := swarmed(t, sw, sample.Options{}); err != nil {
		t.Errorf("mode down: %v", err)
	}
}

// TestSwarmBelowLeast checks that a bound below all sentences is refused as without a swarm, before
// configurations are drawn, and one between the sizes of sentences after a few.
func TestSwarmBelowLeast(t *testing.T) {
	g := load.MustString(`s = "a" "b" "c" "d" (t t t t t t)? ; t = "x" | "y" | "z" ;`)
	for _, c := range []struct {
		size int
		want string
	}{{3, "no sentence of 3 terminals; nearest is 4"}, {8, "no sentence of 8 terminals; nearest are 4 and 10"}} {
		p := stream.Plan{Bound: derive.BoundRef{Min: c.size, Max: c.size, Unit: "terminals"}, Swarm: &stream.SwarmPlan{Mode: "both"}, Seed: 1}
		if _, err := p.Open(t.Context(), g, stream.Options{}); err == nil || err.Error() != c.want {
			t.Errorf("size %d: %v, want %s", c.size, err, c.want)
		}
	}
}

// TestFixedConfig checks that a fixed configuration is used for every sentence.
func TestFixedConfig(t *testing.T) {
	g := grammars.Must("lopsided")
	coins, err := swarm.ParseCoins("coins", []byte("a/0 never\nb/0 never"))
	if err != nil {
		t.Fatal(err)
	}
	r, err := swarmed(t, mustSwarm(t, g, swarm.Options{Mode: swarm.Off, Coins: coins}), sample.Options{})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]bool{}
	for _, s := range first(t, r.Source(), 100) {
		got[s] = true
	}
	if d := cmp.Diff(map[string]bool{"C": true, "D": true, "E": true, "F": true}, got); d != "" {
		t.Errorf("sentences (-want +got):\n%s", d)
	}
}
