package count_test

import (
	"testing"

	gctx "github.com/gramfuzz/gramfuzz/context"
	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/grammars"
)

// TestNamesTables checks that names in play cost at most twice as many numbers for every
// reachable state as the grammar has without them.
func TestNamesTables(t *testing.T) {
	g := grammars.Must("assign")
	for _, pool := range []int{1, 5, gctx.DefaultPool} {
		// At most one definition is pending. The states are: v visible names and none pending for
		// v = 0 … pool, and v visible and one pending for v = 0 … pool-1.
		states := pool + 1 + pool
		for _, b := range []count.Bound{count.Depth(30), count.Size(50, grammar.Terminals), count.Size(50, grammar.Bytes)} {
			cells := func(o gctx.Options) int {
				p, err := count.NewProgram(g, b, count.Options{Names: o})
				if err != nil {
					t.Fatal(err)
				}
				return len(p.Nodes) // each node has a number for every step of the bound
			}
			plain, named := cells(gctx.Options{Off: true}), cells(gctx.Options{Pool: pool})
			if named > 2*states*plain {
				t.Errorf("pool %d, %v: %d nodes, %d without names, %d states", pool, b, named, plain, states)
			}
			t.Logf("pool %d, %v: %d nodes, %d without names, %d states: %.2f times", pool, b, named, plain, states, float64(named)/float64(plain*states))
		}
	}
}
