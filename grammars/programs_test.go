package grammars_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/stream"
)

// programs draws sentences of a grammar as gen does: 25, and 10,000 with GRAMFUZZ_LONG=all.
func programs(t *testing.T, name string) []string {
	all, err := (&stream.Plan{Strategy: "broad", Seed: 1}).Open(t.Context(), grammars.Must(name), stream.Options{})
	if err != nil {
		t.Fatal(err)
	}
	texts, src := make([]string, long(25, 25, 10_000)), all.Source()
	for i := range texts {
		text, err := src.Append(t.Context(), nil, uint64(i))
		if err != nil {
			t.Fatal(err)
		}
		texts[i] = string(text)
	}
	return texts
}

// calling is the number of texts whose main function calls one of the program with arguments.
func calling(texts []string, main string) (n int) {
	call := regexp.MustCompile(`\b[fp][0-9]\([^)]`)
	for _, text := range texts {
		if call.MatchString(text[strings.Index(text, main):]) {
			n++
		}
	}
	return n
}

// TestCCompiles: C compilers take the programs of the grammar c without a complaint about types, and
// most programs call a function of their own with arguments.
func TestCCompiles(t *testing.T) {
	texts := programs(t, "c")
	if n := calling(texts, "int main("); 2*n < len(texts) {
		t.Errorf("%d of %d programs call a function of theirs with arguments", n, len(texts))
	}
	dir := t.TempDir()
	args := []string{"-fsyntax-only", "-std=c11", "-pedantic-errors", "-Werror=int-conversion", "-Werror=incompatible-pointer-types"}
	for i, text := range texts {
		name := filepath.Join(dir, fmt.Sprintf("%d.c", i))
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		args = append(args, name)
	}
	for _, compiler := range []string{"gcc", "clang"} {
		path, err := exec.LookPath(compiler)
		if err != nil {
			t.Logf("there is no %s", compiler)
			continue
		}
		if out, err := exec.Command(path, args...).CombinedOutput(); err != nil {
			t.Errorf("%s: %v: %.2000s", compiler, err, out)
		}
	}
}

// TestGoProgramsPassVet: go vet, which checks types first, has nothing to say about the programs of
// the grammar goprog, and most programs call a function of their own with arguments.
func TestGoProgramsPassVet(t *testing.T) {
	texts := programs(t, "goprog")
	if n := calling(texts, "func main("); 2*n < len(texts) {
		t.Errorf("%d of %d programs call a function of theirs with arguments", n, len(texts))
	}
	dir := t.TempDir()
	write := func(name, text string) {
		name = filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o777), os.WriteFile(name, []byte(text), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module programs\n\ngo 1.25\n")
	for i, text := range texts {
		write(fmt.Sprintf("p%d/main.go", i), text)
	}
	vet := exec.Command("go", "vet", "./...")
	vet.Dir, vet.Env = dir, append(os.Environ(), "GOFLAGS=", "GOWORK=off")
	if out, err := vet.CombinedOutput(); err != nil {
		t.Errorf("go vet: %v: %.2000s", err, out)
	}
}

// TestSqliteAccepts: sqlite3 runs 99 % of the scripts of the grammar sqlite without an error, with all
// tables and columns that they name.
func TestSqliteAccepts(t *testing.T) {
	path, err := exec.LookPath("sqlite3")
	if err != nil {
		t.Skip("there is no sqlite3")
	}
	texts, dir, failed := programs(t, "sqlite"), t.TempDir(), 0
	for _, text := range texts {
		run := exec.CommandContext(t.Context(), path, "-safe", "-bail", "-batch", ":memory:")
		run.Dir, run.Stdin = dir, strings.NewReader(text)
		out, err := run.CombinedOutput()
		if err == nil {
			continue
		}
		failed++
		t.Logf("%v: %.500s in\n%s", err, out, text)
		if strings.Contains(string(out), "no such") {
			t.Error("a name that is not there")
		}
	}
	if 100*failed > len(texts) {
		t.Errorf("%d of %d scripts have an error", failed, len(texts))
	}
}
