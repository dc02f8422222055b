package sample

import (
	"fmt"
	"math"
	"testing"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/internal/core/marks"
	"github.com/gramfuzz/gramfuzz/internal/testing/brute"
	"github.com/gramfuzz/gramfuzz/load"
)

// listed is a derivation with the facts used by strata.
type listed struct {
	choices string
	parts   []*grammar.Expr
	step    int
}

func listAll(t *testing.T, g *grammar.Grammar, b count.Bound, most int) []listed {
	t.Helper()
	l := &brute.Lister{Facts: g.Facts(nil, grammar.Exact), Most: most}
	levels := 40
	if b.ByDepth() {
		l.Repeat, levels = b.Repeat, b.Depth
	} else {
		l.Limit, l.Unit = b.Max, b.Unit
	}
	m := derive.NewMachine(g, derive.Options{})
	var all []listed
	for _, d := range l.List(g.Root, levels) {
		tree, err := m.Run(t.Context(), derive.Strict(d.Choices))
		if err != nil {
			t.Fatal(err)
		}
		if step := d.Size[b.Unit]; b.ByDepth() || step >= b.Min && step <= b.Max {
			if b.ByDepth() {
				step = b.Depth
			}
			all = append(all, listed{fmt.Sprint(d.Choices), brute.Parts(tree), step})
		}
	}
	if l.Overflow {
		return nil
	}
	return all
}

// smallGrammars are the grammars written for exhaustive tests, and the shipped ones for which
// all derivations of some sizes can be listed.
func smallGrammars() map[string]*grammar.Grammar {
	all := map[string]*grammar.Grammar{}
	for _, src := range brute.Small {
		all[src] = load.MustString(src)
	}
	for _, name := range []string{"tree", "lopsided", "expr"} {
		all[name] = grammars.Must(name)
	}
	return all
}

// TestNumbersInsideAndOutside checks that the inside and outside numbers together count the
// places of a part in all derivations of a step. It checks their approximations within their
// error bounds.
func TestNumbersInsideAndOutside(t *testing.T) {
	tested := 0
	for src, g := range smallGrammars() {
		for _, bb := range balancedBounds {
			all := listAll(t, g, bb.bound, 600)
			if len(all) == 0 {
				continue
			}
			s, err := New(t.Context(), g, Options{Bound: bb.bound, Spread: bb.spread, Strategy: Balanced, Measure: grammar.Exact})
			if err != nil {
				t.Fatalf("%s, %v: %v", src, bb.bound, err)
			}
			type place struct {
				part *grammar.Expr
				step int
			}
			want := map[place]int64{}
			for _, d := range all {
				for _, e := range d.parts {
					want[place{e, d.step}]++
				}
			}
			p := s.balanced.first
			for i, part := range marks.Parts(g) {
				for _, step := range s.steps(func(int) bool { return true }) {
					options := p.pointed(nil, int32(i+1), step, 0)
					weights, sum := make([]float64, len(options)), int64(0)
					for j := range options {
						n, err := p.nums.exact(&options[j])
						if err != nil {
							t.Fatal(err)
						}
						weights[j] = float64(n.Int64())
						sum += n.Int64()
					}
					tested++
					if sum != want[place{part.Expr, step}] {
						t.Errorf("%s, %v: %d places of %s at %d, want %d", src, bb.bound, sum, part.Name, step, want[place{part.Expr, step}])
					}
					for j := range options {
						first, e := p.nums.approximate(&options[0])
						w, e2 := p.nums.approximate(&options[j])
						if e < 1 && math.Abs(w/first-weights[j]/weights[0]) > 2*(e+e2)*weights[j]/weights[0] {
							t.Errorf("%s, %v: %s at %d: weights %g and %g, exactly %g and %g", src, bb.bound, part.Name, step, first, w, weights[0], weights[j])
						}
					}
				}
			}
		}
	}
	if tested < 1000 {
		t.Errorf("%d numbers", tested)
	}
	t.Logf("%d numbers", tested)
}
