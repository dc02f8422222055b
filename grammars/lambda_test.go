package grammars_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/sample"
)

// Lambda terms are arrow functions: node reads each of them. That they are closed
// is tested where names in play are.
func TestNodeAcceptsLambda(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed")
	}
	s, err := sample.New(context.Background(), grammars.Must("lambda"), sample.Options{Bound: count.Sizes(1, 31, grammar.Terminals), Seed: 2})
	if err != nil {
		t.Fatal(err)
	}
	var script strings.Builder
	script.WriteString("'use strict';\nlet n = 0;\n")
	src := s.Source()
	many := perBound() * 5
	for i := range uint64(many) {
		text, err := src.Text(context.Background(), i)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&script, "n += typeof (() => (%s)) === 'function';\n", text)
	}
	script.WriteString("console.log(n);\n")
	file := filepath.Join(t.TempDir(), "terms.js")
	if err := os.WriteFile(file, []byte(script.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(node, file).CombinedOutput()
	if got := strings.TrimSpace(string(out)); err != nil || got != fmt.Sprint(many) {
		t.Errorf("node read %.300s of %d terms: %v", got, many, err)
	}
}
