package campaign

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gramfuzz/gramfuzz/internal/fuzzing/target"
)

// failsAt makes a driver for a program whose text has a bug at places: texts with a word fail at
// its place.
func failsAt(places map[string]string) Drive {
	return Func(func(_ context.Context, text []byte) (*Ran, error) {
		r := &Ran{Outcome: target.Outcome{Class: target.OK}, Result: &target.Result{}}
		for _, word := range []string{"((", "*", "/"} {
			if at := places[word]; at != "" && strings.Contains(string(text), word) {
				r.Outcome = target.Outcome{Class: target.GoPanic, Detail: "panic", Frames: []target.Frame{{Func: "parse", Place: at}}}
				break
			}
		}
		return r, nil
	})
}

func places(all []*Finding) map[string]bool {
	out := map[string]bool{}
	for _, fd := range all {
		out[strings.TrimPrefix(fd.Signature, "go-panic|panic|parse|")] = true
	}
	return out
}

// TestProgramChanges checks that findings follow a changing program: moved, fixed, back again.
func TestProgramChanges(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "found")
	for _, step := range []struct {
		program      string
		places       map[string]string
		runs         uint64
		found, fixed []string
		fresh        int // findings of this run
	}{
		{"one", map[string]string{"((": "p.go:1", "*": "p.go:2"}, 2000, []string{"p.go:1", "p.go:2"}, nil, 2},
		{"two", map[string]string{"((": "p.go:11", "*": "p.go:12"}, 2000, []string{"p.go:11", "p.go:12"}, nil, 0},
		{"three", map[string]string{"((": "p.go:11"}, 10, []string{"p.go:11"}, []string{"p.go:12"}, 0},
		// Another bug in place of the fixed one: the fixed one does not hide it.
		{"three", map[string]string{"((": "p.go:11", "/": "p.go:12"}, 4000, []string{"p.go:11", "p.go:12"}, nil, 1},
		// Lines change places: each finding gets the other's name.
		{"four", map[string]string{"((": "p.go:12", "/": "p.go:11"}, 10, []string{"p.go:11", "p.go:12"}, nil, 0},
		{"five", nil, 10, nil, []string{"p.go:11", "p.go:12"}, 0},
		{"six", map[string]string{"((": "p.go:12"}, 10, []string{"p.go:12"}, []string{"p.go:11"}, 0},
	} {
		o := options(t, failsAt(step.places))
		o.Dir, o.Program, o.Runs, o.AnySeed = dir, step.program, step.runs, true
		sum := run(t, "expr", o)
		found, fixed := places(sum.Findings), places(sum.Fixed)
		if len(found) != len(step.found) || len(fixed) != len(step.fixed) || sum.New != step.fresh {
			t.Errorf("program %s: found %v, fixed %v, %d new; want %v, %v, %d", step.program, found, fixed, sum.New, step.found, step.fixed, step.fresh)
		}
		for _, at := range step.found {
			if !found[at] {
				t.Errorf("program %s: nothing is found at %s", step.program, at)
			}
		}
		texts, err := os.ReadDir(filepath.Join(dir, "findings"))
		if err != nil || len(texts) != len(step.found) {
			t.Errorf("program %s: %d texts of findings, %v", step.program, len(texts), err)
		}
		texts, err = os.ReadDir(filepath.Join(dir, "fixed"))
		if len(texts) != len(step.fixed) {
			t.Errorf("program %s: %d texts of fixed ones, %v", step.program, len(texts), err)
		}
	}
}

// TestExplain checks that failures without a stack are one finding for each place that a second
// look shows.
func TestExplain(t *testing.T) {
	o := options(t, fails(two))
	o.Drive = Func(func(_ context.Context, text []byte) (*Ran, error) {
		r := &Ran{Outcome: target.Outcome{Class: target.OK}, Result: &target.Result{}}
		if two(string(text)) != "" {
			r.Outcome = target.Outcome{Class: target.Crash, Detail: "SIGSEGV"}
		}
		return r, nil
	})
	o.Words, o.Damage = []string{"/ 0"}, 0.25
	if sum := run(t, "expr", o); len(sum.Findings) != 1 {
		t.Errorf("%d findings without a second look", len(sum.Findings))
	}
	o.Dir = filepath.Join(t.TempDir(), "explained")
	looks := 0
	o.Explain = func(_ context.Context, text []byte, out target.Outcome) (target.Outcome, error) {
		looks++
		out.Frames = []target.Frame{{Func: two(string(text)), Place: "p.c:1"}}
		return out, nil
	}
	sum := run(t, "expr", o)
	if len(sum.Findings) != 2 || looks == 0 {
		t.Errorf("%d findings with one, %d looks", len(sum.Findings), looks)
	}
}
