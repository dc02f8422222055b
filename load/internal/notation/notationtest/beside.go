package notationtest

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gramfuzz/gramfuzz/grammar"
)

// Beside reads the files that match a pattern and checks their diagnostics. Each line has its
// expected diagnostics beside it, as "### beginning of the text". text formats a diagnostic.
func Beside(t *testing.T, pattern string, read func(name string, src []byte) grammar.Diagnostics, text func(grammar.Diagnostic) string) {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("no files: %v", err)
	}
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		found := make(map[int][]string)
		for _, d := range read(filepath.Base(file), src) {
			found[d.Pos.Line] = append(found[d.Pos.Line], text(d))
			if d.Hint == "" || d.Code == "" {
				t.Errorf("%v: no hint or no code", d)
			}
		}
		for i, line := range strings.Split(string(src), "\n") {
			for _, want := range strings.Split(line, "### ")[1:] {
				want = strings.TrimSpace(want)
				at := slices.IndexFunc(found[i+1], func(s string) bool { return strings.HasPrefix(s, want) })
				if at < 0 {
					t.Errorf("%s:%d: not reported: %s\nreported: %q", file, i+1, want, found[i+1])
					continue
				}
				found[i+1] = slices.Delete(found[i+1], at, at+1)
			}
			for _, s := range found[i+1] {
				t.Errorf("%s:%d: not expected: %s", file, i+1, s)
			}
		}
	}
}
