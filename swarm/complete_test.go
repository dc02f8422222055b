package swarm

import (
	"context"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/internal/testing/brute"
	"github.com/gramfuzz/gramfuzz/load"
)

// broken names a guarantee of its mode that a configuration violates, "" for none. It uses the
// definition, not the counters of the closure.
func broken(c *Config) string {
	s, in := c.s, c.set.in
	ok := func(list []int) bool {
		for _, i := range list {
			if in[i] {
				return true
			}
		}
		return len(list) == 0
	}
	if s.o.Mode >= Down {
		if !ok(s.nodes[s.start].producers) {
			return "the start has no producer in"
		}
		if !s.g.Facts(c.mask, grammar.Exact).Productive(s.g.Root) {
			return "the start derives nothing"
		}
	}
	for i, f := range s.features {
		if !in[i] {
			continue
		}
		for _, u := range f.consumes {
			if s.o.Mode >= Down && !ok(s.nodes[u.node].producers) {
				return "nothing in produces what " + f.Name + " consumes"
			}
		}
		if s.o.Mode == Both && f.produces != s.start && !ok(s.nodes[f.produces].consumers) {
			return "nothing in consumes what " + f.Name + " produces"
		}
	}
	return ""
}

// ours returns grammars for properties: the shipped ones, random ones, and one whose rules need
// each other in a circle.
func ours(t *testing.T) []*grammar.Grammar {
	var gs []*grammar.Grammar
	for _, name := range grammars.Names() {
		gs = append(gs, grammars.Must(name))
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for range 60 {
		gs = append(gs, brute.Random(rng))
	}
	circle, _, err := load.Source("circle.ebnf", []byte(`a = "(" b ")" | "x" ; b = "[" c "]" | "y" ; c = "{" a "}" | "z" ;`), load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return append(gs, circle)
}

func TestModesKeepTheirPromises(t *testing.T) {
	for _, g := range ours(t) {
		for _, mode := range []Mode{Off, Plain, Down, Both} {
			for _, measure := range []grammar.Measure{grammar.Structure, grammar.Exact} {
				s, err := New(g, Options{Mode: mode, Measure: measure})
				if err != nil {
					t.Fatalf("%s: %v", g.Name, err)
				}
				for seed := range uint64(30) {
					c := s.Config(seed)
					if why := broken(c); why != "" {
						t.Fatalf("%s, %v: %s:\n%v", g.Name, measure, c.Name(), why)
					}
					want := g.Facts(c.mask, grammar.Exact).Productive(g.Root)
					if got := c.Derives(); got != want {
						t.Fatalf("%s, %v: %s derives something: %v, want %v\n%v", g.Name, measure, c.Name(), got, want, c)
					}
				}
			}
		}
	}
}

// TestCircleNeedsRescue checks that the test above has seen a rescue: sweeps alone leave rules
// that need each other in a circle unproductive now and then.
func TestCircleNeedsRescue(t *testing.T) {
	gs := ours(t)
	s, err := New(gs[len(gs)-1], Options{Mode: Down})
	if err != nil {
		t.Fatal(err)
	}
	rescued := 0
	for seed := range uint64(30) {
		d := newSeeded(seed)
		c := s.none()
		c.used[s.start] = 1
		for i := range s.features {
			if d.coin(1, 2) {
				c.add(i)
			}
		}
		c.close(d)
		if !c.live()[s.start] {
			rescued++
		}
	}
	if rescued == 0 {
		t.Error("no sweep left the circle barren")
	}
}

// TestEachAgreesWithDraws compares the frequencies of configurations with the probabilities of
// Each.
func TestEachAgreesWithDraws(t *testing.T) {
	g := grammars.Must("lopsided")
	for _, mode := range []Mode{Plain, Down, Both} {
		coins, err := ParseCoins("coins", []byte("* 2/3\nb/1 1/5\nc/0 essential\nf never\n"))
		if err != nil {
			t.Fatal(err)
		}
		s, err := New(g, Options{Mode: mode, Coins: coins})
		if err != nil {
			t.Fatal(err)
		}
		all, err := s.Each(context.Background(), 0)
		if err != nil {
			t.Fatal(err)
		}
		index := map[string]int{}
		key := func(part []bool) string {
			b := make([]byte, len(part))
			for i, on := range part {
				if on {
					b[i] = 1
				}
			}
			return string(b)
		}
		p := make([]float64, len(all))
		sum := new(big.Rat)
		for i, w := range all {
			index[key(w.Config.set.takesPart())] = i
			sum.Add(sum, w.P)
			p[i], _ = w.P.Float64()
		}
		if sum.Cmp(big.NewRat(1, 1)) != 0 || len(index) != len(all) {
			t.Fatalf("%v: probabilities sum to %v over %d of %d configurations", mode, sum, len(index), len(all))
		}
		counts := make([]int, len(all))
		for seed := range uint64(20_000) {
			at, ok := index[key(s.Config(seed).set.takesPart())]
			if !ok {
				t.Fatalf("%v: Each lacks %v", mode, s.Config(seed))
			}
			counts[at]++
		}
		if got := brute.ChiSquare(counts, p); got < 1e-5 {
			t.Errorf("%v: chi-square probability %g", mode, got)
		}
	}
}
