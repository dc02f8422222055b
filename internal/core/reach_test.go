package core_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/core"
	"github.com/gramfuzz/gramfuzz/load"
)

// counted is an automaton that counts how often it is asked.
type counted struct {
	*uses
	asked *int
}

func (c counted) Space() *core.Space {
	*c.asked++
	return c.uses.Space()
}

// TestReachWideUnion: the ends of a union take work in proportion to its parts.
func TestReachWideUnion(t *testing.T) {
	work := func(alternatives int) (asked int) {
		var src strings.Builder
		src.WriteString("s = x")
		for i := range alternatives {
			fmt.Fprintf(&src, " | \"%d\" x", i)
		}
		src.WriteString(" ; x = \"x\" | \"(\" s \")\" ;")
		g := load.MustString(src.String())
		r := core.NewReach(g, g.Facts(nil, grammar.Exact), counted{newUses(g.Rule("x"), 0, 3), &asked}, 0, 0, 0)
		outs, _, err := r.Outs(core.Part{Expr: g.Start.Body, Want: grammar.Any}, 0)
		if err != nil || len(outs) != 3 { // x is used once, twice or three times
			t.Fatalf("%d ends, %v", len(outs), err)
		}
		return asked
	}
	if few, many := work(100), work(3000); many > 60*few {
		t.Errorf("%d steps for 100 alternatives, %d for 3000", few, many)
	}
}

// TestReachForgets: with no memory for results, every answer is the same.
func TestReachForgets(t *testing.T) {
	for _, tt := range usesTests {
		g := load.MustString(tt.src)
		a := newUses(g.Rule(tt.rule[0]), 0, 3)
		reach := func(budget core.Budget) *core.Reach {
			return core.NewReach(g, g.Facts(nil, grammar.Exact), a, 0, budget, 0)
		}
		keeps, forgets := reach(0), reach(1)
		for _, e := range g.Exprs {
			for s := range core.State(4) {
				part := core.Part{Expr: e, Want: grammar.Any}
				want, _, err := keeps.Outs(part, s)
				got, _, err2 := forgets.Outs(part, s)
				if d := cmp.Diff(want, got, cmpopts.SortSlices(func(a, b core.Out) bool { return a.To < b.To })); d != "" || err != nil || err2 != nil {
					t.Fatalf("%s: %v in state %d: %v, %v\n%s", tt.src, e, s, err, err2, d)
				}
			}
		}
	}
}
