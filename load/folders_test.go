package load

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gramfuzz/gramfuzz/grammar"
)

// TestFolders loads, from the folder own, the smallest grammar of each kind that does not load
// unchanged or needs files from elsewhere.
func TestFolders(t *testing.T) {
	const (
		lexer  = "lexer grammar BaseLexer; A : 'a' ;"
		parser = "parser grammar BaseParser; s : A END ;"
		end    = "lexer grammar TLexer; import BaseLexer; END : ';' ;"
		main   = "parser grammar TParser; import BaseParser; options { tokenVocab = TLexer; }"
		made   = "grammar own; tokens { WORD } s : WORD 'x' ; ID : [a-z]+ ;"
	)
	split := []string{"own/TParser.g4", main, "own/TLexer.g4", end, "base/BaseLexer.g4", lexer, "base/BaseParser.g4", parser}
	tests := []struct {
		name  string
		files []string
		text  string // a generated sentence
		says  string // or the message
	}{
		{"imports from a folder beside it", split, "a;", "note: the imported grammar \"BaseLexer\" is taken from "},
		{"imports that two folders have", append(slices.Clone(split), "other/BaseLexer.g4", lexer), "",
			"the imported grammar \"BaseLexer\" is not found; there are DIR/base/BaseLexer.g4 and DIR/other/BaseLexer.g4; copy the one that is meant into the same folder"},
		{"two grammars", []string{"own/A.g4", "grammar A; a : 'a' ;", "own/B.g4", "grammar B; b : 'b' ;"}, "",
			"the folder holds several grammars: A.g4, B.g4; name one of these files, as in -g DIR/own/A.g4"},
		{"tokens that code makes", []string{"own/own.g4", made}, "",
			`rule "WORD" is not defined; define it, or put it in quotes if it stands for itself; if code makes this token, say in DIR/own.gramfuzz what its text is, as in: @token WORD = "word" ;`},
		{"the same with a companion", []string{"own/own.g4", made, "own.gramfuzz", "@token WORD = [a-c] ;\n%drop ID\n"}, "ax", ""},
		{"blocks that code makes, left out", []string{"own/own.g4", "grammar own; f : (s NEWLINE)* END ; s : 'x' b ; b : 'y' | NEWLINE INDENT s DEDENT ; NL : '\\n' -> skip ;",
			"own.gramfuzz", "@token NL = \"\\n\" ;\nNEWLINE = NL ;\nEND = ;\nb = \"y\" ;\n"}, "xy\n", ""},
		{"a keyword behind the identifiers", []string{"own/own.g4", "grammar own; s : IF ID ;\nID : [a-z]+ ;\nIF : 'if' ;"}, "",
			`nothing matches that; token rule "IF" can never match: ID is tried before it and takes every text of it; move it up or remove it`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			for i := 0; i < len(test.files); i += 2 {
				path := filepath.Join(dir, filepath.FromSlash(test.files[i]))
				if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(test.files[i+1]), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			g, ds, err := File(filepath.Join(dir, "own"), Options{})
			said := strings.ReplaceAll(strings.Join(lines(ds), "\n"), filepath.ToSlash(dir), "DIR")
			if !strings.Contains(said, test.says) {
				t.Errorf("it says\n%s\nwant\n%s", said, test.says)
			}
			if (err == nil) != (test.text != "") {
				t.Fatalf("error %v, want one: %v", err, test.text == "")
			}
			if err != nil {
				return
			}
			texts := drawn(t, g, 200)
			if !texts[test.text] {
				t.Errorf("no sentence is %q", test.text)
			}
		})
	}
}

func lines(ds grammar.Diagnostics) (out []string) {
	for _, d := range ds {
		out = append(out, d.String())
	}
	return out
}
