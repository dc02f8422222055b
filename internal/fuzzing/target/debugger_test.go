package target

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The debugger runs the program with its arguments, and with the input in the same way as
// without a debugger.
func TestDebugger(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles a program")
	}
	dir := t.TempDir()
	source, bin := filepath.Join(dir, "t.c"), filepath.Join(dir, "my program")
	if err := os.WriteFile(source, []byte(`#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static void parse(const char *s) { if (*s == 'x') abort(); }
int main(int n, char **a) {
	char s[10] = "";
	FILE *f = n > 2 ? fopen(a[2], "r") : stdin;
	if (n > 1 && strcmp(a[1], "an 'argument' of $HOME")) return 3;
	if (!fgets(s, sizeof s, f)) return 2;
	parse(s);
	return 0;
}
`), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("gcc", "-g", "-o", bin, source).CombinedOutput(); err != nil {
		t.Skipf("no gcc: %v %s", err, out)
	}
	t.Setenv("SHELL", "/no/shell")
	for _, args := range [][]string{{bin}, {bin, "an 'argument' of $HOME", "{}"}} {
		d, err := NewDebugger(Command{Args: args})
		if errors.Is(err, ErrNoDebugger) {
			t.Skip(err)
		}
		if err != nil {
			t.Fatal(err)
		}
		got, err := d.Frames(t.Context(), []byte("x"))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(frames("parse t.c:4", "main t.c:10"), got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", args, diff)
		}
		if got, err := d.Frames(t.Context(), []byte("y")); err != nil || got != nil {
			t.Errorf("%q: frames of a run that does not fail: %v, %v", args, got, err)
		}
	}
	// A script cannot be debugged.
	script := filepath.Join(dir, "script")
	if err := os.WriteFile(script, []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := NewDebugger(Command{Args: []string{script}}); !errors.Is(err, ErrNoDebugger) {
		t.Errorf("a script: %v", err)
	}
}
