package w3c

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
		{"literals", `a ::= "\n" 'x"' #x41 "" '\'`, "a = (\"\\\\n\" \"x\\\"\" \"A\" \"\" \"\\\\\")\n"},
		{"classes", `a ::= [a-z#x20] [^'\] [#x9#xA-#xD] [+#x2D] [-a] [a-] [12] .`,
			"a = (['a'-'z'' '] [^'\\'''\\\\'] ['\\t''\\n'-'\\r'] ['+''-'] ['-''a'] ['a''-'] ['1''2'] [^])\n"},
		{"suffixes", `a ::= "x"? 'y'* (#x7A | b)+ b ::= [x]`, "a = (\"x\"{0,1} \"y\"{0,-1} (| \"z\" b){1,-1})\nb = ['x']\n"},
		{"difference", `a ::= b - 'x' c* - (c 'z') b - c - 'y' b ::= [a-z] c ::= b`,
			"a = ((- b \"x\") (- c{0,-1} (c \"z\")) (- (- b c) \"y\"))\nb = ['a'-'z']\nc = b\n"},
		{"numbers", "[1] a ::= b [12]\n[2a] b\n  ::= 'x'\n | [3]\n", "a = (b ['1''2'])\nb = (| \"x\" ['3'])\n"},
		{"comments", "/* a ::= */ a ::= 'x' /* ' */ // \"\n | 'y' # it's\n [ wfc: x ] (* b *) | 'z'", "a = (| \"x\" \"y\" \"z\")\n"},
		{"empty", "a ::= | 'x' | ()  b ::=", "a = (| () \"x\" ())\nb = ()\n"},
		{"bnf", "<a b> ::= <c> 'x' | <a b>\n<c> ::= 'y'", "a b = (| (c \"x\") a b)\nc = \"y\"\n"},
		{"terminals", "a ::= B c\n@terminals\nB ::= D\nc ::= 'c'\nD ::= 'd'\n@pass [#x20]+",
			"a = (B c)\ntoken B = D\ntoken c = \"c\"\nfragment D = \"d\"\nskip @pass = [' ']{1,-1}\n"},
		{"pass a rule", "a ::= B\n@terminals\nB ::= 'b'\nWS ::= ' '\n@pass WS", "a = B\ntoken B = \"b\"\nskip WS = \" \"\n"},
		{"rex", "a ::= ws^Token? B EOF / 'x'\nws ::= ws^Token /* ws: definition */\n<?TOKENS?>\nB ::= 'b' & 'c'\nws ::= ' '\nEOF ::= $\nB << 'x'\n<?ENCORE?> rest ((",
			"a = (| (ws{0,1} B EOF) \"x\")\ntoken B = \"b\"\nskip ws = \" \"\nEOF = ()\n"},
	})
}

func TestNotes(t *testing.T) {
	g, _ := Parse("f", []byte("a ::= B^c & 'x' /* ws: explicit */\n<?TOKENS?>\nB ::= 'b' $\nB << 'a'\nB >> 'x'\n<?ENCORE?>"))
	want := "f:4:3: note: preferences between tokens are not used; tokens are told apart by length, then by order\n" +
		"f:6:1: note: all that follows <?ENCORE?> is not used\n" +
		"f:1:11: note: lookahead (&) is not used\n" +
		"f:3:11: note: $, the end of the input, is read as the empty text"
	if diff := cmp.Diff(want, g.Ignored.Error()); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if !g.Rules[0].Glued {
		t.Error("ws: explicit is lost")
	}
	g, _ = Parse("f", []byte("a ::= B 'x' /* ws: explicit */\nB ::= 'b'"))
	if got, want := g.Ignored.Error(), "f:1:1: note: ws: explicit is not used: layout may stand between all tokens"; got != want || g.Rules[0].Glued {
		t.Errorf("without <?TOKENS?>: %s, want %s", got, want)
	}
}

func TestMalformed(t *testing.T) { notationtest.Malformed(t, Parse, 12) }

func TestPrintRoundTrip(t *testing.T) {
	src, err := os.ReadFile("testdata/json.ebnf")
	if err != nil {
		t.Fatal(err)
	}
	for _, src := range []string{string(src),
		"a ::= (\"x'\" '\"' #xA [^a-c#x5D]? . | [abcdef-g#x100-#x200]+)*",
		"a ::= B C?\n<?TOKENS?>\nB ::= [0-9]+\nC ::= [0-5]+ 'x'?\nWS ::= ' ' /* ws: definition */",
		"a ::= B C /* ws: explicit */\n<?TOKENS?>\nB ::= [0-9]+\nC ::= [0-5]+",
		"a ::= B ' ' B?\n@terminals\nB ::= C+ 'é'\nC ::= [0-9]\nWS ::= ' '\n@pass WS",
	} {
		g, _ := notationtest.Must(t, Parse, "a", []byte(src))
		notationtest.SameBack(t, Parse, Print, g, 10)
	}
}

// TestPrintGraph prints bounds and literals that must be written out.
func TestPrintGraph(t *testing.T) {
	var p grammar.Pos
	x := syntax.NewChoice(p, syntax.NewLit(p, "'\"\n"), syntax.NewLit(p, ""), syntax.NewLit(p, "\\"))
	read := &syntax.Grammar{Rules: []*syntax.Rule{{Name: "1 s", Body: syntax.NewSeq(p,
		syntax.NewRep(p, x, 2, 4), syntax.NewRep(p, syntax.NewLit(p, "y"), 2, -1), syntax.NewRep(p, x.Clone(), 0, 3), syntax.NewRep(p, x.Clone(), 2, 2))}}}
	g, ds := notationtest.Freeze(read)
	if ds.Err() != nil {
		t.Fatal(ds.Err())
	}
	notationtest.SameBack(t, Parse, Print, g, 10)
}

func TestPrintLosses(t *testing.T) {
	var p grammar.Pos
	lit := syntax.NewLit(p, "\xff")
	body := syntax.NewChoice(p, lit, syntax.NewLit(p, "x"))
	body.Weights = []int{1, 2}
	body.Children[1].Annotations = []grammar.Annotation{{Name: "define"}}
	read := &syntax.Grammar{Rules: []*syntax.Rule{{Name: "s", Body: body}}}
	g, ds := notationtest.Freeze(read)
	if ds.Err() != nil {
		t.Fatal(ds.Err())
	}
	_, lost := Print(g)
	var got []string
	for _, d := range lost {
		got = append(got, d.Code)
	}
	if diff := cmp.Diff([]string{"lost-weight", "lost-annotation", "lost-literal"}, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func FuzzParse(f *testing.F) {
	notationtest.FuzzPrinted(f, Parse, Print, "[1] a ::= 'x' - [^#x41-b]* | (b)? \n<?TOKENS?>\nb ::= $ & 'c' /* ws: definition */ b << 'x'", "a ::= [", "::= '", "a ::= (((", "@pass a @terminals a ::= b^c")
}
