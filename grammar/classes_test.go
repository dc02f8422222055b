package grammar

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestClassesOfOneSource freezes classes that share their ranges in all possible ways. It
// compares the sets of each class with those that it gets alone.
func TestClassesOfOneSource(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	all := make([]Range, 40)
	for i := range all {
		lo := rune(rng.IntN(300))
		all[i] = Range{lo, lo + rune(rng.IntN(2)*rng.IntN(400))}
	}
	for range 200 {
		every := rng.IntN(2) == 1
		b := &Bound{Names: map[string]*Rule{}, Unicode: every}
		for i := range 12 {
			from := rng.IntN(3)
			to := from + rng.IntN(5)
			b.Rules = append(b.Rules, &Rule{Name: fmt.Sprint("r", i), Kind: Token,
				Body: &Expr{Op: Class, Negated: rng.IntN(2) == 0, Ranges: all[from:to]}})
		}
		g, _ := b.Freeze(nil, nil, "")
		for _, r := range g.Rules {
			e := r.Body
			set := NewSet(e.Ranges...)
			gen := set
			if e.Negated {
				set = set.Complement()
				gen = set.Intersect(g.alpha)
				if gen.Len() == 0 {
					gen = set
				}
			} else if !every && set.Intersect(NewSet(Range{0, 127})).Len() > 0 {
				gen = set.Intersect(NewSet(append(singles(e.Ranges), Range{0, 127})...))
			}
			rest := set.Intersect(gen.Complement())
			for what, sets := range map[string][2]Set{"Set": {e.Set, set}, "Gen": {e.Gen, gen}, "Rest": {e.Rest, rest}} {
				if d := cmp.Diff(sets[1].Ranges(), sets[0].Ranges()); d != "" {
					t.Fatalf("%s of [%v] negated %v (-want +got):\n%s", what, e.Ranges, e.Negated, d)
				}
			}
		}
	}
}

func singles(ranges []Range) (ones []Range) {
	for _, r := range ranges {
		if r.Lo == r.Hi {
			ones = append(ones, r)
		}
	}
	return ones
}
