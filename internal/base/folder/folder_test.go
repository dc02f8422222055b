package folder_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gramfuzz/gramfuzz/internal/base/folder"
	"github.com/gramfuzz/gramfuzz/internal/testing/blind"
)

// TestRoundTrip checks that files come back from their text, and a folder from its files.
func TestRoundTrip(t *testing.T) {
	files := []folder.File{
		{Name: "a", Data: []byte{}},
		{Name: "lib/x.c", Data: []byte("int x;\n")},
		{Name: "lib/y z.c", Data: []byte("\x1b[1m \x1e^ \x1b^ \x1b\x1b\x1e\x1b")},
		{Name: "run.sh", Executable: true, Data: []byte("#!/bin/sh\n")},
	}
	text := folder.Pack(files)
	got, err := folder.Unpack(text)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(files, got); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
	dir := t.TempDir()
	if err := folder.MakeText(dir, text); err != nil {
		t.Fatal(err)
	}
	again, err := folder.Read(dir, 1000)
	if err != nil || !bytes.Equal(again, text) {
		t.Errorf("%q, %v; want %q", again, err, text)
	}
	files[0], files[3] = files[3], files[0]
	if got := folder.Canonical(folder.Pack(files)); !bytes.Equal(got, text) {
		t.Errorf("in another order it is %q", got)
	}
	if _, err := folder.Read(dir, 10); err == nil {
		t.Error("a folder that is too large is read")
	}
	if err := os.Symlink("a", filepath.Join(dir, "link")); err == nil {
		if _, err := folder.Read(dir, 1000); err == nil {
			t.Error("a link is read")
		}
	}
}

// TestRefused checks that texts are refused that no folder can hold.
func TestRefused(t *testing.T) {
	for _, text := range []string{
		"a", "a\x1e", "\nx\x1e", "../a\n\x1e", "/a\n\x1e", "a//b\n\x1e", "a/\n\x1e", ".\n\x1e", "a\n\x1ea\n\x1e", "a\n\x1ea/b\n\x1e", "a\tb\n\x1e", "a:b\n\x1e", "\xff\n\x1e",
		string(bytes.Repeat([]byte("a"), 251)) + "\n\x1e",
	} {
		if folder.Valid([]byte(text)) {
			t.Errorf("%q is taken", text)
		}
	}
}

// FuzzUnpack unpacks any bytes: packing an accepted text's files gives the text again, without
// needless escapes.
func FuzzUnpack(f *testing.F) {
	f.Add([]byte("a\nx\x1eb/c*\n\x1b^\x1e"))
	f.Add([]byte("a\n\x1b"))
	blind.Fuzz(f, func(t *testing.T, text []byte) {
		files, err := folder.Unpack(text)
		if err != nil {
			return
		}
		again, err := folder.Unpack(folder.Pack(files))
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(files, again); d != "" {
			t.Errorf("-want +got:\n%s", d)
		}
	})
}
