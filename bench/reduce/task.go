package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gramfuzz/gramfuzz/internal/base/folder"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/target"
)

// task is one folder of the reduction tasks.
type task struct {
	name, dir string
	input     string // base name
	folder    bool   // the input is a folder; text is its content as one text
	text      []byte
	grammar   string // the content of its file "grammar"
}

// tasks reads the tasks in a data folder, unless data is "", and in the folder own of this package.
// only names the tasks to read; nil means all.
func tasks(data, own string, only []string) (ts []*task, err error) {
	roots := []string{own}
	if data != "" {
		roots = append(roots, filepath.Join(data, "reduce-bench", "tasks"))
	}
	for _, root := range roots {
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
		found, err := filepath.Glob(filepath.Join(t.dir, "input*"))
		if err != nil || len(found) != 1 {
			return nil, fmt.Errorf("%s: there must be one input.* or folder input, not %d", t.dir, len(found))
		}
		t.input = filepath.Base(found[0])
		t.folder = t.input == "input"
		if t.folder {
			t.text, err = folder.Read(found[0], largestFolder)
		} else {
			t.text, err = os.ReadFile(found[0])
		}
		if err != nil {
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

// largestFolder bounds the folder of a task, in bytes.
const largestFolder = 1 << 20

// oneRun bounds one run of a check.
const oneRun = 20 * time.Second

// predicate returns the task's check as a predicate, as gramfuzz reduce uses it. The caller must
// close it.
func (t *task) predicate() (*target.Predicate, error) {
	check, err := filepath.Abs(filepath.Join(t.dir, "check.sh"))
	if err != nil {
		return nil, err
	}
	cmd := target.Command{Args: []string{check}, Name: t.input, Timeout: oneRun, Reuse: true}
	if t.folder {
		cmd.Unpack = folder.MakeText
	}
	p, err := target.NewScript(cmd)
	if err == nil {
		p.FollowTimeout()
	}
	return p, err
}
