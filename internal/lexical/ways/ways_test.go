package ways_test

import (
	"testing"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/internal/lexical/ways"
)

// TestFill checks that a distance is one more than the least distance of the children, and 0 only
// at targets.
func TestFill(t *testing.T) {
	for _, name := range grammars.Names() {
		g := grammars.Must(name)
		target := g.Exprs[len(g.Exprs)/2]
		var f ways.Field
		f.Fill(ways.New(g), nil, target)
		for _, e := range g.Exprs {
			below := e.Children
			if e.Op == grammar.Ref && e.Rule != nil {
				below = []*grammar.Expr{e.Rule.Body}
			}
			want := uint16(ways.Unreachable)
			for _, k := range below {
				if d := f.Steps[k.ID]; d != ways.Unreachable {
					want = min(want, d+1)
				}
			}
			if e == target {
				want = 0
			}
			if f.Steps[e.ID] != want {
				t.Errorf("%s: %v at %v is %d steps away, want %d", name, e.Op, e.Pos, f.Steps[e.ID], want)
			}
		}
	}
}
