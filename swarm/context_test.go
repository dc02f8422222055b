package swarm_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	gctx "github.com/gramfuzz/gramfuzz/context"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/swarm"
)

// TestNamesInEveryConfiguration checks names in play: no configuration leads into a dead end, and
// none uses a name before its definition.
func TestNamesInEveryConfiguration(t *testing.T) {
	g := grammars.Must("assign")
	names, err := gctx.New(g, gctx.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, mode := range modes {
		sw := mustNew(t, g, swarm.Options{Mode: mode})
		derived, rng := 0, rand.New(rand.NewPCG(3, 4))
		for seed := range uint64(200) {
			mask := sw.Config(seed).Mask()
			facts := gctx.Facts(g, names, mask, grammar.Structure)
			if facts.Depth(g.Root, grammar.Any) > 12 {
				continue // nothing is derived, or nothing that needs a name
			}
			m, err := gctx.Machine(g, names, derive.Options{Facts: facts, MaxDepth: 12})
			if err != nil {
				t.Fatal(err)
			}
			for run := range 5 {
				tree, err := m.Run(ctx, derive.ChooserFunc(func(d *derive.Decision) (int, error) { return d.Value(rng.IntN(d.N)), nil }))
				if err != nil && run == 0 {
					break // every expression needs a name, and none can be defined first
				}
				if err != nil {
					t.Fatalf("%v, seed %d: a dead end: %v", mode, seed, err)
				}
				derived++
				if name := undefined(tree.Text()); name != "" {
					t.Fatalf("%v, seed %d: %s is used before it is defined in\n%s", mode, seed, name, tree.Text())
				}
			}
		}
		if derived < 20 {
			t.Errorf("%v: only %d sentences", mode, derived)
		}
	}
}

// undefined returns a name that a program of assignments uses before the end of
// the statement that defines it, "" for none.
func undefined(program string) string {
	defined := map[string]bool{}
	for _, line := range strings.Split(strings.TrimSpace(program), "\n") {
		name, expr, _ := strings.Cut(line, " = ")
		for _, c := range expr {
			if c >= 'a' && c <= 'z' && !defined[string(c)] {
				return string(c)
			}
		}
		defined[name] = true
	}
	return ""
}
