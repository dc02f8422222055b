package goebnf

import (
	"testing"

	"github.com/gramfuzz/gramfuzz/load/internal/notation/notationtest"
)

const layout = "skip white_space = ['\\t'-'\\n''\\r'' ']{1,-1}\n"

func TestParse(t *testing.T) {
	notationtest.Shapes(t, Parse, []notationtest.Case{
		{"operators", "a = \"x\" [ \"y\" ] { \"z\" } ( \"v\" | `\\w` ) .", "a = (\"x\" \"y\"{0,1} \"z\"{0,-1} (| \"v\" \"\\\\w\"))\n"},
		{"escapes and ranges", `a = "\n\"é\u00e9" "a" … "z" "\u03b1" … "ω" .`, "a = (\"\\n\\\"éé\" ['a'-'z'] ['α'-'ω'])\n"},
		{"empty", "a = . b = [ a ] .", "b = a{0,1}\na = ()\n"},
		{"levels", "A = b \"+\" A . b = c { c } . c = \"1\" .", "A = (b \"+\" A)\ntoken b = (c c{0,-1})\nfragment c = \"1\"\n" + layout},
		{"start", "A = b . B = A . b = \"1\" .", "B = A\nA = b\ntoken b = \"1\"\n" + layout},
		{"own layout", "A = b . b = \"1\" . white_space = \" \" .", "A = b\ntoken b = \"1\"\nfragment white_space = \" \"\n"},
		{"comments", "// a\na = /* b */ \"x\" // .\n .", "a = \"x\"\n"},
		{"prose", "newline = /* U+000A */ . a = newline x . x = /* any\n thing */ .", "a = (newline x)\nnewline = \"\\n\"\nx = /* any thing */\n"},
	})
}

// TestUnicodeClasses checks the classes of the specification's prose rules, and that they generate
// only characters of the alphabet.
func TestUnicodeClasses(t *testing.T) {
	g, _ := notationtest.Must(t, Parse, "f", []byte("a = unicode_letter unicode_digit . unicode_letter = /* L */ . unicode_digit = /* Nd */ ."))
	letter, digit := g.Rule("unicode_letter").Body, g.Rule("unicode_digit").Body
	for r, want := range map[rune]bool{'a': true, 'é': true, '界': true, '1': false, '_': false} {
		if letter.Set.Has(r) != want {
			t.Errorf("letter %q: %v, want %v", r, !want, want)
		}
	}
	if letter.Gen.Len() != 52 || digit.Gen.Len() != 10 || !digit.Set.Has('٣') {
		t.Errorf("%d letters and %d digits are generated, want 52 and 10", letter.Gen.Len(), digit.Gen.Len())
	}
}

func TestMalformed(t *testing.T) { notationtest.Malformed(t, Parse, 12) }

func TestJSON(t *testing.T) {
	if _, ds := notationtest.File(t, Parse, "testdata/json.ebnf"); len(ds) > 0 {
		t.Error(ds)
	}
}

func FuzzParse(f *testing.F) {
	notationtest.FuzzPrinted(f, Parse, nil, "A = b [ \"x\" … \"z\" ] { `q` } . b = /* p */ .", "= .", "a = \"\\q\" .", "a = (((", "A = b . b = A .")
}
