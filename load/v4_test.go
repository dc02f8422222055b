package load

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// v4 returns the folder of a checkout of antlr/grammars-v4, given by GRAMFUZZ_GRAMMARS_V4.
func v4(t testing.TB) string {
	t.Helper()
	root := os.Getenv("GRAMFUZZ_GRAMMARS_V4")
	if root == "" {
		t.Skip("GRAMFUZZ_GRAMMARS_V4 names no checkout of antlr/grammars-v4")
	}
	return root
}

// TestGrammarsV4 loads every grammar and reports the share of grammars with sentences. A
// grammar is a folder with a desc.xml and .g4 files.
func TestGrammarsV4(t *testing.T) {
	loaded, all := 0, 0
	err := filepath.WalkDir(v4(t), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.Name() != "desc.xml" {
			return err
		}
		dir := filepath.Dir(path)
		if files, _ := filepath.Glob(filepath.Join(dir, "*.g4")); len(files) == 0 {
			return nil
		}
		all++
		if _, _, err := File(dir, Options{}); err != nil {
			t.Logf("not loaded: %v", err)
			return nil
		}
		loaded++
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("of %d grammars %d have sentences (%.1f %%)", all, loaded, 100*float64(loaded)/float64(all))
	if all == 0 || float64(loaded) < 0.98*float64(all) {
		t.Errorf("%d of %d grammars have sentences, want at least 98 %%", loaded, all)
	}
}

// BenchmarkLargest loads the largest grammar.
func BenchmarkLargest(b *testing.B) {
	root := v4(b)
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := File(filepath.Join(root, "sql", "plsql"), Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
