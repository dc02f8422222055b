package gbnf

import (
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/load/internal/notation/notationtest"
	"github.com/gramfuzz/gramfuzz/load/internal/syntax"
)

func TestParse(t *testing.T) {
	notationtest.Shapes(t, Parse, []notationtest.Case{
		{"literal", `root ::= "a\n\"\\\x41é\U0001F600"`, "root = \"a\\n\\\"\\\\Aé😀\"\n"},
		{"class", `root ::= [^a-c\]\x2Dx-]`, "root = [^'a'-'c'']''-''x''-']\n"},
		{"suffixes", `root ::= "a"* "b"+ "c"? "d"{2} "e"{2,} "f"{2,3} "g"{,3}`,
			"root = (\"a\"{0,-1} \"b\"{1,-1} \"c\"{0,1} \"d\"{2,2} \"e\"{2,-1} \"f\"{2,3} \"g\"{0,3})\n"},
		{"empty alternative", "root ::= ws\nws ::= | \" \" ws", "root = ws\nws = (| () (\" \" ws))\n"},
		{"any and group", `root ::= (. | "x") y-1` + "\n# c\ny-1 ::= \"y\"", "root = ((| [^] \"x\") y-1)\ny-1 = \"y\"\n"},
		{"root first", "a ::= \"a\"\nroot ::= a\nb ::= a", "root = a\na = \"a\"\nb = a\n"},
		{"model token", `root ::= <think> "x"`, "root = (\"<think>\" \"x\")\n"},
		{"lines", "root ::= \"a\" |\n  \"b\"\n  | \"c\"", "root = (| \"a\" \"b\" \"c\")\n"},
	})
}

func TestPositions(t *testing.T) {
	g, ds := Parse("f.gbnf", []byte("root ::= \"é\" [a]\n  | x+\n"))
	if ds.Err() != nil {
		t.Fatal(ds.Err())
	}
	got := map[string]grammar.Pos{}
	g.Rules[0].Body.Walk(func(e *syntax.Expr) { got[e.Op.String()] = e.Pos })
	want := map[string]grammar.Pos{
		"choice": {File: "f.gbnf", Line: 1, Col: 10}, "sequence": {File: "f.gbnf", Line: 1, Col: 10},
		"literal": {File: "f.gbnf", Line: 1, Col: 10}, "class": {File: "f.gbnf", Line: 1, Col: 14},
		"repetition": {File: "f.gbnf", Line: 2, Col: 5}, "reference": {File: "f.gbnf", Line: 2, Col: 5},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestMalformed(t *testing.T) { notationtest.Malformed(t, Parse, 12) }

func TestPrintRoundTrip(t *testing.T) {
	src, err := os.ReadFile("testdata/json.gbnf")
	if err != nil {
		t.Fatal(err)
	}
	for _, src := range []string{string(src),
		"root ::= \"\\\"\" [^\"\\\\] | [\\]\\x2D^-a\\n\\[] . \"é\\U0001F600\\x01\"",
		"root ::= (\"a\" | \"b\"){2,4} (\"c\" \"d\"?)* x{3} y{1,}\nx ::= \"x\"? | \"\"\ny ::= [a-c]{0,2}",
	} {
		g, _ := notationtest.Must(t, Parse, "a", []byte(src))
		notationtest.SameBack(t, Parse, Print, g, 12)
	}
}

func FuzzParse(f *testing.F) {
	notationtest.FuzzPrinted(f, Parse, Print, "root ::= \"a\" [^b-c]* (x | y{2,3})?\nx ::= .\ny ::= <t>", "root ::= [", "::= \"", "a ::= (((", "root ::= \"\\x4\"")
}

// TestNoRoot checks that a note names the start rule if no rule is called root.
func TestNoRoot(t *testing.T) {
	g, ds := Parse("a.gbnf", []byte("a ::= \"x\"\nb ::= a\n"))
	if err := ds.Err(); err != nil {
		t.Fatal(err)
	}
	if len(g.Ignored) != 1 || g.Ignored[0].Code != "no-root" || g.Ignored[0].Severity != grammar.Note {
		t.Errorf("notes: %v; want one, that no rule is called root", g.Ignored)
	}
}
