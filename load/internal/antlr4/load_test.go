package antlr4

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/testing/blind"
	"github.com/gramfuzz/gramfuzz/load/internal/notation/notationtest"
)

func files(pairs ...string) fstest.MapFS {
	fsys := fstest.MapFS{}
	for i := 0; i < len(pairs); i += 2 {
		fsys[pairs[i]] = &fstest.MapFile{Data: []byte(pairs[i+1])}
	}
	return fsys
}

// split returns a grammar in two files that import others. The imported names differ from the file
// names in case.
func split() fstest.MapFS {
	return files(
		"x/TParser.g4", "parser grammar TParser; import Base; options { tokenVocab = TLEXER; } s : a '+' ; a : A ;",
		"x/base.g4", "parser grammar Base; import Deep; a : never ; b : A ;",
		"x/Deep.g4", "parser grammar Deep; import Base; b : never ; c : ~A ;",
		"x/TLexer.g4", "lexer grammar TLexer; options { caseInsensitive = true; } import Common; A : 'a' ; PLUS : '+' ;",
		"x/Common.g4", "lexer grammar Common; options { caseInsensitive = false; } A : 'never' ; WS : 'w' -> skip ;",
		"x/notes.txt", "no grammar")
}

const splitGraph = `rule s = (a PLUS)
rule a = A
rule b = A
rule c = ~A
token A = ['a' 'A']
token PLUS = "+"
skip WS = ['w' 'W'] -> skip()
rule inline ~A = PLUS
`

