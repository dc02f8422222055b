package campaign

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/gramfuzz/gramfuzz/internal/testing/blind"
)

// FuzzState checks that the campaign continues or starts anew with any state of a run, and leaves
// a state that the next run accepts.
func FuzzState(f *testing.F) {
	o := func(dir string) Options {
		return Options{Dir: dir, Drive: fails(two), Command: []string{"calc", "{}"}, Seed: 1, Runs: 2, Jobs: 1, AnySeed: true}
	}
	path := func(dir string) string { return filepath.Join(dir, runsDir, "1.json") }
	var first state
	made := false // making a run needs a *testing.T, so the first seed makes it
	settle := func(t *testing.T) {
		dir := filepath.Join(t.TempDir(), "found")
		run(t, "expr", o(dir))
		data, err := os.ReadFile(path(dir))
		if err == nil {
			err = json.Unmarshal(data, &first)
		}
		if err != nil {
			t.Fatal(err)
		}
		made = true
	}
	f.Add(uint64(3), uint64(3), 1.5, 0.5, []byte(nil))
	f.Add(uint64(math.MaxUint64-1), uint64(math.MaxUint64), 1e300, -1e300, []byte(nil))
	f.Add(uint64(1)<<63, uint64(0), -1e300, 1e300, []byte(nil))
	for _, text := range []string{`{"v":1,"settings":7}`, `{"v":9}`, `[`, `{"v":1,"curve":[{"s":-1,"runs":0,"labels":-1}]}`, "null", ""} {
		f.Add(uint64(0), uint64(0), 0.0, 0.0, []byte(text))
	}
	blind.Fuzz(f, func(t *testing.T, next, runs uint64, seconds, last float64, data []byte) {
		if !made {
			settle(t)
		}
		s := first
		s.Next, s.Runs, s.Seconds, s.LastNew = next, runs, seconds, last
		s.Curve = []Point{{Seconds: last, Runs: runs, Labels: int(int32(next)), Findings: -1}, {Seconds: seconds}}
		if text, err := json.Marshal(s); len(data) == 0 && err == nil { // JSON has no infinity
			data = text
		}
		dir := filepath.Join(t.TempDir(), "found")
		if err := os.MkdirAll(filepath.Dir(path(dir)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path(dir), data, 0o666); err != nil {
			t.Fatal(err)
		}
		run(t, "expr", o(dir))
		var left state
		text, err := os.ReadFile(path(dir))
		if err == nil {
			err = json.Unmarshal(text, &left)
		}
		if err != nil {
			t.Errorf("after %s the state is %s: %v", data, text, err)
		}
	})
}
