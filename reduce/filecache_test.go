package reduce_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gramfuzz/gramfuzz/internal/testing/blind"
	"github.com/gramfuzz/gramfuzz/reduce"
)

func openCache(t *testing.T, path string) *reduce.FileCache {
	t.Helper()
	c, err := reduce.OpenFileCache(path)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestFileCacheTorn truncates the file anywhere. Complete answers are known, no others are, and
// answers added afterwards are kept.
func TestFileCacheTorn(t *testing.T) {
	path := filepath.Join(t.TempDir(), "answers")
	c := openCache(t, path)
	key := func(i int) [32]byte { return sha256.Sum256(fmt.Append(nil, i)) }
	for i := range 4 {
		c.Put(key(i), i%2 == 1)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	const line = 67
	if len(whole) != 4*line {
		t.Fatalf("4 answers take %d bytes", len(whole))
	}
	for cut := range len(whole) + 1 {
		if err := os.WriteFile(path, whole[:cut], 0o666); err != nil {
			t.Fatal(err)
		}
		c := openCache(t, path)
		if c.Len() != cut/line {
			t.Fatalf("cut at %d: %d answers are known, want %d", cut, c.Len(), cut/line)
		}
		c.Put(key(9), true)
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
		c = openCache(t, path)
		for i := range 10 {
			holds, known := c.Get(key(i))
			// An answer that lacks only its line end is complete.
			if known != (i < (cut+1)/line || i == 9) || known && holds != (i%2 == 1) {
				t.Errorf("cut at %d: answer %d is %v, known %v", cut, i, holds, known)
			}
		}
		c.Close()
	}
}

// TestFileCacheResumes checks that a run that is ended and resumed any number of times has the
// same result with the same calls in all.
func TestFileCacheResumes(t *testing.T) {
	g := mustLoad(t, "post", postGrammar)
	rng := rand.New(rand.NewPCG(3, 3))
	for i, tree := range postTrees(t, g, 5) {
		want, err := reduce.Run(context.Background(), reduce.Input{Tree: tree}, postPredicate, reduce.Options{})
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), fmt.Sprint(i))
		calls := 0
		for ended := false; !ended; {
			c := openCache(t, path)
			r, err := reduce.Run(context.Background(), reduce.Input{Tree: tree}, postPredicate, reduce.Options{Cache: c, MaxCalls: 1 + rng.IntN(9)})
			if err != nil {
				t.Fatal(err)
			}
			if err := c.Close(); err != nil {
				t.Fatal(err)
			}
			calls += r.Stats.Calls
			ended = !r.Stats.Stopped
			if ended && !bytes.Equal(r.Text, want.Text) {
				t.Errorf("%q, want %q", r.Text, want.Text)
			}
		}
		if calls != want.Stats.Calls {
			t.Errorf("%d calls in all, want %d", calls, want.Stats.Calls)
		}
	}
}

func TestFileCacheErrors(t *testing.T) {
	if _, err := reduce.OpenFileCache(t.TempDir()); err == nil {
		t.Error("a folder is opened as a cache")
	}
}

// TestFileCacheRefuses checks that other kinds of files are refused, and that an endless one is
// not read.
func TestFileCacheRefuses(t *testing.T) {
	large := filepath.Join(t.TempDir(), "large")
	if err := os.WriteFile(large, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(large, 3<<30); err != nil {
		t.Skip(err)
	}
	for _, path := range []string{large, t.TempDir(), os.DevNull} {
		if _, err := reduce.OpenFileCache(path); err == nil || !strings.Contains(err.Error(), "this is no file of answers") {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// FuzzFileCache checks that any file is read, that only complete answers are known, and that an
// added one is kept.
func FuzzFileCache(f *testing.F) {
	key := sha256.Sum256(nil)
	for _, seed := range []string{"", fmt.Sprintf("%x 1\n", key), fmt.Sprintf("%x 0\n%x 1\n%x", key, key, key), "\n\n", strings.Repeat("0", 66) + "\n"} {
		f.Add([]byte(seed))
	}
	path := filepath.Join(f.TempDir(), "answers")
	blind.Fuzz(f, func(t *testing.T, data []byte) {
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
		c := openCache(t, path)
		known := c.Len()
		if known > len(data)/67+1 {
			t.Errorf("%d answers in %d bytes", known, len(data))
		}
		_, had := c.Get(key)
		c.Put(key, true)
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
		c = openCache(t, path)
		defer c.Close()
		if holds, ok := c.Get(key); !holds || !ok || !had && c.Len() != known+1 || had && c.Len() != known {
			t.Errorf("an answer was lost: %v, %v; %d answers of %d", holds, ok, c.Len(), known)
		}
	})
}
