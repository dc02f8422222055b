package files

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestBounded(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a")
	if err := os.WriteFile(file, []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	sparse := filepath.Join(dir, "sparse")
	if f, err := os.Create(sparse); err != nil || f.Truncate(3<<30) != nil || f.Close() != nil {
		t.Skip("no sparse files here")
	}
	loop := filepath.Join(dir, "loop")
	if err := os.Symlink(loop, loop); err != nil {
		t.Skip("no symbolic links here")
	}
	for _, test := range []struct{ path, want string }{
		{file, ""},
		{dir, dir + ": this is a folder; name a file in it"},
		{sparse, sparse + ": there are more than 1 MiB in it; name a smaller file"},
		{loop, loop + ": too many levels of symbolic links; check the path"},
		{file + "x", file + "x: no such file or directory; check the path"},
		{"/dev/zero", "/dev/zero: there are more than 1 MiB in it; name a smaller file"},
		{"/dev/null", ""},
	} {
		if _, err := os.Lstat(test.path); err != nil && strings.HasPrefix(test.path, "/dev") {
			continue // not on this system
		}
		_, err := Read(test.path, 1<<20)
		if err == nil && test.want != "" || err != nil && err.Error() != test.want {
			t.Errorf("%s: %v, want %s", test.path, err, test.want)
		}
	}
	if data, err := Read(file, 4); string(data) != "text" || err != nil {
		t.Errorf("%q, %v", data, err)
	}
}

func TestFS(t *testing.T) {
	f := FS{t.TempDir(), 1 << 20}
	if err := os.WriteFile(filepath.Join(f.Dir, "a"), make([]byte, 1<<20+1), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := fs.ReadFile(f, "a"); err == nil || err.Error() != "there are more than 1 MiB in it; name a smaller file" {
		t.Error(err)
	}
	if info, err := fs.Stat(f, "a"); err != nil || info.Size() != 1<<20+1 {
		t.Error(info, err)
	}
	if _, err := fs.ReadFile(f, "../a"); err == nil {
		t.Error("a file outside of the folder is read")
	}
}
