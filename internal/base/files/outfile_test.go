package files_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gramfuzz/gramfuzz/internal/base/files"
)

// names lists the files of a folder.
func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	all := []string{}
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return all
}

// TestCreate checks that a file has its name once it is finished, and is gone if it is aborted or
// the program leaves earlier.
func TestCreate(t *testing.T) {
	for _, tt := range []struct {
		name string
		end  func(*files.Tidy, *files.File) error
		want []string
		fail bool
	}{
		{"finished", func(_ *files.Tidy, f *files.File) error { return f.Finish() }, []string{"out.txt"}, false},
		{"aborted", func(_ *files.Tidy, f *files.File) error { f.Abort(); return nil }, []string{}, false},
		{"left", func(tidy *files.Tidy, f *files.File) error { tidy.RemoveAll(); return f.Finish() }, []string{}, true},
		{"aborted when finished", func(_ *files.Tidy, f *files.File) error {
			defer f.Abort()
			return f.Finish()
		}, []string{"out.txt"}, false},
	} {
		dir, tidy := t.TempDir(), &files.Tidy{}
		path := filepath.Join(dir, "out.txt")
		f, err := tidy.Create(path, nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.WriteString("text"); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(path); err == nil {
			t.Errorf("%s: there is a file before its end", tt.name)
		}
		if err := tt.end(tidy, f); (err != nil) != tt.fail {
			t.Errorf("%s: %v", tt.name, err)
		}
		if diff := cmp.Diff(tt.want, names(t, dir)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
		if text, err := os.ReadFile(path); len(tt.want) > 0 && (err != nil || string(text) != "text") {
			t.Errorf("%s: %q, %v", tt.name, text, err)
		}
	}
}

// TestStandard checks that the output is the standard one without a name, and for -.
func TestStandard(t *testing.T) {
	for _, name := range []string{"", "-"} {
		var out bytes.Buffer
		f, err := new(files.Tidy).Create(name, &out)
		if err != nil {
			t.Fatal(err)
		}
		f.WriteString("text")
		if err := f.Finish(); err != nil || out.String() != "text" {
			t.Errorf("%q, %v", &out, err)
		}
	}
}

func TestErrors(t *testing.T) {
	dir := t.TempDir()
	if _, err := new(files.Tidy).Create(dir, nil); err == nil || err.Error() != dir+": this is a folder; name a file" {
		t.Error(err)
	}
	missing := filepath.Join(dir, "none", "out.txt")
	if _, err := new(files.Tidy).Create(missing, nil); err == nil || err.Error() != missing+": there is no folder "+filepath.Dir(missing)+"; make it first" {
		t.Error(err)
	}
	if err := files.WriteError("", errors.New("full")); err.Error() != "writing standard output: full" {
		t.Error(err)
	}
}
