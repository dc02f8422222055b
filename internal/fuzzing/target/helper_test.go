package target

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/gramfuzz/gramfuzz/internal/testing/await"
)

// needShell skips the test if there is no POSIX shell.
func needShell(t testing.TB) {
	t.Helper()
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("no sh on this machine")
	}
}

// writeScript makes an executable shell script.
func writeScript(t testing.TB, body string) string {
	t.Helper()
	needShell(t)
	path := filepath.Join(t.TempDir(), "check.sh")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+body), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

// shell makes a runner of a shell command, with its scratch folders in a folder
// of the test.
func shell(t testing.TB, code string, change func(*Command)) (*Runner, string) {
	t.Helper()
	needShell(t)
	root := t.TempDir()
	cmd := Command{Args: []string{"sh", "-c", code}, Scratch: root, Timeout: time.Minute}
	if change != nil {
		change(&cmd)
	}
	r, err := New(cmd)
	if err != nil {
		t.Fatal(err)
	}
	return r, root
}

func mustRun(t testing.TB, r *Runner, input string) *Result {
	t.Helper()
	res, err := r.Run(context.Background(), []byte(input))
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// wantEmpty fails if anything is left in a folder.
func wantEmpty(t testing.TB, dir string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		t.Errorf("left behind: %s", filepath.Join(dir, e.Name()))
	}
}

// eventually waits for a condition that the system fulfils sooner or later.
func eventually(t testing.TB, what string, holds func() bool) {
	t.Helper()
	await.Until(t, holds, func() string { return what })
}
