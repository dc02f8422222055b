package antlr4

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// TestGrammarsV4 loads every grammar of a checkout of antlr/grammars-v4, whose
// folder GRAMFUZZ_GRAMMARS_V4 names, and reports the share that loads. A grammar
// is a folder with a desc.xml and .g4 files.
func TestGrammarsV4(t *testing.T) {
	root := os.Getenv("GRAMFUZZ_GRAMMARS_V4")
	if root == "" {
		t.Skip("GRAMFUZZ_GRAMMARS_V4 names no checkout of antlr/grammars-v4")
	}
	loaded, frozen, all := 0, 0, 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.Name() != "desc.xml" {
			return err
		}
		dir := filepath.Dir(path)
		if files, _ := filepath.Glob(filepath.Join(dir, "*.g4")); len(files) == 0 {
			return nil
		}
		all++
		g, ds := Load(os.DirFS(dir), ".", dir)
		if err := ds.Err(); err != nil {
			t.Logf("not loaded: %v", err)
			return nil
		}
		loaded++
		if err := freezes(g).Err(); err != nil {
			t.Logf("loaded, but nothing to generate: %v", err)
			return nil
		}
		frozen++
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("of %d grammars %d load (%.1f %%), %d of them generate", all, loaded, 100*float64(loaded)/float64(all), frozen)
	if all == 0 || float64(loaded) < 0.98*float64(all) {
		t.Errorf("%d of %d grammars load, want at least 98 %%", loaded, all)
	}
}
