package grammars_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/sample"
)

// TestCCompiles: C compilers take the programs of the grammar c without a complaint about types, and
// most call a function of theirs with arguments: 100 of them or 1,000 with GRAMFUZZ_LONG.
func TestCCompiles(t *testing.T) {
	s, err := sample.New(t.Context(), grammars.Must("c"), sample.Options{Seed: 1, Strategy: sample.Walk})
	if err != nil {
		t.Fatal(err)
	}
	n := 100
	if os.Getenv("GRAMFUZZ_LONG") != "" {
		n = 1000
	}
	calls, call := 0, regexp.MustCompile(`\b[fp][0-7]\([^)]`)
	dir, src := t.TempDir(), s.Source()
	args := []string{"-fsyntax-only", "-std=c11", "-pedantic-errors", "-Werror=int-conversion", "-Werror=incompatible-pointer-types"}
	for i := range n {
		text, err := src.Text(t.Context(), uint64(i))
		if err != nil {
			t.Fatal(err)
		}
		if main := text[strings.Index(text, "int main"):]; call.MatchString(main) {
			calls++
		}
		name := filepath.Join(dir, fmt.Sprintf("%d.c", i))
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		args = append(args, name)
	}
	if 2*calls < n {
		t.Errorf("%d of %d programs call a function of theirs with arguments", calls, n)
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
