package lastgen_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gramfuzz/gramfuzz/internal/records/lastgen"
	"github.com/gramfuzz/gramfuzz/stream"
)

// TestKeep checks that each folder has its last plan, and that a damaged file is no plan.
func TestKeep(t *testing.T) {
	cache := t.TempDir()
	if _, err := lastgen.Read(cache, "/a"); err == nil || !strings.Contains(err.Error(), "no gen ran in this folder") {
		t.Error(err)
	}
	lastgen.Keep(cache, "/a", &stream.Plan{Seed: 1}, 10)
	lastgen.Keep(cache, "/a", &stream.Plan{Seed: 2}, 20)
	lastgen.Keep(cache, "/b", &stream.Plan{Seed: 3}, 30)
	for folder, want := range map[string]lastgen.Last{"/a": {N: 20, Plan: &stream.Plan{Seed: 2}}, "/b": {N: 30, Plan: &stream.Plan{Seed: 3}}} {
		got, err := lastgen.Read(cache, folder)
		if err != nil {
			t.Fatal(err)
		}
		want.V, want.Folder, want.Plan.Version = 2, folder, 1
		if diff := cmp.Diff(&want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", folder, diff)
		}
	}
	files, err := filepath.Glob(filepath.Join(cache, "gramfuzz", "last", "*.json"))
	if err != nil || len(files) != 2 {
		t.Fatalf("%q, %v", files, err)
	}
	for _, f := range files {
		if err := os.WriteFile(f, []byte(`{"v":2}`), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := lastgen.Read(cache, "/a"); err == nil || !strings.Contains(err.Error(), "does not say what gen did here") {
		t.Error(err)
	}
	lastgen.Keep(files[0], "/a", &stream.Plan{}, 1) // a file in place of the folder: nothing happens
}
