package files_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gramfuzz/gramfuzz/internal/base/files"
)

// TestFolder checks that a folder exists complete or not at all; after a failure an empty one of
// its name exists again.
func TestFolder(t *testing.T) {
	broken := errors.New("broken")
	for _, test := range []struct {
		name   string
		before func(dir string) // makes the initial state
		with   error
		want   []string // the final entries of the parent folder
	}{
		{"new", func(string) {}, nil, []string{"d", "d/a"}},
		{"in the place of an empty one", func(dir string) { os.Mkdir(dir, 0o700) }, nil, []string{"d", "d/a"}},
		{"a failure", func(string) {}, broken, nil},
		{"a failure in the place of an empty one", func(dir string) { os.Mkdir(dir, 0o700) }, broken, []string{"d"}},
	} {
		root := t.TempDir()
		dir := filepath.Join(root, "d")
		test.before(dir)
		d, err := new(files.Tidy).CreateFolder(dir)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(d.Temp, "a"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := d.Finish(func() error { return test.with }); !errors.Is(err, test.with) {
			t.Errorf("%s: %v", test.name, err)
		}
		d.Abort()
		var got []string
		for _, pattern := range []string{"*", ".*", "*/*"} {
			names, _ := filepath.Glob(filepath.Join(root, pattern))
			for _, n := range names {
				rel, _ := filepath.Rel(root, n)
				got = append(got, filepath.ToSlash(rel))
			}
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s: -want +got:\n%s", test.name, diff)
		}
	}
	full := t.TempDir()
	if err := os.WriteFile(filepath.Join(full, "a"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := new(files.Tidy).CreateFolder(full); err == nil {
		t.Error("a folder with a file in it is taken")
	}
}

// TestExchange checks that a folder replaces one of its name, or none.
func TestExchange(t *testing.T) {
	root := t.TempDir()
	dir := filepath.Join(root, "d")
	for _, name := range []string{"a", "b"} {
		d, err := new(files.Tidy).ReplaceFolder(dir)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(d.Temp, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := d.Exchange(); err != nil {
			t.Fatal(err)
		}
		d.Abort()
		left, _ := filepath.Glob(filepath.Join(root, "*"))
		hidden, _ := filepath.Glob(filepath.Join(root, ".*"))
		inside, _ := filepath.Glob(filepath.Join(dir, "*"))
		if diff := cmp.Diff([]string{dir, filepath.Join(dir, name)}, append(append(left, hidden...), inside...)); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	}
	if _, err := new(files.Tidy).ReplaceFolder(filepath.Join(dir, "b")); err == nil {
		t.Error("a file makes room for a folder")
	}
}
