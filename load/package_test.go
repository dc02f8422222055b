package load

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// packed returns an archive of files, given as pairs of name and content.
func packed(t *testing.T, files ...string) []byte {
	t.Helper()
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	w := tar.NewWriter(z)
	for i := 0; i+1 < len(files); i += 2 {
		if err := w.WriteHeader(&tar.Header{Name: files[i], Size: int64(len(files[i+1])), Mode: 0o644, Typeflag: tar.TypeReg}); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(files[i+1])); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestPackages loads grammars from the packages of tree-sitter parsers.
func TestPackages(t *testing.T) {
	const grammar = `{"name": "ab", "rules": {"s": {"type": "SEQ", "members": [{"type": "STRING", "value": "a"}, {"type": "SYMBOL", "name": "b"}]}}}`
	dir := t.TempDir()
	write := func(name string, data []byte) string {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	write("folder/src/grammar.json", []byte(grammar))
	companion := []byte(`@token b = "b" ;`)
	write("folder.gramfuzz", companion)
	write("a.tgz.gramfuzz", companion)
	for _, path := range []string{filepath.Join(dir, "folder"), write("a.tgz", packed(t, "package/README", "x", "package/src/grammar.json", grammar))} {
		g, ds, err := File(path, Options{})
		if err != nil || g.Notation != "tree-sitter" || g.Name != "grammar" || len(g.Rules) != 2 {
			t.Errorf("%s: %v, %v", path, err, ds)
		}
	}
	for _, test := range []struct {
		name string
		data []byte
		want string
	}{
		{"none.tgz", packed(t, "package/grammar.json", grammar), "there is no src/grammar.json in the archive"},
		{"two.tgz", packed(t, "package/x/src/grammar.json", grammar, "package/y/src/grammar.json", grammar), "several grammars, package/x/src/grammar.json and package/y/src/grammar.json"},
		{"text.tgz", []byte("x = y"), "the archive cannot be read"},
		{"cut.tar.gz", packed(t, "package/src/grammar.json", strings.Repeat(grammar, 100))[:60], "the archive cannot be read"},
	} {
		path := write(test.name, test.data)
		if _, _, err := File(path, Options{}); err == nil || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %s", test.name, err, test.want)
		}
	}
}
