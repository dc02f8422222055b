package iso

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gramfuzz/gramfuzz/load/internal/notation/notationtest"
)

func TestParse(t *testing.T) {
	notationtest.Shapes(t, Parse, []notationtest.Case{
		{"literals", `a = "\n", 'x"', ‘y’;`, "a = (\"\\\\n\" \"x\\\"\" \"y\")\n"},
		{"brackets", `a = ["x"], {"y"}, ("z" | "w"), (/ "u" /), (: "v" :).`,
			"a = (\"x\"{0,1} \"y\"{0,-1} (| \"z\" \"w\") \"u\"{0,1} \"v\"{0,-1})\n"},
		{"times", `a = 3 * "x", 0 * [ "y" ];`, "a = (\"x\"{3,3} \"y\"{0,1}{0,0})\n"},
		{"exceptions", `a = b - "x", {b}-, c; b = "y"; c = "z" - ("z" | b);`,
			"a = ((- b \"x\") b{1,-1} c)\nb = \"y\"\nc = (- \"z\" (| \"z\" b))\n"},
		{"blanks in names", "a b = long  name | x; long\nname = \"1\"; x = ;", "a b = (| long name x)\nlong name = \"1\"\nx = ()\n"},
		{"no commas", "a = b c \"x\" [b] c d; b = 'b'; c d = 'c'; c = 'c';", "a = (b c \"x\" b{0,1} c d)\nb = \"b\"\nc d = \"c\"\nc = \"c\"\n"},
		{"empty", "a = | \"x\" | ;", "a = (| () \"x\" ())\n"},
		{"comments", "(* a (* b *) = *) a = (* ; *) \"x\" ; (* end *)", "a = \"x\"\n"},
		{"special", "a = ? some\n character ? | 'x' | ? any character ?;", "a = (| ? some character ? \"x\" [^])\n"},
		{"spellings", "a ::= 'x' / 'y' ! 'z'; b := 'w' ;", "a = (| \"x\" \"y\" \"z\")\nb = \"w\"\n"},
	})
}

func TestWarnings(t *testing.T) {
	_, ds := Parse("f.ebnf", []byte("\ufeffa = b c, ? x ?,\n '\\'; b = 'b'; c = 'c';"))
	want := "f.ebnf:1:5: warning: rule \"b c\" is not defined, so this is read as 2 rules in a row; write a comma between them\n" +
		"f.ebnf:1:10: warning: ? x ? is prose: nothing can be generated for it; say what it means in a companion file\n" +
		"f.ebnf:2:2: note: a backslash stands for itself in ISO 14977, here and everywhere in the file"
	if diff := cmp.Diff(want, ds.Error()); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestMalformed(t *testing.T) { notationtest.Malformed(t, Parse, 12) }

func TestJSON(t *testing.T) {
	if _, ds := notationtest.File(t, Parse, "testdata/json.ebnf"); len(ds) > 1 { // only the note about backslashes
		t.Error(ds)
	}
}

func FuzzParse(f *testing.F) {
	notationtest.FuzzPrinted(f, Parse, nil, "a b = 2 * 'x' - (b c), {d}- | ? x ?; (* (* *) *) b = [", "= ;", "a = (* ", "a = (/ 'x' /).", "a=b;b=a;")
}
