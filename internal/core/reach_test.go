package core_test

import (
	"fmt"
	"strings"
	"testing"

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
		r := core.NewReach(g, g.Facts(nil, grammar.Exact), counted{newUses(g.Rule("x"), 0, 3), &asked}, 0, core.DefaultBudget)
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
