package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gramfuzz/gramfuzz/internal/testing/jsontext"
)

// TestParseLarge checks that a text of 10 MB is parsed within the memory limit, or refused with a
// message and exit code 2.
func TestParseLarge(t *testing.T) {
	size := 10_000_000
	if testing.Short() {
		size /= 10
	}
	path := filepath.Join(t.TempDir(), "large.json")
	if err := os.WriteFile(path, []byte(jsontext.Make(size)), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		memory, want, err string
		code              int
	}{
		{"400MiB", "1\n", "", 0},
		{"1MiB", "", "more than half of the 1 MiB allowed; --max-memory raises the limit\n", 2},
	} {
		var out, errs bytes.Buffer
		args := []string{"parse", "-g", "json", "--count", "--max-memory", c.memory, path}
		code := cli(args, newStreams(strings.NewReader(""), &out, &errs))
		if code != c.code || out.String() != c.want || !strings.HasSuffix(errs.String(), c.err) {
			t.Errorf("--max-memory %s: exit code %d, %q, %q; want %d, %q, %q", c.memory, code, &out, &errs, c.code, c.want, c.err)
		}
	}
}
