package main

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestReadme runs the commands of README.md and the pages in docs. In a block that begins with
// ```console, a line after "$ " is a command, and the lines until the next one are its output.
// Further words, as in ```console cc, are programs that its commands need, or modules with their
// versions; where one is missing, the page ends there. A block such as ```c calc.c is a file, which
// is written when the test reaches it. All commands of a page run in one folder, which is empty at
// first. But files in Go and the blocks with the word go are in the folder of a module that uses
// this repository. With -update the pages get the output.
func TestReadme(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("what wc and uniq print differs from system to system")
	}
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	pages := []string{filepath.Join(root, "README.md")}
	err = filepath.WalkDir(filepath.Join(root, "docs"), func(path string, _ fs.DirEntry, err error) error {
		if filepath.Ext(path) == ".md" {
			pages = append(pages, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	commands := 0
	for _, page := range pages {
		name, err := filepath.Rel(root, page)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(name, func(t *testing.T) { commands += runPage(t, page) })
	}
	if commands == 0 {
		t.Error("no commands found; has the form of the pages changed?")
	}
}

// runPage checks one page, or with -update rewrites it, and returns its number of commands.
func runPage(t *testing.T, page string) int {
	t.Helper()
	src, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	commands, console, output, file, missing, in := 0, false, false, "", "", dir
	var out strings.Builder
	for line := range strings.Lines(string(src)) {
		switch {
		case strings.HasPrefix(line, "```"):
			words := strings.Fields(line)
			console, output, file = words[0] == "```console" && missing == "", false, ""
			in = dir
			if slices.Contains(words[1:], "go") || strings.HasSuffix(line, ".go\n") {
				in = module(t, dir)
			}
			if console {
				missing = lacking(words[1:])
				if missing != "" {
					t.Logf("%s: %s is missing, commands from there on are not run", filepath.Base(page), missing)
					console = false
				}
			} else if name := fileOf(words); name != "" {
				file = filepath.Join(in, name)
			}
		case file != "":
			appendTo(t, file, line)
		case console && strings.HasPrefix(line, "$ "):
			commands++
			out.WriteString(line)
			out.WriteString(shell(t, in, strings.TrimPrefix(line, "$ ")))
			output = true
			continue
		case console && output:
			continue
		}
		out.WriteString(line)
	}
	for _, m := range shownPicture.FindAllStringSubmatch(string(src), -1) {
		samePicture(t, filepath.Join(dir, m[1]), filepath.Join(filepath.Dir(page), m[1]))
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

// shownPicture matches a picture beside a page.
var shownPicture = regexp.MustCompile(`!\[[^\]]*\]\(([^)/]+\.svg)\)`)

// samePicture checks that a picture drawn by the commands of a page is equal to the shown one, or
// with -update replaces the shown one. It ignores pictures that no command drew.
func samePicture(t *testing.T, drawn, shown string) {
	t.Helper()
	got, err := os.ReadFile(drawn)
	if err != nil {
		return
	}
	if *update {
		if err := os.WriteFile(shown, got, 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(shown)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(want, got) {
		t.Errorf("%s is not what the commands draw (go test -run TestReadme -update takes it over)", filepath.Base(shown))
	}
}

// fileOf returns the name of the file that a block has, by the words of the line that begins it, or "".
func fileOf(words []string) string {
	if len(words) < 2 || words[0] == "```console" {
		return ""
	}
	return words[1]
}

// lacking returns the first of some programs that is not installed, or of some modules, such as
// example.com/m@v1.0.0, that cannot be had.
func lacking(needs []string) string {
	for _, need := range needs {
		if strings.Contains(need, "@") {
			if exec.Command("go", "mod", "download", need).Run() != nil {
				return need
			}
		} else if _, err := exec.LookPath(need); err != nil {
			return need
		}
	}
	return ""
}

func appendTo(t *testing.T, file, line string) {
	t.Helper()
	f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString(line); err != nil {
		t.Fatal(err)
	}
}

// shell runs a command as a user would, in a home of its own, and returns its output.
func shell(t *testing.T, dir, command string) (out string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "sh", "-c", command)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "HOME="+dir, "XDG_CACHE_HOME="+filepath.Join(dir, ".cache"), "TERM=dumb")
	if filepath.Base(dir) == "module" {
		env, modules := goEnv(t)
		cmd.Env = append(cmd.Env, env...)
		defer func() { out = strings.ReplaceAll(out, modules+string(filepath.Separator), "…/") }()
	}
	text, err := cmd.CombinedOutput()
	if _, ok := err.(*exec.ExitError); err != nil && !ok {
		t.Fatal(err)
	}
	text = bytes.ReplaceAll(text, []byte(dir), []byte("."))
	if len(text) > 0 && !bytes.HasSuffix(text, []byte("\n")) {
		text = append(text, '\n')
	}
	return string(text)
}

// took matches the parts of the output that vary with the run, the build, the reducer's progress,
// and the modules that are there.
var took = regexp.MustCompile(`(?m)^go: downloading .*\n|, \d+ calls, [0-9.]+m?s\b|"gramfuzz":"[^"]*"|in \d+ calls|[(\t]\d+\.\d+s\b`)

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
