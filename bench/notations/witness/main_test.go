package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gramfuzz/gramfuzz/load"
)

// TestRow asks Lark about the sentences of one grammar, and about one that is none.
func TestRow(t *testing.T) {
	if err := exec.Command("python3", "-c", "import lark").Run(); err != nil {
		t.Skip("python3 has no package lark")
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "sum.lark")
	if err := os.WriteFile(path, []byte("start: N (\"+\" N)*\nN: /[0-9]+/\n%ignore \" \""), 0o644); err != nil {
		t.Fatal(err)
	}
	g, _, err := load.File(path, load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	texts, reached, err := draw(t.Context(), g, 20)
	if err != nil || len(texts) != 20 || reached.Reached != reached.Total {
		t.Fatalf("%d texts, %v, %v", len(texts), reached, err)
	}
	ok, err := options{python: "python3"}.ask(dir, []string{"lark", path, "start", "lalr", "contextual"}, append(texts, []byte("1 1")))
	if err != nil || ok != len(texts) {
		t.Errorf("%d of %d accepted, %v", ok, len(texts), err)
	}
}

// TestList: each line names a package and its parser, or a file, start, parser and lexer.
func TestList(t *testing.T) {
	want := map[string]int{"tree-sitter": 3, "lark": 5}
	rows := 0
	for line := range strings.Lines(list) {
		if words := strings.Fields(line); !strings.HasPrefix(line, "#") {
			if rows++; want[words[0]] != len(words) {
				t.Errorf("%q is no line of the list", line)
			}
		}
	}
	if rows < 30 {
		t.Errorf("only %d lines", rows)
	}
}
