package dist_test

import (
	"math/big"
	"testing"

	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/swarm"
)

// TestWhyBothFavoursAAndF computes the explanation in docs/lopsided.md. In mode both, nearly
// every configuration is a chain of all the links from a down to f, with each letter in by a fair
// coin. A walk stops at a letter of the chain with probability about ¼, and a walk that passes
// all of them makes F.
func TestWhyBothFavoursAAndF(t *testing.T) {
	s := mustSwarm(t, grammars.Must("lopsided"), swarm.Options{Mode: swarm.Both})
	all, err := s.Each(ctx, 0)
	if err != nil {
		t.Fatal(err)
	}
	// Features are A, a=b, B, b=c, …, E, e=f, F: letter i is 2i, its link 2i+1.
	ends := make([]*big.Rat, 6)    // the chain ends at letter i
	forks := make([]*big.Rat, 6)   // … goes on past i, and letter i is in
	through := make([]*big.Rat, 6) // … goes on past i
	for i := range ends {
		ends[i], forks[i], through[i] = new(big.Rat), new(big.Rat), new(big.Rat)
	}
	for _, w := range all {
		end := 0
		for end < 5 && w.Config.Has(2*end+1) {
			end++
		}
		ends[end].Add(ends[end], w.P)
		for i := range end {
			through[i].Add(through[i], w.P)
			if w.Config.Has(2 * i) {
				forks[i].Add(forks[i], w.P)
			}
		}
	}
	within := func(what string, r *big.Rat, lo, hi float64) {
		t.Helper()
		v, _ := r.Float64()
		t.Logf("%s: %.4f", what, v)
		if v < lo || v > hi {
			t.Errorf("%s is %.4f, not in %v to %v", what, v, lo, hi)
		}
	}
	for i, e := range ends {
		lo, hi := 0.0, 0.2
		if i == 5 {
			lo, hi = 0.78, 0.8
		}
		within(string(rune('A'+i))+" ends the chain", e, lo, hi)
	}
	for i := range 5 {
		within(string(rune('A'+i))+" is in where the chain passes", new(big.Rat).Quo(forks[i], through[i]), 0.47, 0.54)
	}
}
