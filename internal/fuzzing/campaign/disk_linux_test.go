package campaign

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/gramfuzz/gramfuzz/grammars"
)

// TestFullDisk checks that a full disk is reported with the text that could not be kept. Files
// written before stay complete, and the campaign continues once there is space.
func TestFullDisk(t *testing.T) {
	disk := t.TempDir()
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=256k"); err != nil {
		t.Skipf("no small disk can be made here (it takes root): %v", err)
	}
	defer syscall.Unmount(disk, syscall.MNT_DETACH)
	o := options(t, fails(func(text string) string {
		switch {
		case strings.Contains(text, " * ") && strings.Contains(text, " / "):
			return "rare"
		case strings.Contains(text, "("):
			return "common"
		}
		return ""
	}))
	o.Dir, o.Enough = filepath.Join(disk, "found"), 1
	before := run(t, "expr", o).Findings
	if len(before) == 0 {
		t.Fatal("nothing was found")
	}
	o.Enough = 0
	filler := filepath.Join(disk, "filler")
	f, err := os.Create(filler)
	if err != nil {
		t.Fatal(err)
	}
	for err == nil {
		_, err = f.Write(make([]byte, 4096))
	}
	f.Close()
	if !errors.Is(err, syscall.ENOSPC) {
		t.Fatal(err)
	}
	c, err := New(context.Background(), grammars.Must("expr"), o)
	if err == nil {
		_, err = c.Run(t.Context())
	}
	if !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("on a full disk the error is %v", err)
	}
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	got := texts(run(t, "expr", o))
	for _, fd := range before {
		if len(got[fd.Detail]) == 0 || len(got[fd.Detail]) > len(fd.Record.Text) {
			t.Errorf("%s was %q and is %q", fd.Detail, fd.Record.Text, got[fd.Detail])
		}
	}
	if len(got) != 2 {
		t.Errorf("with room again there are %q", got)
	}
}
