package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestReference compares docs/commands.md with the help of all commands; with -update it rewrites
// the page.
func TestReference(t *testing.T) {
	var b strings.Builder
	b.WriteString("# Commands and flags\n\n<!-- go test ./cmd/gramfuzz -run TestReference -update writes this page from the help of the commands. -->\n\n" +
		"A single dash before a long flag is accepted everywhere. Times are such as `10m`, or numbers of seconds; sizes such as\n`256MiB`. Results go to standard output, all else to standard error.\n\n")
	if err := book().Reference(&b, "jobs", "target-rss"); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join("..", "..", "docs", "commands.md")
	if *update {
		if err := os.WriteFile(file, []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), b.String()); d != "" {
		t.Errorf("docs/commands.md is not the help of the commands (go test -run TestReference -update writes it): -page +help:\n%s", d)
	}
}
