package lark

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/load/internal/notation/notationtest"
)

func TestParse(t *testing.T) {
	notationtest.Shapes(t, Parse, []notationtest.Case{
		{"rules", "start: \"a\" b* | [b]\n// c\n   | ( \"x\" | b+ )? # d\n?b: \"b\"~2 \"c\"~1..3\n!_c:\n", "start = (| (\"a\" b{0,-1}) b{0,1} (| \"x\" b{1,-1}){0,1})\nb = (\"b\"{2,2} \"c\"{1,3})\n_c = ()\n"},
		{"terminals", "start: A B\nA: \"a\" | C\nB: C \"x\"..\"z\" /q+/\nC.2: \"c\"i", "start = (A B)\ntoken B = (['c''C'] ['x'-'z'] \"q\"{1,-1})\ntoken A = (| \"a\" ['c''C'])\n"},
		{"tokens without names", "start: /a+/ \"b\"i \"c\"..\"d\" /a+/", "start = (/a+/ \"b\"i \"c\"..\"d\" /a+/)\ntoken \"c\"..\"d\" = ['c'-'d']\ntoken \"b\"i = ['b''B']\ntoken /a+/ = \"a\"{1,-1}\n"},
		{"tokens without names, repeated", "start: /a+/* \"b\"i~2 /a+/", "start = (/a+/{0,-1} \"b\"i{2,2} /a+/)\ntoken \"b\"i = ['b''B']\ntoken /a+/ = \"a\"{1,-1}\n"},
		{"looks ahead", "start: A\nA: /a(?!b)c?(d(?!e))?(?!f)/", "start = A\ntoken A = (\"a\" (- (\"c\"{0,1} \"d\"{0,1}) (\"b\" [^]{0,-1})))\ntoken inline A (?!) = (| \"ab\" (\"a\" \"c\"{0,1} \"de\") (\"a\" \"c\"{0,1} \"d\"{0,1} \"f\"))\n"},
		{"strings", `start: "\"" "\\" "\n\x41" "\d" "'"`, "start = (\"\\\"\" \"\\\\\" \"\\nA\" \"\\\\d\" \"'\")\n"},
		{"layout", "start: \"a\"\nW: \" \"\n%ignore W\n%ignore /#.*/", "start = \"a\"\nskip W = \" \"\nskip /#.*/ = (\"#\" [^'\\n']{0,-1})\n"},
		{"templates", "start: list{\"a\", x} list{x, \",\"} list{\"a\", x}\nlist{e, s}: e (s e)* opt{e}\nopt{y}: [y]\nx: \"x\"",
			"start = (list{\"a\",x} list{x,\",\"} list{\"a\",x})\nx = \"x\"\nlist{\"a\",x} = (\"a\" (x \"a\"){0,-1} opt{\"a\"})\nlist{x,\",\"} = (x (\",\" x){0,-1} opt{x})\nopt{\"a\"} = \"a\"{0,1}\nopt{x} = x{0,1}\n"},
		{"library", "start: INT ESC\n%import common.INT\n%import common (DIGIT, LETTER)\n%import common.ESCAPED_STRING -> ESC",
			"start = (INT ESC)\ntoken ESC = (\"\\\"\" (| [^'\\n''\"''\\\\'] (\"\\\\\" [^'\\n'])){0,-1} \"\\\"\")\ntoken INT = ['0'-'9']{1,-1}\n"},
		{"extend and override", "start: a b\na: \"a\"\nb: \"b\"\n%extend a: \"c\"\n%override b: \"d\"", "start = (a b)\na = (| \"a\" \"c\")\nb = \"d\"\n"},
		{"indentation", "start: (_NL | tree)*\ntree: \"a\" _NL [_IN_INDENT tree+ _DEDENT]\n%declare _IN_INDENT _DEDENT\n_NL: /\\n[\\t ]*/",
			"start = tree{0,-1}\ntree = (\"a\" _NL (_IN_INDENT tree{1,-1} _DEDENT){0,1})\ntoken _NL = (\"\\n\" ['\\t'' ']{0,-1})\ntoken _IN_INDENT = \"\\x0e\"\ntoken _DEDENT = \"\\x0f\"\n"},
		{"declared", "start: a _IN\na: \"a\"\n%declare _IN _OUT", "start = (a _IN)\na = \"a\"\n"},
		{"order", "start: S R L P\nR: /a+/\nL: /abc+d/\nS: \"s\"\nP.1: /p/", "start = (S R L P)\ntoken P = \"p\"\ntoken S = \"s\"\ntoken L = (\"ab\" \"c\"{1,-1} \"d\")\ntoken R = \"a\"{1,-1}\n"},
	})
}

