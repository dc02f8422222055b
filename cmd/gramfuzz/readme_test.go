package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestReadme runs the commands of README.md and the pages in docs: in a block
// that begins with ```console, a line after "$ " is a command, and the lines
// until the next one are its output. All commands of a page run in one folder, which
// is empty at first. With -update the pages get the output.
func TestReadme(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("what wc and uniq print differs from system to system")
	}
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	pages, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	commands := 0
	for _, page := range append(pages, filepath.Join(root, "README.md")) {
		commands += runPage(t, page)
	}
	if commands < 10 {
		t.Errorf("only %d commands found; has the form of the pages changed?", commands)
	}
}

// runPage checks one page, or with -update writes it anew, and returns how many
// commands it has.
func runPage(t *testing.T, page string) int {
	t.Helper()
	src, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	commands, console, output := 0, false, false
	var out strings.Builder
	for line := range strings.Lines(string(src)) {
		switch {
		case strings.HasPrefix(line, "```"):
			console, output = strings.HasPrefix(line, "```console"), false
		case console && strings.HasPrefix(line, "$ "):
			commands++
			out.WriteString(line)
			out.WriteString(shell(t, dir, strings.TrimPrefix(line, "$ ")))
			output = true
			continue
		case console && output:
			continue
		}
		out.WriteString(line)
	}
	if *update {
		if err := os.WriteFile(page, []byte(out.String()), 0o666); err != nil {
			t.Fatal(err)
		}
		return commands
	}
	if d := cmp.Diff(timeless(string(src)), timeless(out.String())); d != "" {
		t.Errorf("%s: -page +output (go test -run TestReadme -update takes it over):\n%s", filepath.Base(page), d)
	}
	return commands
}

// shell runs a command as a user would, in a home of its own, and returns its output.
func shell(t *testing.T, dir, command string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "sh", "-c", command)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "HOME="+dir, "XDG_CACHE_HOME="+filepath.Join(dir, ".cache"), "TERM=dumb")
	out, err := cmd.CombinedOutput()
	if _, ok := err.(*exec.ExitError); err != nil && !ok {
		t.Fatal(err)
	}
	out = bytes.ReplaceAll(out, []byte(dir), []byte("."))
	if len(out) > 0 && !bytes.HasSuffix(out, []byte("\n")) {
		out = append(out, '\n')
	}
	return string(out)
}

// took matches the parts of the output that differ from run to run, from build to
// build, and with every better way to reduce.
var took = regexp.MustCompile(`, \d+ calls, [0-9.]+m?s\b|"gramfuzz":"[^"]*"`)

func timeless(s string) string { return took.ReplaceAllString(s, "…") }

// TestReadmeSetUp checks that the first command of README prints JSON documents in a
// clone. The second one runs this test.
func TestReadmeSetUp(t *testing.T) {
	src, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	block := regexp.MustCompile("(?s)```sh\n(.*?)```").FindSubmatch(src)
	if block == nil {
		t.Fatal("README.md has no block of shell commands")
	}
	lines := strings.Split(strings.TrimSpace(string(block[1])), "\n")
	want := []string{"go run ./cmd/gramfuzz gen -g json", "go test ./..."}
	if d := cmp.Diff(want, lines); d != "" {
		t.Fatalf("the set-up of README.md: -want +got:\n%s", d)
	}
	cmd := exec.CommandContext(t.Context(), "sh", "-c", lines[0])
	cmd.Dir = filepath.Join("..", "..")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	documents := 0
	for line := range bytes.Lines(out) {
		documents++
		if !json.Valid(line) {
			t.Errorf("not JSON: %s", line)
		}
	}
	if documents != defaultN {
		t.Errorf("%d documents, want %d", documents, defaultN)
	}
}
