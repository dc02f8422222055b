//go:build linux && !race

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gramfuzz/gramfuzz/internal/testing/jsontext"
)

// TestParseStaysWithin: parsing keeps to --max-memory, whatever the length of the text and
// whichever way it comes in.
func TestParseStaysWithin(t *testing.T) {
	const limit, beside = 64, 64 // MiB
	dir := t.TempDir()
	text := jsontext.Make(100_000_000)
	for name, size := range map[string]int{"100.json": len(text), "30.json": 30_000_000, "4.json": 4_000_000} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text[:size]), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct{ command, want string }{
		{"gramfuzz parse -g json --max-memory 64MiB 100.json", "100.json: the text has more than half of the 64 MiB allowed; --max-memory raises the limit"},
		{"cat 100.json | gramfuzz parse -g json --max-memory 64MiB", "-: the text has more than half of the 64 MiB allowed; --max-memory raises the limit"},
		{"gramfuzz coverage -g json --max-memory 64MiB 100.json", "100.json: the text has more than half of the 64 MiB allowed; --max-memory raises the limit"},
		{"gramfuzz parse -g json --max-memory 64MiB 30.json", "more than the 64 MiB allowed; --max-memory raises the limit"},
		{"gramfuzz parse -g json --max-memory 64MiB 4.json", "unexpected end of text"},
	} {
		peak, errs := peakMemory(t, dir, test.command)
		if !strings.Contains(errs, test.want) || peak > limit+beside {
			t.Errorf("%s: %d MiB, %q; want at most %d MiB, %q", test.command, peak, errs, limit+beside, test.want)
		}
	}
}

// peakMemory runs a command in which gramfuzz is in a process of its own. It returns the peak
// of that one's resident memory, in MiB, and the standard error.
func peakMemory(t *testing.T, dir, command string) (peak int, errs string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	if err := os.Symlink(self, filepath.Join(bin, "gramfuzz-peak")); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	cmd := exec.Command("sh", "-c", strings.Replace(command, "gramfuzz ", "gramfuzz-peak ", 1))
	cmd.Dir, cmd.Stderr, cmd.Env = dir, &out, append(os.Environ(), fmt.Sprintf("PATH=%s:%s", bin, os.Getenv("PATH")))
	_ = cmd.Run() // some commands fail
	errs, line, ok := strings.Cut(out.String(), "VmHWM:")
	if _, err := fmt.Sscanf(line, "%d kB", &peak); !ok || err != nil {
		t.Fatalf("%s: no peak in %q", command, &out)
	}
	return peak >> 10, errs
}
