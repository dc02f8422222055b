package fleet

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/gramfuzz/gramfuzz/internal/fuzzing/corpus"
)

// TestFullDisk checks that a full disk ends the hub with a message, and that with free space it
// starts again with everything that it had acknowledged.
func TestFullDisk(t *testing.T) {
	disk := t.TempDir()
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=8m"); err != nil {
		t.Skipf("no small disk can be made here (it takes root): %v", err)
	}
	defer syscall.Unmount(disk, syscall.MNT_DETACH)
	o := HubOptions{Data: filepath.Join(disk, "hub"), Listen: "127.0.0.1:0"}
	h, err := NewHub(o)
	if err != nil {
		t.Fatal(err)
	}
	s, err := newStore(h.Conn(), "full")
	if err != nil {
		t.Fatal(err)
	}
	if err := s.create(t.Context(), DefaultLease, 1); err != nil {
		t.Fatal(err)
	}
	kept := 0
	for h.server.JetStreamEnabled() && !h.log.failed() { // the server's own limit is below the size of the disk, so a file fills the rest
		text := []byte(strings.Repeat("x", 4<<10+kept))
		if kept == 20 {
			_ = os.WriteFile(filepath.Join(disk, "filler"), make([]byte, 16<<20), 0o600) // until the disk is full
		}
		if _, err = set(t.Context(), s.entries, corpus.Name(text), text, 0); err == nil {
			kept++
		}
	}
	if kept < 20 {
		t.Fatalf("%d texts were kept: %v", kept, err)
	}
	err = h.Run(context.Background())
	t.Log(err)
	if err == nil || !strings.Contains(err.Error(), "the hub can keep nothing more") {
		t.Errorf("the hub ended with %v", err)
	}
	h.Close()
	if err := os.Remove(filepath.Join(disk, "filler")); err != nil {
		t.Fatal(err)
	}
	if h, err = NewHub(o); err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	if s, err = newStore(h.Conn(), "full"); err == nil {
		err = s.open(t.Context())
	}
	if err == nil || missing(err) { // the bucket in memory is lost
		err = s.create(t.Context(), DefaultLease, 1)
	}
	if err != nil {
		t.Fatal(err)
	}
	for i := range kept {
		if _, _, err := get(t.Context(), s.entries, corpus.Name([]byte(strings.Repeat("x", 4<<10+i)))); err != nil {
			t.Errorf("text %d of %d was acknowledged and is gone: %v", i, kept, err)
		}
	}
}
