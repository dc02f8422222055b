package abnf

import (
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/load/internal/notation/notationtest"
)

func TestParse(t *testing.T) {
	notationtest.Shapes(t, Parse, []notationtest.Case{
		{"folding", `a = "x-Y" %i"b" %s"Cd" ""`, "a = ((['x''X'] \"-\" ['Y''y']) ['b''B'] \"Cd\" \"\")\n"},
		{"values", "a = %x41 %d66 %b1000011 %x0D.0A %x30-39", "a = (\"A\" \"B\" \"C\" \"\\r\\n\" ['0'-'9'])\n"},
		{"repetition", `a = *"1" 1*"2" *3"4" 2"5" 2*3"6" ["7"]`,
			"a = (\"1\"{0,-1} \"2\"{1,-1} \"4\"{0,3} \"5\"{2,2} \"6\"{2,3} \"7\"{0,1})\n"},
		{"more alternatives", "a = \"1\"\nb = \"2\"\nA =/ \"3\" / \"4\"", "a = (| \"1\" \"3\" \"4\")\nb = \"2\"\n"},
		{"names fold", "Ab = aB / <AB> \"1\"", "Ab = (| Ab (Ab \"1\"))\n"},
		{"core", "a = digit CrLf", "a = (DIGIT CRLF)\nDIGIT = ['0'-'9']\nCRLF = (CR LF)\nCR = \"\\r\"\nLF = \"\\n\"\n"},
		{"core redefined", "a = wsp\nsp = \"_\"", "a = WSP\nsp = \"_\"\nWSP = (| sp HTAB)\nHTAB = \"\\t\"\n"},
		{"octets", "a = %xFE-FF %xC3.A9", "a = (%xFE-FF \"é\")\ninline %xFE-FF = (| \"\\xfe\" \"\\xff\")\n"},
		{"code points", "a = %xFE-FF %xC3.A9 %x100", "a = (['þ'-'ÿ'] \"Ã©\" \"Ā\")\n"},
		{"lines", "  a = \"1\" ; c\r\n\n / \"2\"\r\n  b =\n\"3\"", "a = (| \"1\" \"2\")\nb = \"3\"\n"},
		{"list", "a = 1#2b\nb=\"1\"", "a = (b ([' ''\\t']{0,-1} \",\" [' ''\\t']{0,-1} b){0,1})\nb = \"1\"\n"},
		{"prose", "a = \"1\" / <any CHAR>", "a = (| \"1\" <any CHAR>)\n"},
	})
}

func TestProseIsReported(t *testing.T) {
	_, ds := Parse("f.abnf", []byte("a = \"1\" /\n <any CHAR> / <a>"))
	want := grammar.Diagnostics{{Severity: grammar.Warning, Pos: grammar.Pos{File: "f.abnf", Line: 2, Col: 2}, Code: "prose", Rule: "<any CHAR>",
		Message: "<any CHAR> is prose: nothing can be generated for it", Hint: "say what it means in a companion file"}}
	if diff := cmp.Diff(want, ds); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestDefinedAgain(t *testing.T) {
	g, ds := Parse("f.abnf", []byte("a = \"1\" b\nb = \"2\"\nA = \"1\" B\nb = \"3\""))
	want := "f.abnf:3:1: warning: rule \"A\" is defined again, and alike (first at f.abnf:1:1); remove one definition\n" +
		"f.abnf:4:1: warning: rule \"b\" is defined again, differently (first at f.abnf:2:1); this definition is not used; write =/ to add alternatives, or rename one"
	if diff := cmp.Diff(want, ds.Error()); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if diff := cmp.Diff("a = (\"1\" b)\nb = \"2\"\n", notationtest.Shape(g)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

// TestOctets counts the byte strings of OCTET: all 256 of them.
func TestOctets(t *testing.T) {
	g, _ := notationtest.Must(t, Parse, "f", []byte("a = 2OCTET"))
	if n := notationtest.Counts(g, 2)[2]; n.Int64() != 65536 {
		t.Errorf("%v texts of two bytes, want 65536", n)
	}
}

func TestMalformed(t *testing.T) { notationtest.Malformed(t, Parse, 12) }

func TestPrintRoundTrip(t *testing.T) {
	src, err := os.ReadFile("testdata/json.abnf")
	if err != nil {
		t.Fatal(err)
	}
	for _, src := range []string{string(src),
		"a = 2*4(\"a\" / %s\"b\") *3ALPHA [CRLF] 2x 1*y\nx = *1\"1\"\ny = %x22.41 / \"\"",
		"a = *OCTET / %xE9 %x80-C0 %x00-FF / %xC3.A9",
		"a = %xE9-100 / %x1F600 \"é\" / *%x0-10",
	} {
		g, _ := notationtest.Must(t, Parse, "a", []byte(src))
		notationtest.SameBack(t, Parse, Print, g, 10)
	}
}

func FuzzParse(f *testing.F) {
	notationtest.FuzzPrinted(f, Parse, Print, "a = 1*2\"x\" / [%x30-39] <p>\r\na =/ (%d65.66 ALPHA)\n", "a = (", "=/ \"", "a = 1#2a %xFFFFFFFFFF", "a = OCTET %b1-0")
}

// TestBar checks that a bar is read as a slash, with one note per file.
func TestBar(t *testing.T) {
	g, ds := Parse("a.abnf", []byte("a = \"x\" | b\nb = \"y\" | \"|\"\n"))
	if err := ds.Err(); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, d := range g.Ignored {
		got = append(got, d.Pos.String()+" "+d.Code)
	}
	if diff := cmp.Diff([]string{"a.abnf:1:9 bar"}, got); diff != "" {
		t.Errorf("notes (-want +got):\n%s", diff)
	}
}
