package load_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gramfuzz/gramfuzz/load"
)

// TestUnread: a file in an unsupported notation is recognized by its content and reported as
// such.
func TestUnread(t *testing.T) {
	for _, test := range []struct{ name, src, want string }{
		{"a", "?start: sum\nsum: product | sum \"+\" product\n", "rules name: …"},
		{"a.ebnf", "// c\nstart: \"a\" b\nb: \"=\"", "rules name: …"},
		{"a.txt", "%token NUM\n%%\nexpr: expr '+' NUM { $$ = $1; } | NUM ;\n", "Yacc"},
		{"a.txt", "Expr <- Term (('+' / '-') Term)*\nTerm <- [0-9]+\n", "PEG"},
		{"a.ebnf", "expr \"an expression\" ← term / 'x'\n", "PEG"},
		{"a.ebnf", "word = !\"end\" letter / \"x\" ;\nletter = [a-z] ;", "PEG"},
		{"a.txt", "ident = @{ ASCII_ALPHA ~ \"_\"* }\n", "PEG"},
		{"a.txt", "main -> \"a\" main {% id %} | null\n", "Nearley"},
		{"a.txt", "<?xml version=\"1.0\"?>\n<xs:schema xmlns:xs=\"http://www.w3.org/2001/XMLSchema\"/>", "XML schema"},
		{"a.ebnf", "<!ELEMENT note (to, from)>\n<!ATTLIST note id CDATA #REQUIRED>", "DTD"},
		{"a.txt", "Foo DEFINITIONS AUTOMATIC TAGS ::= BEGIN\n A ::= SEQUENCE { b INTEGER }\nEND", "ASN.1"},
		{"a.txt", "syntax = \"proto3\";\nmessage A { string b = 1; }", "protocol buffers"},
		{"a.bnf", "EAdd. Exp ::= Exp \"+\" Exp1 ;\nEInt. Exp1 ::= Integer ;", "BNFC"},
		{"grammar.js", "module.exports = grammar({ name: 'x', rules: { a: $ => seq('x') } })", "tree-sitter"},
		{"a.json", `{"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object"}`, "JSON Schema"},
		{"a.txt", `{"type": "object", "properties": {"a": {"type": "string"}}}`, "JSON Schema"},
	} {
		_, ds, err := load.Source(test.name, []byte(test.src), load.Options{})
		if err == nil || !strings.Contains(err.Error(), test.name+": the file is ") || !strings.Contains(err.Error(), test.want) ||
			len(ds) != 1 || ds[0].Hint == "" {
			t.Errorf("%q: %v, want %s", test.src, err, test.want)
		}
	}
	// With --format, the user sets the notation.
	if _, _, err := load.Source("a", []byte("a: b"), load.Options{Notation: "ebnf"}); err == nil || strings.Contains(err.Error(), "does not read") {
		t.Errorf("%v", err)
	}
}

// TestNothingMisread visits the grammars from elsewhere. Each is detected in the notation of
// its folder, reported as broken as listed in [corpora], or reported as unsupported.
func TestNothingMisread(t *testing.T) {
	data := os.Getenv("GRAMFUZZ_DATA")
	if data == "" {
		t.Skip("set GRAMFUZZ_DATA to the data folder to run this test")
	}
	unread := map[string]string{"peg": "PEG"}
	reads := map[string]string{"lark": "lark", "tree-sitter": "tree-sitter"}
	for _, c := range corpora {
		reads[c.folder] = c.notation
	}
	root, files := filepath.Join(data, "grammars", "formats"), 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) == ".md" {
			return err
		}
		files++
		rel, _ := filepath.Rel(root, path)
		folder, _, _ := strings.Cut(filepath.ToSlash(rel), "/")
		src, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		// By its own name, and, if the content is sufficient, without an extension.
		names := []string{path}
		if folder != "abnf" && folder != "gbnf" {
			names = append(names, strings.TrimSuffix(path, filepath.Ext(path)))
		}
		for _, name := range names {
			g, _, err := load.Source(name, src, load.Options{})
			switch want := unread[folder]; {
			case g != nil && g.Notation != reads[folder]:
				t.Errorf("%s is read as %s", name, g.Notation)
			case want != "" && name == path && (err == nil || !strings.Contains(err.Error(), want+", which") && !strings.Contains(err.Error(), "("+want+"), which")):
				t.Errorf("%s: %v, want %s in it", name, err, want)
			case want != "" && (err == nil || !strings.Contains(err.Error(), "does not read")):
				t.Errorf("%s: %v, want that it is not read", name, err)
			}
		}
		return nil
	})
	if err != nil || files < 150 {
		t.Errorf("%d files (%v)", files, err)
	}
}
