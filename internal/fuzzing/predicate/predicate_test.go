package predicate_test

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"

	"github.com/gramfuzz/gramfuzz/internal/fuzzing/predicate"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/target"
	"github.com/gramfuzz/gramfuzz/reduce"
)

// script returns the predicate of a shell script.
func script(t *testing.T, code string) *target.Predicate {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("there is no shell")
	}
	path := filepath.Join(t.TempDir(), "pred.sh")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+code), 0o777); err != nil {
		t.Fatal(err)
	}
	p, err := target.NewScript(target.Command{Args: []string{path}, Name: "input"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return p
}

// TestFirst checks that the first text is found for any number of jobs, and that no question is
// repeated.
func TestFirst(t *testing.T) {
	texts := func(i int) ([]byte, error) { return []byte(strconv.Itoa(i / 2)), nil }
	for _, jobs := range []int{1, 3} {
		c := &predicate.Caller{Predicate: script(t, `grep -q 4 "$1"`)}
		most := 0
		i, err := c.First(t.Context(), jobs, 100, texts, func(n int) { most = n })
		if err != nil || i != 8 {
			t.Errorf("%d jobs: %d, %v; want 8", jobs, i, err)
		}
		if n := c.Counts().Calls; n < 5 || n > 5+int64(jobs) || most < 9 {
			t.Errorf("%d jobs: %d calls, %d texts tried", jobs, n, most)
		}
		if i, err := c.First(t.Context(), jobs, 3, texts, func(int) {}); i != -1 || err != nil {
			t.Errorf("none of three: %d, %v", i, err)
		}
	}
}

// TestBroken checks that a script that breaks is an error before the first yes, and a no after
// it.
func TestBroken(t *testing.T) {
	c := &predicate.Caller{Predicate: script(t, `case "$(cat "$1")" in yes) exit 0;; no) exit 1;; esac; exit 127`)}
	if _, err := c.Test(t.Context(), []byte("broken")); !errors.As(err, new(*target.BrokenError)) {
		t.Errorf("before any yes: %v", err)
	}
	if holds, err := c.Test(t.Context(), []byte("yes")); !holds || err != nil {
		t.Errorf("yes: %v, %v", holds, err)
	}
	if holds, err := c.Test(t.Context(), []byte("broken")); holds || err != nil {
		t.Errorf("after a yes: %v, %v", holds, err)
	}
	if err := c.Explain(reduce.ErrFlaky); !errors.As(err, new(*target.BrokenError)) {
		t.Errorf("a flaky predicate is explained by %v", err)
	}
	if got, want := c.Counts(), (predicate.Counts{Calls: 3, Broken: 1}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// TestKeep checks that texts of the other outcome are kept, and do not count as a yes.
func TestKeep(t *testing.T) {
	var kept []string
	c := &predicate.Caller{Predicate: script(t, `exit "$(cat "$1")"`), Also: 7, Keep: func(text []byte) error {
		kept = append(kept, string(text))
		return nil
	}}
	for text, want := range map[string]bool{"0": true, "1": false, "7": false} {
		if holds, err := c.Test(t.Context(), []byte(text)); holds != want || err != nil {
			t.Errorf("%s: %v, %v", text, holds, err)
		}
	}
	if len(kept) != 1 || kept[0] != "7" || c.Counts().Also != 1 {
		t.Errorf("kept %q, %+v", kept, c.Counts())
	}
}

// TestOpenCache checks that answers are kept for the same command and script only.
func TestOpenCache(t *testing.T) {
	dir, file := filepath.Join(t.TempDir(), "cache"), filepath.Join(t.TempDir(), "pred.sh")
	known := func(content, conditions string) int {
		t.Helper()
		if err := os.WriteFile(file, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
		c, err := predicate.OpenCache(dir, []string{file}, conditions)
		if err != nil {
			t.Fatal(err)
		}
		n := c.Len()
		c.Put([32]byte{1}, true)
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
		return n
	}
	for _, tt := range []struct {
		content, conditions string
		want                int
	}{{"a", "x", 0}, {"a", "x", 1}, {"b", "x", 0}, {"a", "y", 0}, {"a", "x", 1}} {
		if got := known(tt.content, tt.conditions); got != tt.want {
			t.Errorf("%+v: %d answers known", tt, got)
		}
	}
}
