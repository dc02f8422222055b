package jsong

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/load/internal/notation/notationtest"
	"github.com/gramfuzz/gramfuzz/load/internal/syntax"
)

func TestParse(t *testing.T) {
	notationtest.Shapes(t, Parse, []notationtest.Case{
		{"strings", `{"<start>": ["a<b>c", "<b><b>", ""], "<b>": ["< b>"]}`,
			"start = (| (\"a\" b \"c\") (b b) \"\")\nb = \"< b>\"\n"},
		{"lists", `{"<start>": [["a", "<b>", "<x>"], []], "<b>": [["\u0001"]]}`,
			"start = (| (\"a\" b \"<x>\") ())\nb = \"\\x01\"\n"},
		{"bare keys", `{"A": [["x", "B"]], "B": [["A "]]}`, "A = (\"x\" B)\nB = \"A \"\n"},
		{"clash", `{"A": [["<A>"]], "<A>": [["x"]]}`, "A = <A>\n<A> = \"x\"\n"},
		{"start first", `{"<a>": ["a"], "<start>": ["<a>"]}`, "start = a\na = \"a\"\n"},
		{"wrapper", `{"[start]": "<b>", "[grammar]": {"<a>": ["a"], "<b>": ["<a>"]}}`, "b = a\na = \"a\"\n"},
		{"undefined", `{"<start>": ["x", "<y>"]}`, "start = (| \"x\" <y>)\n"},
	})
}

func TestWeights(t *testing.T) {
	g, ds := Parse("f", []byte(`{"<start>": [["a", {"prob": 0.5, "post": "f"}], "b", [["c"], {"prob": 0.1}], ["d", {"prob": null}]]}`))
	if ds.Err() != nil {
		t.Fatal(ds.Err())
	}
	if diff := cmp.Diff([]int{5, 2, 1, 2}, g.Rules[0].Body.Weights); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	want := `f:1:34: note: the option "post" is not used`
	if diff := cmp.Diff(want, g.Ignored.Error()); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	frozen, ds := notationtest.Freeze(g)
	if ds.Err() != nil {
		t.Fatal(ds.Err())
	}
	text, lost := Print(frozen)
	back, ds := Parse("b", []byte(text))
	if ds.Err() != nil || len(lost) > 0 {
		t.Fatal(ds, lost)
	}
	if diff := cmp.Diff(g.Rules[0].Body.Weights, back.Rules[0].Body.Weights); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestPositions(t *testing.T) {
	g, ds := Parse("f.json", []byte("{\n \"<start>\": [\n  \"é<b>\",\n  \"\\u0041<b>\"],\n \"<b>\": [[\"x\"]]}"))
	if ds.Err() != nil {
		t.Fatal(ds.Err())
	}
	got := []grammar.Pos{g.Rules[0].Pos, g.Rules[0].Body.Children[0].Children[1].Pos, g.Rules[0].Body.Children[1].Children[1].Pos, g.Rules[1].Body.Pos}
	want := []grammar.Pos{{File: "f.json", Line: 2, Col: 2}, {File: "f.json", Line: 3, Col: 5}, {File: "f.json", Line: 4, Col: 3}, {File: "f.json", Line: 5, Col: 11}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestMalformed(t *testing.T) { notationtest.Malformed(t, Parse, 12) }

func TestPrintRoundTrip(t *testing.T) {
	g, _ := notationtest.File(t, Parse, "testdata/json.json")
	notationtest.SameBack(t, Parse, Print, g, 12)
}

// TestPrintGraph prints operators that this notation does not have.
func TestPrintGraph(t *testing.T) {
	var p grammar.Pos
	x := func() *syntax.Expr {
		return syntax.NewChoice(p, syntax.NewLit(p, "<y>"), syntax.NewClass(p, false, grammar.Range{Lo: 'a', Hi: 'é'}))
	}
	read := &syntax.Grammar{Rules: []*syntax.Rule{
		{Name: "s", Body: syntax.NewSeq(p, syntax.NewRep(p, x(), 2, 4), syntax.NewRep(p, syntax.NewRef(p, "y"), 1, -1),
			syntax.NewRep(p, syntax.NewSeq(p, syntax.NewRef(p, "y"), syntax.NewRep(p, x(), 0, 1)), 0, 2))},
		{Name: "y", Body: syntax.NewChoice(p, syntax.NewLit(p, "\x01\""), syntax.NewRep(p, x(), 1, 1))},
	}}
	g, ds := notationtest.Freeze(read)
	if ds.Err() != nil {
		t.Fatal(ds.Err())
	}
	notationtest.SameBack(t, Parse, Print, g, 12)
}

func FuzzParse(f *testing.F) {
	notationtest.FuzzPrinted(f, Parse, Print, `{"<start>": ["a<b>", ["x", {"prob": 0.5}]], "<b>": [["<b>", "<c>"], []]}`, `{"<a>": ["b",`+strings.Repeat(`",",`, 60)+`["x", {"prob": 0.5}]]}`, `{"[start]": "<x>", "[grammar]": {"<x>": [""]}}`, `{"`, `{"<a>": [[[]]]}`)
}
