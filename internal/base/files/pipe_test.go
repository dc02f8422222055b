//go:build unix

package files

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestPipe reads a pipe without a writer, which would block a reader for ever.
func TestPipe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skip(err)
	}
	if _, err := Read(path, 1<<20); err == nil || !strings.Contains(err.Error(), "a pipe that nobody writes to") {
		t.Error(err)
	}
}
