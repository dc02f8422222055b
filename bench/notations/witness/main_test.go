package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gramfuzz/gramfuzz/load"
	"github.com/gramfuzz/gramfuzz/stream"
)

// TestRow runs Lark on the sentences of one grammar, and on a text that is not a sentence.
func TestRow(t *testing.T) {
	if err := exec.Command("python3", "-c", "import lark").Run(); err != nil {
		t.Skip("python3 has no package lark")
	}
	for _, c := range []struct{ grammar, not string }{
		{"start: N (\"+\" N)*\nN: /[0-9]+/\n%ignore \" \"", "1 1"},
		{"start: (_NL | tree)*\ntree: NAME _NL [_INDENT tree+ _DEDENT]\nNAME: /[a-z]+/\n%declare _INDENT _DEDENT\n%ignore \" \"\n_NL: /(\\r?\\n[\\t ]*)+/", "a\n  b\n c\n"},
	} {
		accepts(t, c.grammar, c.not)
	}
}

// accepts checks that Lark accepts sentences of a grammar and refuses the text not.
func accepts(t *testing.T, src, not string) {
	t.Helper()
	dir := t.TempDir()
	path := filepath.Join(dir, "g.lark")
	if err := os.WriteFile(path, []byte(src), 0o644); err != nil {
		t.Fatal(err)
	}
	g, _, err := load.File(path, load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	texts, reached, err := options{min: 5, max: 200}.draw(t.Context(), g, stream.Plan{}, 20)
	if err != nil || len(texts) != 20 || reached.Reached != reached.Total {
		t.Fatalf("%d texts, %v, %v", len(texts), reached, err)
	}
	answers, err := options{python: "python3"}.ask(dir, []string{"lark", path, "start", "lalr", "contextual"}, append(texts, []byte(not)), nil)
	if err != nil || answers["ok"] != len(texts) {
		t.Errorf("of %d texts: %v, %v", len(texts), answers, err)
	}
}

// TestList checks the number of words in each line of list.txt. Comments there describe the kinds of
// lines.
func TestList(t *testing.T) {
	want := map[string]int{"tree-sitter": 3, "lark": 5, "python": 4, "speed": 3}
	rows := 0
	for line := range strings.Lines(list) {
		if words := strings.Fields(line); !strings.HasPrefix(line, "#") {
			rows++
			if want[words[0]] != len(words) && !(words[0] == "tree-sitter" && len(words) == 4) {
				t.Errorf("%q is no line of the list", line)
			}
		}
	}
	if rows < 100 {
		t.Errorf("only %d lines", rows)
	}
}

// TestSpans checks the spans of the rules in the tree of a text.
func TestSpans(t *testing.T) {
	g := load.MustString(`s = e ";" ; e = (e "-" e)@prec(1, left) | N ; @token N = [0-9]+ ; @skip W = " " ;`)
	trees, err := treesOf(t.Context(), g, [][]byte{[]byte("10 -2-3;")})
	if err != nil {
		t.Fatal(err)
	}
	want := [][]span{{{"e", 0, 2}, {"e", 4, 5}, {"e", 0, 5}, {"e", 6, 7}, {"e", 0, 7}, {"s", 0, 8}}}
	if diff := cmp.Diff(want, trees); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}
