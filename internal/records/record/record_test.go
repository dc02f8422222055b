package record

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/mutate"
)

// TestRecord checks that a record has the tree's size in the unit of its bound, and that its
// edits turn the tree's text into the damaged one.
func TestRecord(t *testing.T) {
	g := grammars.Must("expr")
	tree, err := derive.NewMachine(g, derive.Options{}).Run(t.Context(), derive.Replay([]int{1, 0, 1, 0}))
	if err != nil {
		t.Fatal(err)
	}
	facts := g.Facts(nil, grammar.Structure)
	for _, test := range []struct {
		bound count.Bound
		want  derive.BoundRef
		unit  grammar.Unit
	}{
		{count.Depth(5), derive.BoundRef{Depth: 5, Repeat: count.DefaultRepeat}, grammar.Terminals},
		{count.Bound{Depth: 5, Repeat: 2}, derive.BoundRef{Depth: 5, Repeat: 2}, grammar.Terminals},
		{count.Size(9, grammar.Bytes), derive.BoundRef{Min: 9, Max: 9, Unit: "bytes"}, grammar.Bytes},
		{count.Sizes(0, 9, grammar.Nodes), derive.BoundRef{Max: 9, Unit: "nodes"}, grammar.Nodes},
	} {
		got := New("v1", derive.GrammarRef{Name: "expr"}, test.bound, grammar.Structure)
		SetTree(&got, tree, facts)
		text := tree.AppendText(nil)
		damaged := append(text[:1:1], "@@"...)
		SetText(&got, damaged)
		want := derive.Record{
			Gramfuzz: "v1", Grammar: derive.GrammarRef{Name: "expr"}, Bound: test.want, Measure: "structure",
			Choices: tree.Choices(), Text: damaged, Edits: mutate.Edits(text, damaged),
			Depth: derive.Depth(tree, facts), Size: derive.Size(tree, facts, test.unit),
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%v (-want +got):\n%s", test.bound, diff)
		}
	}
}

// TestSetText checks that an unchanged text has no edits.
func TestSetText(t *testing.T) {
	rec := derive.Record{Text: []byte("a"), Edits: []derive.Edit{{Delete: 1}}}
	SetText(&rec, []byte("a"))
	if len(rec.Edits) > 0 {
		t.Errorf("edits %v", rec.Edits)
	}
}

// TestBounds: each bound is read as it was written, no bound too.
func TestBounds(t *testing.T) {
	for _, b := range []count.Bound{
		{}, {Depth: 3, Repeat: 2}, count.Size(0, grammar.Terminals), count.Size(0, grammar.Bytes), count.Size(0, grammar.Nodes),
		count.Sizes(0, 7, grammar.Terminals), count.Sizes(2, 9, grammar.Nodes),
	} {
		if got, err := ParseBound(Bound(b)); err != nil || got != b {
			t.Errorf("%+v is read as %+v, %v", b, got, err)
		}
	}
}
