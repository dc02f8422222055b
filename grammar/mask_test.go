package grammar_test

import (
	"testing"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/load"
)

// TestMaskRule: a rule that is off derives nothing, in a clone as in the original. Only
// expressions that do not need it derive something.
func TestMaskRule(t *testing.T) {
	g := load.MustString(`s = needs may ; needs = x ; may = x? ; x = "x" ;`)
	s, needs, may, x := g.Rule("s"), g.Rule("needs"), g.Rule("may"), g.Rule("x")
	m := grammar.NewMask(g)
	m.SetRule(x, false)
	f := g.Facts(m.Clone(), grammar.Exact)
	for r, want := range map[*grammar.Rule]bool{s: false, needs: false, may: true} {
		if got := f.Productive(r.Body); got != want {
			t.Errorf("%s derives something: %v, want %v", r.Name, got, want)
		}
	}
	m.SetRule(x, true)
	if !g.Facts(m, grammar.Exact).Productive(g.Root) {
		t.Error("a rule switched on again derives nothing")
	}
}
