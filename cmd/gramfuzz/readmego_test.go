package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

// module makes a module below dir that uses this repository, unless it is there, and returns its
// folder.
func module(t *testing.T, dir string) string {
	t.Helper()
	folder := filepath.Join(dir, "module")
	mod := filepath.Join(folder, "go.mod")
	if _, err := os.Stat(mod); err == nil {
		return folder
	}
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	own, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	const path = "github.com/gramfuzz/gramfuzz"
	appendTo(t, mod, "module example.com/try\n\n"+regexp.MustCompile(`(?m)^go .*$`).FindString(string(own))+
		fmt.Sprintf("\n\nrequire %s v0.0.0\n\nreplace %s => %s\n", path, path, root))
	appendTo(t, filepath.Join(folder, "go.sum"), string(sums))
	return folder
}

// goEnv returns the variables that a command of go needs in a folder made by module, and the folder
// of downloaded modules: the home of commands is another one than that of this test.
func goEnv(t *testing.T) (env []string, modules string) {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", "env", "GOCACHE", "GOMODCACHE", "GOPATH").Output()
	values := strings.Split(string(out), "\n")
	if err != nil || len(values) < 3 {
		t.Fatalf("go env: %q, %v", out, err)
	}
	return []string{"GOFLAGS=-mod=mod", "GOWORK=off", "GOCACHE=" + values[0], "GOMODCACHE=" + values[1], "GOPATH=" + values[2]}, values[1]
}

// stand are declarations that stand for the names that snippets of pages leave to their readers.
const stand = `
func Parse([]byte) (int, error) { return 0, nil }

type version struct{ Parse func([]byte) (int, error) }

var (
	g        *grammar.Grammar
	old, new version
)
`

// TestSnippets compiles the blocks of Go in README.md and the pages in docs that do not name a
// file. An ellipsis stands for anything, and a block without declarations is the body of a
// function that returns an error. Modules of others are replaced by the part that the pages use.
func TestSnippets(t *testing.T) {
	if testing.Short() || runtime.GOOS == "windows" {
		t.Skip("starts the go command")
	}
	folder := module(t, t.TempDir())
	imports := map[string]string{"rapid": "pgregory.net/rapid", "context": "context", "testing": "testing", "fmt": "fmt"}
	for _, name := range []string{"load", "sample", "gramtest", "grammars", "grammar"} {
		imports[name] = "github.com/gramfuzz/gramfuzz/" + name
	}
	for path, text := range map[string]string{
		"pgregory.net/rapid": "package rapid\n\ntype T struct{}\n\nfunc (*T) Fatal(...any) {}\n\ntype Generator[V any] struct{ zero V }\n\n" +
			"func (g *Generator[V]) Draw(*T, string) V { return g.zero }\n\nfunc Uint64() *Generator[uint64] { return nil }\n",
		"github.com/dlclark/regexp2": "package regexp2\n\nfunc Compile(string, int) (*int, error) { return nil, nil }\n",
	} {
		dir := filepath.Join(folder, filepath.Base(path))
		if err := os.Mkdir(dir, 0o777); err != nil {
			t.Fatal(err)
		}
		appendTo(t, filepath.Join(dir, "go.mod"), "module "+path+"\n\ngo 1.25\n")
		appendTo(t, filepath.Join(dir, "x.go"), text)
		appendTo(t, filepath.Join(folder, "go.mod"), fmt.Sprintf("\nrequire %s v1.0.0\n\nreplace %s => ./%s\n", path, path, filepath.Base(path)))
	}
	root := filepath.Join("..", "..")
	pages, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	blocks := 0
	for _, page := range append(pages, filepath.Join(root, "README.md")) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile("(?ms)^```go\n(.*?)^```").FindAllStringSubmatch(string(text), -1) {
			blocks++
			dir := filepath.Join(folder, fmt.Sprintf("b%d", blocks))
			if err := os.Mkdir(dir, 0o777); err != nil {
				t.Fatal(err)
			}
			appendTo(t, filepath.Join(dir, "x_test.go"), "//line "+filepath.Base(page)+":1\n"+whole(m[1], imports))
			appendTo(t, filepath.Join(dir, "x.go"), "package snippet\n")
		}
	}
	if blocks < 5 {
		t.Errorf("only %d blocks; has the form of the pages changed?", blocks)
	}
	env, _ := goEnv(t)
	cmd := exec.CommandContext(t.Context(), "go", "vet", "./...")
	cmd.Dir, cmd.Env = folder, append(os.Environ(), env...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v:\n%s", err, out)
	}
}

// whole returns a file of Go with the code of a block.
func whole(block string, imports map[string]string) string {
	if strings.HasPrefix(block, "package ") {
		return regexp.MustCompile(`(?m)^package .*$`).ReplaceAllString(block, "package snippet")
	}
	block = strings.ReplaceAll(block, "…", "")
	if !strings.HasPrefix(block, "func ") {
		block = "func _(ctx context.Context, t *testing.T) error {\n" + block + "\nreturn nil\n}\n"
	}
	block += stand
	var b strings.Builder
	b.WriteString("package snippet\n\n")
	for name, path := range imports {
		if regexp.MustCompile(`\b` + name + `\.`).MatchString(block) {
			fmt.Fprintf(&b, "import %q\n", path)
		}
	}
	return b.String() + block
}
