package grammar_test

import (
	"testing"

	"github.com/gramfuzz/gramfuzz/grammar"
)

// A rule that is off derives nothing, in a clone as in the original, and only
// what can do without it derives something.
func TestMaskRule(t *testing.T) {
	at := grammar.Pos{File: "t", Line: 1, Col: 1}
	x := &grammar.Rule{Name: "x", Pos: at, Body: grammar.NewLit(at, "x")}
	needs := &grammar.Rule{Name: "needs", Pos: at, Body: grammar.NewRef(at, "x")}
	may := &grammar.Rule{Name: "may", Pos: at, Body: grammar.NewRep(at, grammar.NewRef(at, "x"), 0, 1)}
	s := &grammar.Rule{Name: "s", Pos: at, Body: grammar.NewSeq(at, grammar.NewRef(at, "needs"), grammar.NewRef(at, "may"))}
	g := &grammar.Grammar{Name: "t", Rules: []*grammar.Rule{s, needs, may, x}}
	if err := g.Freeze(grammar.Options{}).Err(); err != nil {
		t.Fatal(err)
	}
	m := grammar.NewMask(g)
	m.SetRule(x, false)
	f := g.Facts(m.Clone(), grammar.Exact)
	for r, want := range map[*grammar.Rule]bool{s: false, needs: false, may: true} {
		if got := f.Productive(r.Body); got != want {
			t.Errorf("%s derives something: %v, want %v", r.Name, got, want)
		}
	}
	if m.RuleOn(x) || !m.RuleOn(s) {
		t.Error("RuleOn does not tell what SetRule set")
	}
	m.SetRule(x, true)
	if !g.Facts(m, grammar.Exact).Productive(g.Root) {
		t.Error("a rule switched on again derives nothing")
	}
}
