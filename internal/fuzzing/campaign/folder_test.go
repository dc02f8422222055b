package campaign

import (
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gramfuzz/gramfuzz/grammars"
)

// TestShared checks that runs can share a folder: each has a number and a stream of its own, and
// all have the findings of all.
func TestShared(t *testing.T) {
	o := options(t, fails(two))
	o.Damage, o.Words = 0.25, []string{"/ 0"}
	var group sync.WaitGroup
	for seed := range uint64(3) {
		o := o
		o.Seed = seed
		c, err := New(t.Context(), grammars.Must("expr"), o)
		if err != nil {
			t.Fatal(err)
		}
		if c.Resumed() {
			t.Errorf("seed %d goes on from another run that lives", seed)
		}
		group.Go(func() {
			if _, err := c.Run(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	runs, err := filepath.Glob(filepath.Join(o.Dir, "runs", "*.json"))
	if err != nil || len(runs) != 3 {
		t.Errorf("%d runs in the folder, %v", len(runs), err)
	}
	f, err := Open(o.Dir)
	if err != nil {
		t.Fatal(err)
	}
	all, err := f.Findings()
	if err != nil || len(all) != 2 {
		t.Errorf("%d findings, %v", len(all), err)
	}
}

// TestRebuilt checks that everything but the records is rebuilt from them.
func TestRebuilt(t *testing.T) {
	o := options(t, fails(two))
	run(t, "expr", o)
	read := func() map[string]string {
		out := map[string]string{}
		for _, pattern := range []string{"index.jsonl", "findings/*", "reports/*", "records/*"} {
			paths, err := filepath.Glob(filepath.Join(o.Dir, filepath.FromSlash(pattern)))
			if err != nil {
				t.Fatal(err)
			}
			for _, path := range paths {
				data, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				out[path] = string(data)
			}
		}
		return out
	}
	before := read()
	if len(before) < 4 {
		t.Fatalf("only %d files", len(before))
	}
	for path := range before {
		if filepath.Base(filepath.Dir(path)) != "records" {
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
		}
	}
	unfinished := filepath.Join(o.Dir, "findings", ".tmp-123")
	if err := os.WriteFile(unfinished, []byte("half"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(o.Dir); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(before, read()); d != "" {
		t.Errorf("-before +after:\n%s", d)
	}
	if _, err := os.Stat(unfinished); err == nil {
		t.Error("an unfinished file is still there")
	}
}
