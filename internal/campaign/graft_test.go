package campaign

import (
	"testing"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/internal/lex"
	"github.com/gramfuzz/gramfuzz/internal/schedule"
)

// grafting returns a grafter of a shipped grammar, nil where there is none.
func grafting(t *testing.T, name string, o schedule.Options) *grafter {
	t.Helper()
	g := grammars.Must(name)
	o.Seed, o.Brief = 3, true
	s, err := schedule.New(t.Context(), g, o)
	if err != nil {
		t.Fatal(err)
	}
	layout, err := derive.NewLayout(g, lex.Tight)
	if err != nil {
		t.Fatal(err)
	}
	return newGrafter(g, s, layout, g.Facts(nil, grammar.Structure))
}

// Grafts are sentences within the bound, those that their choices say, and depend
// on their place alone.
func TestGrafts(t *testing.T) {
	for _, name := range []string{"expr", "json", "select"} {
		o := schedule.Options{Bound: count.Sizes(3, 40, grammar.Terminals)}
		f, again := grafting(t, name, o), grafting(t, name, o)
		if f == nil {
			t.Fatalf("%s: no grafts", name)
		}
		g := grammars.Must(name)
		m := derive.NewMachine(g, derive.Options{})
		texts := map[string]bool{}
		const n = 40 * graftGroup
		for i := range uint64(n) {
			var in, other input
			if err := f.at(t.Context(), i, &in); err != nil {
				t.Fatal(err)
			}
			if err := again.at(t.Context(), n-1-i, &other); err != nil {
				t.Fatal(err)
			}
			texts[string(in.text)] = true
			choices, err := f.choices(t.Context(), i)
			if err != nil {
				t.Fatal(err)
			}
			tree, err := m.Run(t.Context(), derive.Strict(choices))
			if i%graftEvery == 0 {
				tree, err = in.tree, nil
			}
			if err != nil || tree.Text() != string(in.text) {
				t.Fatalf("%s: the choices of %q give %v", name, in.text, err)
			}
			if size := derive.Size(tree, f.facts, grammar.Terminals); size > 40 {
				t.Fatalf("%s: %q has size %d", name, in.text, size)
			}
		}
		for i := range uint64(n) {
			var in, other input
			if err := f.at(t.Context(), n-1-i, &in); err != nil {
				t.Fatal(err)
			}
			if err := again.at(t.Context(), n-1-i, &other); err != nil || string(in.text) != string(other.text) {
				t.Fatalf("%s: place %d is %q and %q, %v", name, n-1-i, in.text, other.text, err)
			}
		}
		if len(texts) < n/3 {
			t.Errorf("%s: %d different texts of %d", name, len(texts), n)
		}
	}
}

// Where a part may not stand elsewhere there are no grafts.
func TestNoGrafts(t *testing.T) {
	if f := grafting(t, "assign", schedule.Options{}); f != nil {
		t.Error("grafts where names are in play")
	}
	if f := grafting(t, "expr", schedule.Options{Bound: count.Depth(8)}); f != nil {
		t.Error("grafts with a bound of depth")
	}
}

// A failure of a graft has the choices of its sentence, and is shrunk.
func TestFindsGrafts(t *testing.T) {
	o := options(t, fails(two))
	o.Grafts = true
	sum := run(t, "expr", o)
	got := texts(sum)
	if len(got) != 2 || len(got["deep"]) > 7 || len(got["zero"]) > 5 {
		t.Errorf("found %q", got)
	}
	for _, fd := range sum.Findings {
		if len(fd.Record.Choices) == 0 {
			t.Errorf("%s has no choices", fd.Signature)
		}
	}
}
