package load

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gramfuzz/gramfuzz/grammar"
)

func shipped(name string) ([]byte, bool) {
	if name != "tiny" {
		return nil, false
	}
	return []byte(`shipped = "x" ;`), true
}

func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestFile(t *testing.T) {
	path := write(t, "tiny.ebnf", "file = \"x\" | \"y\" ;\nother = \"z\" ;\n")
	antlrFile := write(t, "TParser.g4", "parser grammar TParser; a : A ; s : a EOF ;")
	if err := os.WriteFile(filepath.Join(filepath.Dir(antlrFile), "tlexer.g4"), []byte("lexer grammar TLexer; A : 'a' ;"), 0o600); err != nil {
		t.Fatal(err)
	}
	type result struct{ Name, Notation, Start, SHA256 string }
	tests := []struct {
		path string
		o    Options
		want result
	}{
		{path, Options{}, result{"tiny", "ebnf", "file", "68a2"}},
		{path, Options{Shipped: shipped}, result{"tiny", "ebnf", "file", "68a2"}},
		{path, Options{Start: "other"}, result{"tiny", "ebnf", "other", "68a2"}},
		{"tiny", Options{Shipped: shipped}, result{"tiny", "ebnf", "shipped", "2d7f"}},
		{"no/such/tiny.ebnf", Options{Shipped: shipped}, result{"tiny", "ebnf", "shipped", "2d7f"}},
		{antlrFile, Options{}, result{"TParser", "antlr4", "s", "68a2"}},
		{filepath.Dir(antlrFile), Options{}, result{"TParser", "antlr4", "s", "68a2"}},
		{write(t, "llama.gbnf", `root ::= "a" | root "b"`), Options{}, result{"llama", "gbnf", "root", "e07f"}},
		{write(t, "tiny.grammar", `file = "x" ;`), Options{Notation: "ebnf"}, result{"tiny", "ebnf", "file", "a5be"}},
	}
	for _, test := range tests {
		g, _, err := File(test.path, test.o)
		if err != nil {
			t.Errorf("%s: %v", test.path, err)
			continue
		}
		got := result{g.Name, g.Notation, g.Start.Name, g.SHA256[:4]}
		if d := cmp.Diff(test.want, got); d != "" {
			t.Errorf("%s: -want +got\n%s", test.path, d)
		}
	}
}

func TestFileErrors(t *testing.T) {
	tests := []struct {
		name, path string
		o          Options
		want       string
	}{
		{"missing", "no/such.ebnf", Options{}, "; check the path"},
		{"missing, not shipped", "no/such.ebnf", Options{Shipped: shipped}, `no such file, and no grammar "such" ships`},
		{"folder", t.TempDir(), Options{}, "the folder holds no .g4 file; name a grammar file"},
		{"folder in another notation", t.TempDir(), Options{Notation: "ebnf"}, "this is a folder"},
		{"lexer missing", write(t, "P.g4", "parser grammar P; a : A ;"), Options{}, `P.g4:1:1: the lexer of this parser grammar, "PLexer" is not found`},
		{"extension", write(t, "a.xyz", "x"), Options{}, "neither the extension nor the content tells the notation; name it with --format, one of "},
		{"notation", write(t, "a.ebnf", "x"), Options{Notation: "yacc"}, `unknown notation "yacc"; there are abnf, antlr4`},
		{"syntax", write(t, "a.ebnf", "a = ( ;\nb = \"x ;\n"), Options{}, "a.ebnf:2:5: this literal is not closed"},
		{"checks", write(t, "a.ebnf", "a = b ;"), Options{}, `a.ebnf:1:5: rule "b" is not defined`},
		{"start", write(t, "a.ebnf", `a = "x" ;`), Options{Start: "q"}, `unknown start rule "q"`},
		{"empty", write(t, "a.ebnf", "# nothing\n"), Options{}, "the grammar has no rules"},
	}
	for _, test := range tests {
		g, _, err := File(test.path, test.o)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %s", test.name, err, test.want)
		}
		if g != nil {
			t.Errorf("%s: a grammar besides the error", test.name)
		}
	}
}

func TestWarningsAreNoError(t *testing.T) {
	g, ds, err := Source("w.ebnf", []byte(`a = a "x" | "y" | "y" ;`), Options{})
	if err != nil || g == nil {
		t.Fatal(err)
	}
	var codes []string
	for _, d := range ds {
		codes = append(codes, d.Code)
	}
	if d := cmp.Diff([]string{"left-recursive", "duplicate-alternative"}, codes); d != "" {
		t.Errorf("-want +got\n%s", d)
	}
}

func TestTokensAreResolved(t *testing.T) {
	g, _, err := Source("d.ebnf", []byte(`s = NAME ; @token NAME = [a-c]+ - "a" ;`), Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range g.Exprs {
		if e.Op == grammar.Diff {
			t.Errorf("%v: a difference is left", e.Pos)
		}
	}
	if g.Rule("NAME").Written == nil {
		t.Error("the body as it was written is lost")
	}
}

// TestOrISO reads a file that fits both the native notation and ISO, with undefined names only.
func TestOrISO(t *testing.T) {
	for src, want := range map[string]bool{
		"a = optional part | special part ;":          true,
		"a = optional part | \"x\" ; part = \"y\" ;":  false,
		"a = optional | special ;":                    false,
		"a = optional part ; b = [a-z] optional{2} ;": false, // not ISO
	} {
		_, _, err := Source("f.ebnf", []byte(src), Options{})
		if err == nil || strings.Contains(err.Error(), "choose it with --format iso") != want {
			t.Errorf("%s: %v", src, err)
		}
		if _, _, err := Source("f.ebnf", []byte(src), Options{Notation: "ebnf"}); err == nil || strings.Contains(err.Error(), "iso") {
			t.Errorf("%s as native: %v", src, err)
		}
	}
}
