package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gramfuzz/gramfuzz/internal/target"
)

// task is one folder of the reduction tasks.
type task struct {
	name, dir string
	input     string // base name
	text      []byte
	grammar   string // what its file "grammar" says
}

// tasks reads the tasks of a data folder and of this package's folder own, those named by
// only (nil: all).
func tasks(data, own string, only []string) (ts []*task, err error) {
	for _, root := range []string{filepath.Join(data, "reduce-bench", "tasks"), own} {
		more, err := tasksIn(root, only)
		if err != nil {
			return nil, fmt.Errorf("%w; set GRAMFUZZ_DATA or -data to the data folder, and run this at the root of the repository or with -own", err)
		}
		ts = append(ts, more...)
	}
	return ts, nil
}

// tasksIn reads the tasks of one folder.
func tasksIn(root string, only []string) (ts []*task, err error) {
	entries, err := os.ReadDir(root)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if len(only) > 0 && !slices.Contains(only, e.Name()) {
			continue
		}
		t := &task{name: e.Name(), dir: filepath.Join(root, e.Name())}
		found, err := filepath.Glob(filepath.Join(t.dir, "input.*"))
		if err != nil || len(found) != 1 {
			return nil, fmt.Errorf("%s: there must be one input.*, not %d", t.dir, len(found))
		}
		t.input = filepath.Base(found[0])
		if t.text, err = os.ReadFile(found[0]); err != nil {
			return nil, err
		}
		note, err := os.ReadFile(filepath.Join(t.dir, "grammar"))
		if err != nil {
			return nil, err
		}
		t.grammar = strings.TrimSpace(string(note))
		ts = append(ts, t)
	}
	return ts, nil
}

// oneRun bounds one run of a check.
const oneRun = 20 * time.Second

// predicate is the task's check as a predicate, as gramfuzz reduce asks it; close it at the end.
func (t *task) predicate() (*target.Predicate, error) {
	p, err := target.NewScript(target.Command{Args: []string{filepath.Join(t.dir, "check.sh")}, Name: t.input, Timeout: oneRun, Reuse: true})
	if err == nil {
		p.FollowTimeout()
	}
	return p, err
}
