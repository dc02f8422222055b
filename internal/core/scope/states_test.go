package scope_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/core"
	"github.com/gramfuzz/gramfuzz/internal/core/scope"
	"github.com/gramfuzz/gramfuzz/load"
)

// wide is an automaton whose leaves, the literals, lead from each state to every state.
type wide struct{ space *core.Space }

func (w wide) Space() *core.Space { return w.space }

func (w wide) At(e *grammar.Expr) *core.Action {
	if e.Op != grammar.Lit {
		return nil
	}
	return &core.Action{Leaf: true, Writes: true, Silent: true}
}

func (w wide) Edges(*core.Action, core.State) (edges []core.Edge) {
	for s := range core.State(1000) {
		edges = append(edges, core.Edge{To: s, Ways: 1})
	}
	return edges
}

func (w wide) Enter(_ core.Wrap, before core.State) core.State { return before }

func (w wide) Leave(_ core.Wrap, _, end core.State) (core.State, bool) { return end, true }

func (w wide) Accepting() func(core.State) bool { return nil }

// TestTooManyStates checks that too many states are blamed on names only if there are names.
func TestTooManyStates(t *testing.T) {
	space, err := core.NewSpace(1000)
	if err != nil {
		t.Fatal(err)
	}
	g := load.MustString(`s = "a" "b" ;`)
	for _, names := range []*scope.Names{nil, scope.Unannotated(g)} {
		_, err := scope.Program(g, names, wide{space}, g.Facts(nil, grammar.Structure), grammar.Terminals, 0, 0)
		ofNames, ofAny := new(scope.StatesError), new(core.StatesError)
		if errors.As(err, &ofNames) != (names != nil) || errors.As(err, &ofAny) != (names == nil) {
			t.Errorf("with names %v: %v", names != nil, err)
		}
	}
}

// TestTooManyToLookAhead: where a walk cannot look ahead, the message does not advise a walk, and
// fewer names are enough.
func TestTooManyToLookAhead(t *testing.T) {
	var src strings.Builder
	src.WriteString("s = ")
	for i := range 10 {
		fmt.Fprintf(&src, "n @fresh(v%d) n @use(v%d) ", i, i)
	}
	g := load.MustString(src.String() + "; n = [a-z] ;")
	for pool, fails := range map[int]bool{26: true, 4: false} {
		n, err := scope.New(g, false, pool)
		if err != nil {
			t.Fatal(err)
		}
		_, err = scope.Depth(g, n, scope.Facts(g, n, nil, grammar.Exact), 0)
		if (err != nil) != fails {
			t.Fatalf("with %d names: %v", pool, err)
		}
		if fails && (strings.Contains(err.Error(), "walk") || !strings.Contains(err.Error(), "--pool")) {
			t.Errorf("%v", err)
		}
	}
}

// TestPossible: with a definition switched off, only the alternative without a use is left.
func TestPossible(t *testing.T) {
	g := load.MustString(`s = d u | "x" ; d = n @define(v) | "y" ; u = n @use(v) ; n = [ab] ;`)
	n, err := scope.New(g, false, 26)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		off      [][2]int // of rules s and d: number, alternative
		possible bool
	}{
		{nil, true},
		{[][2]int{{1, 0}}, true},          // "x" is left
		{[][2]int{{0, 1}, {1, 1}}, true},  // d u
		{[][2]int{{0, 1}, {1, 0}}, false}, // no name to use
	} {
		m := grammar.NewMask(g)
		for _, off := range tt.off {
			m.Set(g.Rules[off[0]].Body, off[1], false)
		}
		if err := scope.Possible(n, scope.Facts(g, n, m, grammar.Structure)); (err == nil) != tt.possible {
			t.Errorf("without %v: %v", tt.off, err)
		}
	}
}