func TestLoad(t *testing.T) {
	alone := files("TParser.g4", "parser grammar TParser; s : A ;", "TLexer.g4", "lexer grammar TLexer; A : 'a' ;")
	tests := []struct {
		name string
		fsys fstest.MapFS
		path string
		want string // the graph, or a line of the messages
	}{
		{"a file with its lexer and imports", split(), "x/TParser.g4", splitGraph},
		{"a folder", split(), "x", splitGraph},
		{"the namesake lexer", alone, "TParser.g4", "rule s = A\ntoken A = \"a\"\n"},
		{"a lexer by itself", alone, "TLexer.g4", "token A = \"a\"\n"},
		{"the folder's namesake", files("v/V.g4", "grammar V; v : 'v' ;", "v/W.g4", "grammar W; w : 'w' ;"), "v", "rule v = \"v\"\n"},
		{"the one with a lexer", files("v/AParser.g4", "parser grammar AParser; options { tokenVocab = BLexer; } a : B ;",
			"v/BParser.g4", "parser grammar BParser; options { tokenVocab = BLexer; } b : B ;",
			"v/BLexer.g4", "lexer grammar BLexer; B : 'b' ;"), "v", "rule b = B\ntoken B = \"b\"\n"},
		{"several grammars", files("v/A.g4", "grammar A; a : 'a' ;", "v/B.g4", "grammar B; b : 'b' ;"), "v",
			"dir/v: the folder holds several grammars: A.g4, B.g4; name one of these files, as in -g dir/v/A.g4"},
		{"an empty folder", files("v/x.txt", ""), "v", "dir/v: the folder holds no .g4 file; name a grammar file"},
		{"no such file", files(), "v.g4", "dir/v.g4: file does not exist; check the path"},
		{"no such lexer", files("P.g4", "parser grammar P;\noptions { tokenVocab = L; } a : A ;"), "P.g4",
			`dir/P.g4:2:11: the lexer of this parser grammar, "L" is not found; put L.g4 into the same folder, or one beside it`},
		{"no such import", files("P.g4", "grammar P;\nimport Q; a : 'a' ;"), "P.g4",
			`dir/P.g4:2:8: the imported grammar "Q" is not found; put Q.g4 into the same folder, or one beside it`},
		{"a mistake in the lexer", files("P.g4", "parser grammar P; options { tokenVocab = L; } a : A ;", "L.g4", "lexer grammar L; A : ' ;"), "P.g4",
			`dir/L.g4:1:22: the literal is not closed on its line; close it with '; a quote inside is written \'`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g, ds := Load(tt.fsys, tt.path, "dir")
			got := ""
			if err := ds.Err(); err != nil {
				got = err.Error()
			} else {
				got = show(g)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestSHA256 checks that the hash covers every file.
func TestSHA256(t *testing.T) {
	g, _ := Load(split(), "x", "")
	fsys := split()
	fsys["x/Deep.g4"].Data = append(fsys["x/Deep.g4"].Data, ' ')
	h, _ := Load(fsys, "x", "")
	if len(g.SHA256) != 64 || g.SHA256 == h.SHA256 {
		t.Errorf("hashes %q and %q", g.SHA256, h.SHA256)
	}
}

// large returns a grammar with n rules, half of them lexer rules, similar to the large SQL
// grammars.
func large(n int) []byte {
	var b strings.Builder
	b.WriteString("grammar Large;\n")
	for i := range n / 2 {
		fmt.Fprintf(&b, "rule_%d\n    : K%d (id_%d+=rule_%d (',' rule_%d)* | '(' rule_%d? ')') # L%d\n    | {this.ok()}? K%d ~(K0 | K1) EOF?\n    ;\n",
			i, i, i, (i+1)%(n/2), (i*7)%(n/2), (i*3)%(n/2), i, (i*5)%(n/2))
	}
	for i := range n - n/2 {
		fmt.Fprintf(&b, "K%d options { caseInsensitive = true; } : 'KEYWORD_%d' | [a-z_]+ '%d' ; // a comment\n", i, i, i)
	}
	return []byte(b.String())
}

// TestLargeLoads loads a grammar as large as the largest known one, and bounds the allocations.
func TestLargeLoads(t *testing.T) {
	const rules, perRule, perRuleFrozen = 3700, 300, 600
	src := large(rules)
	if n := testing.AllocsPerRun(1, func() { Parse("Large.g4", src) }); n > perRule*rules {
		t.Errorf("%.0f allocations, want at most %d a rule", n, perRule)
	}
	n := testing.AllocsPerRun(1, func() {
		g, ds := Parse("Large.g4", src)
		_, more := notationtest.Freeze(g)
		if err := append(ds, more...).Err(); err != nil {
			t.Fatal(err)
		}
		if len(g.Rules) != rules+1 { // including the token set
			t.Fatalf("%d rules, want %d", len(g.Rules), rules+1)
		}
	})
	t.Logf("%.0f allocations", n)
	if n > perRuleFrozen*rules {
		t.Errorf("%.0f allocations with freezing, want at most %d a rule", n, perRuleFrozen)
	}
}

func BenchmarkParseLarge(b *testing.B) {
	src := large(3700)
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		Parse("Large.g4", src)
	}
}

// TestHostile reads inputs that are slow for readers that take more than linear time. Allocations
// are counted: at most some for each byte.
func TestHostile(t *testing.T) {
	const n = 1 << 16
	var tokens, sets strings.Builder
	for i := range 8000 {
		fmt.Fprintf(&tokens, "A%d:'%d';", i, i)
		fmt.Fprintf(&sets, " ~A%d", i)
	}
	for name, src := range map[string]string{
		"unclosed options":    "grammar T; a : " + strings.Repeat("<", n),
		"unclosed comments":   "grammar T; a : {" + strings.Repeat("/*", n),
		"braces":              "grammar T; a : " + strings.Repeat("{", n),
		"parentheses":         "grammar T; a : " + strings.Repeat("(", n),
		"block heads":         "grammar T; a : " + strings.Repeat("(@a ", 400),
		"quotes":              "grammar T; a : {" + strings.Repeat("\"'", n),
		"one long line":       "grammar T; a : " + strings.Repeat("a ", n) + ";",
		"alternatives":        "grammar T; A : " + strings.Repeat("'x' -> skip | ", n/4) + ";",
		"sets":                "lexer grammar T; A : [" + strings.Repeat("a-", n) + "];",
		"tokens":              "lexer grammar T; " + tokens.String(),
		"token sets":          "grammar T; " + tokens.String() + "a : " + sets.String() + ";",
		"colons without ends": "grammar T; " + strings.Repeat("a : ", n),
	} {
		var ds grammar.Diagnostics
		allocations := testing.AllocsPerRun(1, func() { _, ds = Parse("T.g4", []byte(src)) })
		if name == "token sets" && (len(ds) != 1 || ds[0].Code != "too-large") {
			t.Errorf("%s: %d messages, want the one that they are too large", name, len(ds))
		}
		t.Logf("%s: %.0f allocations for %d bytes", name, allocations, len(src))
		if allocations > 20*float64(len(src)) {
			t.Errorf("%s: %.0f allocations for %d bytes", name, allocations, len(src))
		}
	}
}

// FuzzParse checks that reading arbitrary bytes neither panics nor hangs. A grammar read without an
// error must freeze, or freezing must give a reason. A frozen grammar must print, and must read
// back unless Print reports losses.
func FuzzParse(f *testing.F) {
	for _, tt := range parseTests {
		f.Add([]byte(tt.src))
	}
	for _, src := range []string{"", "\ufeff", "grammar T; a : " + strings.Repeat("(", 600), "lexer grammar T; A : [\\", "grammar T; a : ~(", "a:'\\u{", "grammar T;a:A;A:'\\ud83d"} {
		f.Add([]byte(src))
	}
	blind.Fuzz(f, func(t *testing.T, src []byte) {
		g, ds := Parse("fuzz.g4", src)
		for _, d := range ds {
			if d.Pos.Line == 0 || d.Pos.Col == 0 {
				t.Errorf("no position: %v", d)
			}
		}
		if ds.Err() != nil {
			return
		}
		frozen, ds := notationtest.Freeze(g)
		if ds.Err() != nil {
			return
		}
		text, lost := Print(frozen)
		if _, ds := Parse("printed.g4", []byte(text)); lost.Err() == nil && ds.Err() != nil {
			t.Errorf("what was printed cannot be read: %v\n%s", ds, text)
		}
	})
}

// TestTooManyFiles checks that a grammar of too many files is reported.
func TestTooManyFiles(t *testing.T) {
	files := fstest.MapFS{}
	for i := range maxFiles + 2 {
		files[fmt.Sprintf("G%d.g4", i)] = &fstest.MapFile{Data: fmt.Appendf(nil, "grammar G%d; import G%d; r%d : 'x' ;", i, i+1, i)}
	}
	_, ds := Load(files, "G0.g4", "")
	want := `the imported grammar "G1000" is file 1001 of the grammar, and 1000 are read; join some of its files`
	if err := ds.Err(); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
}