// TestFacts checks that tokens have their priorities, that aliases become labels, and that the rule
// start is the start.
func TestFacts(t *testing.T) {
	g, ds := Parse("f", []byte("x.2: \"x\"\nstart: \"a\" -> first\n  | T\nT.-3: /t+?/\n"))
	if ds.Err() != nil {
		t.Fatal(ds.Err())
	}
	last := g.Rules[len(g.Rules)-1]
	got := []any{g.Entry, g.ContextLexing, g.Rules[1].Body.Labels, last.Name, last.Priority, last.Body.Lazy, g.Ignored.Error()}
	want := []any{"start", true, []string{"first", ""}, "T", -3, true, "f:1:1: note: not kept: priorities of rules (1); they choose among trees; all trees count here"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

// TestImports checks that imported rules get Lark's names, also through imports of imports.
func TestImports(t *testing.T) {
	files := fstest.MapFS{}
	for name, src := range map[string]string{
		"main.lark":     "start: x Y z\n%import .dir.ab.x\n%import .dir.ab (Y)\n%import .dir.ab.z -> z\n%extend x: \"m\"\n",
		"dir/ab.lark":   "x: _h y\n_h: \"h\"\ny: T z\nz: Y\nY: T \"y\"\n%import .c.T\n%ignore T",
		"dir/c.lark":    "T: U \"t\"\nU: \"u\"",
		"circle.lark":   "start: a\n%import .circle2.a",
		"circle2.lark":  "a: start \"x\"\n%import .circle.start",
		"missing.lark":  "start: a b\n%import .nowhere.a\n%import .dir.c.V -> b",
		"rename.lark":   "start: n\n%import .dir.ab.x -> n",
		"template.lark": "start: pair{X}\nX: \"x\"\n%import .lib.pair",
		"lib.lark":      "pair{e}: e sep e\nsep: \",\"",
	} {
		files[name] = &fstest.MapFile{Data: []byte(src)}
	}
	for name, want := range map[string]string{
		"main.lark":     "start = (x Y z)\nx = (| (_dir__ab__h dir__ab__y) \"m\")\nz = Y\n_dir__ab__h = \"h\"\ndir__ab__y = (dir__ab__T z)\ntoken Y = \"uty\"\ntoken dir__ab__T = \"ut\"\n",
		"rename.lark":   "start = n\nn = (_dir__ab__h dir__ab__y)\n_dir__ab__h = \"h\"\ndir__ab__y = (dir__ab__T dir__ab__z)\ndir__ab__z = dir__ab__Y\ntoken dir__ab__Y = \"uty\"\ntoken dir__ab__T = \"ut\"\n",
		"template.lark": "start = pair{X}\npair{X} = (X lib__sep X)\nlib__sep = \",\"\ntoken X = \"x\"\n",
	} {
		g, ds := Load(files, name, "d")
		if ds.Err() != nil {
			t.Errorf("%s: %v", name, ds.Err())
			continue
		}
		if diff := cmp.Diff(want, notationtest.Shape(g)); diff != "" {
			t.Errorf("%s: -want +got\n%s", name, diff)
		}
	}
	for name, want := range map[string]string{
		"missing.lark": "d/missing.lark:2:9: the imported file d/nowhere.lark is not found; put nowhere.lark beside the grammar\nd/missing.lark:3:9: dir/c.lark defines no \"V\"; check its name",
		"none.lark":    "d/none.lark: open none.lark: file does not exist; check the path",
	} {
		_, ds := Load(files, name, "d")
		if diff := cmp.Diff(want, ds.Error()); diff != "" {
			t.Errorf("%s: -want +got\n%s", name, diff)
		}
	}
	if _, ds := Load(files, "circle.lark", ""); len(ds) > 1 {
		t.Errorf("imports in a circle: %v", ds)
	}
}

// TestReported checks that a terminal without an automaton gives a warning, and that the rest of
// the file is read.
func TestReported(t *testing.T) {
	g, ds := Parse("f", []byte("start: A | B\nA: /(a)\\1/\nB: /b(?=c)/"))
	want := "f:2:1: warning: in the terminal A: a reference to a group has no automaton; say in a companion file what the token's texts are\n" +
		"f:3:1: note: in the terminal B: a look ahead or behind is not kept: it looks out of its part of the token"
	if diff := cmp.Diff(want, ds.Error()); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if len(g.Rules) != 2 || g.Rules[1].Kind != grammar.Token {
		t.Errorf("%d rules", len(g.Rules))
	}
}

func TestMalformed(t *testing.T) { notationtest.Malformed(t, Parse, 25) }

func FuzzParse(f *testing.F) {
	notationtest.FuzzPrinted(f, Parse, nil, "start: a{\"x\", T} | [b]~2..3 -> c\na{y, z}: y (z y)*\n?b.2: \"b\"i\nT.1: \"t\" /(?!x)u*?/i \"a\"..\"z\"\n%ignore T\n%import common (INT, WS)\n%declare X\n%extend b: \"c\"\n%override T: \"q\" INT",
		"a{x}: a{a{x}}\nstart: a{\"y\"}", "A: B\nB: A\nstart: A", "start: A \"0\"\nB: /(?!)/\nC: /0*?/\n%ignore B\n%ignore C\n%ignore /(?=a)b/", "start: "+strings.Repeat("(", 500), "T: U~9~9\n%import .x.y")
}
