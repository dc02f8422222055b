package campaign

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/corpus"
)

// damages are kinds of damage to a file.
var damages = map[string]func(path string, old []byte) error{
	"empty":     func(path string, _ []byte) error { return os.WriteFile(path, nil, 0o666) },
	"cut":       func(path string, old []byte) error { return os.WriteFile(path, old[:len(old)/2], 0o666) },
	"garbage":   func(path string, _ []byte) error { return os.WriteFile(path, []byte("\x00\xff{]\n\x1b[2J"), 0o666) },
	"another's": func(path string, _ []byte) error { return os.WriteFile(path, []byte(`{"v":1,"text":"1"}`+"\n"), 0o666) },
	"a later form": func(path string, _ []byte) error {
		return os.WriteFile(path, []byte(`{"v":99,"text":"1"}`+"\n"), 0o666)
	},
	"a folder":      func(path string, _ []byte) error { return os.Mkdir(path, 0o777) },
	"a full folder": func(path string, _ []byte) error { return os.MkdirAll(filepath.Join(path, "in", "it"), 0o777) },
	"a sparse file": func(path string, _ []byte) error {
		return errors.Join(os.WriteFile(path, nil, 0o666), os.Truncate(path, 3<<30))
	},
	"a link to none": func(path string, _ []byte) error { return os.Symlink("nowhere/at/all", path) },
}

// TestDamaged checks that a campaign continues after any damage to a file of its folder, and has
// its findings. A file that cannot be rebuilt is set aside, with a note.
func TestDamaged(t *testing.T) {
	template := options(t, fails(two))
	template.Guide, template.Runs = "labels", 3000
	made := run(t, "expr", template)
	if len(made.Findings) != 2 {
		t.Fatalf("%d findings", len(made.Findings))
	}
	key := made.Findings[0].Key
	queue, err := names(filepath.Join(template.Dir, "queue"))
	if err != nil || len(queue) == 0 {
		t.Fatalf("no queue: %v", err)
	}
	told := map[string]bool{"records": true, "runs": true, "queue": true} // files that cannot be rebuilt
	tried := 0
	for _, file := range []string{
		"records/" + key + ".json", "findings/" + key, "reports/" + key + ".txt", "queue/" + queue[0],
		"runs/1.json", "runs/1.lock", "lock", "index.jsonl", "report.html",
	} {
		for name, damage := range damages {
			tried++
			o := template
			o.Dir, o.Runs, o.AnySeed = filepath.Join(t.TempDir(), "found"), 20, true
			if err := os.CopyFS(o.Dir, os.DirFS(template.Dir)); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(o.Dir, filepath.FromSlash(file))
			old, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
			if err := damage(path, old); err != nil {
				t.Fatal(err)
			}
			var notes []string
			o.Event = func(e Event) {
				if e.Kind == Note {
					notes = append(notes, e.Text)
				}
			}
			sum := run(t, "expr", o)
			if len(sum.Findings) != 2 {
				t.Errorf("%s is %s: %d findings are left; %q", file, name, len(sum.Findings), notes)
			}
			for _, fd := range sum.Findings {
				if text, err := os.ReadFile(filepath.Join(o.Dir, "findings", fd.Key)); err != nil || string(text) != string(fd.Record.Text) {
					t.Errorf("%s is %s: the text of a finding is %q, %v", file, name, text, err)
				}
			}
			dir := strings.Split(file, "/")[0]
			isFile := !strings.Contains(name, "folder") && !strings.Contains(name, "link")
			mustTell := told[dir] && !strings.HasSuffix(file, ".lock") && (dir != "runs" || !strings.HasPrefix(name, "a")) || !isFile
			aside, _ := names(filepath.Join(o.Dir, "damaged"))
			if mustTell && (len(aside) == 0 || !strings.Contains(strings.Join(notes, "\n"), filepath.FromSlash(file))) {
				t.Errorf("%s is %s: %q is set aside, and the notes are %q", file, name, aside, notes)
			}
		}
	}
	if tried != 81 {
		t.Errorf("%d damages were tried", tried)
	}
}

// TestDamagedFolders checks that a file at the path of a folder is also set aside.
func TestDamagedFolders(t *testing.T) {
	o := options(t, fails(two))
	run(t, "expr", o)
	for _, d := range []string{"findings", "records", "reports", "queue", "runs"} {
		path := filepath.Join(o.Dir, d)
		if err := os.RemoveAll(path); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("x"), 0o666); err != nil {
			t.Fatal(err)
		}
		o.Runs = 3000
		if sum := run(t, "expr", o); len(sum.Findings) != 2 {
			t.Errorf("%s: %d findings", d, len(sum.Findings))
		}
		if _, err := os.Stat(filepath.Join(o.Dir, "damaged", d)); err != nil {
			t.Error(err)
		}
	}
}

// disk simulates a file system that keeps synced data, and an arbitrary part of the rest.
type disk struct {
	inodes map[int]*inode
	dirs   map[string][]entry // by folder: the changes of its entries, in order
	synced map[string]int     // the number of durable ones
	at     map[string]int     // the inode of a path, as a process sees it
	next   int
}

type inode struct{ data, safe []byte }

// entry is a change of a folder: a name gets an inode, or loses it (0).
type entry struct {
	name  string
	inode int
}

func newDisk() *disk {
	return &disk{inodes: map[int]*inode{}, dirs: map[string][]entry{}, synced: map[string]int{}, at: map[string]int{}}
}

func (d *disk) set(path string, inode int) {
	dir, name := filepath.Split(path)
	dir = filepath.Clean(dir)
	d.dirs[dir] = append(d.dirs[dir], entry{name, inode})
	d.at[path] = inode
}

func (d *disk) do(s corpus.Step) {
	switch s.Kind {
	case corpus.Wrote:
		d.next++
		d.inodes[d.next] = &inode{data: s.Data}
		d.set(s.Path, d.next)
	case corpus.MadeDir:
		d.next++
		d.set(s.Path, d.next)
	case corpus.Synced:
		i := d.inodes[d.at[s.Path]]
		i.safe = i.data
	case corpus.Renamed:
		i := d.at[s.Path]
		d.set(s.To, i)
		d.set(s.Path, 0)
	case corpus.Removed:
		d.set(s.Path, 0)
	case corpus.SyncedDir:
		d.synced[filepath.Clean(s.Path)] = len(d.dirs[filepath.Clean(s.Path)])
	}
}

// left writes to a folder the remains of root after a power failure. Of the changes of folders
// that were not synced, keep percent remain, in order. Content that was not synced is lost; with
// whole set, it is kept.
func (d *disk) left(t *testing.T, root, to string, keep int, whole bool) {
	t.Helper()
	if err := os.MkdirAll(to, 0o777); err != nil {
		t.Fatal(err)
	}
	all := d.dirs[root]
	n := d.synced[root] + (len(all)-d.synced[root])*keep/100
	names := map[string]int{}
	for _, e := range all[:n] {
		names[e.name] = e.inode
	}
	for name, i := range names {
		switch file := d.inodes[i]; {
		case i == 0:
		case file == nil:
			d.left(t, filepath.Join(root, name), filepath.Join(to, name), keep, whole)
		default:
			data := file.safe
			if whole {
				data = file.data
			}
			if err := os.WriteFile(filepath.Join(to, name), data, 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestPowerLoss simulates a power failure after any change of the folder: no reported finding is
// lost, and the campaign continues.
func TestPowerLoss(t *testing.T) {
	parent := t.TempDir()
	type told struct {
		after int // the number of steps
		key   string
	}
	var mu sync.Mutex // workers send steps, and the campaign's ticker does so concurrently
	var steps []corpus.Step
	var announced []told
	o := options(t, fails(many))
	o.Dir, o.Jobs, o.Guide, o.Runs = filepath.Join(parent, "found"), 1, "labels", 3000
	o.trace = func(s corpus.Step) {
		s.Data = append([]byte(nil), s.Data...)
		mu.Lock()
		defer mu.Unlock()
		steps = append(steps, s)
	}
	o.Event = func(e Event) {
		mu.Lock()
		defer mu.Unlock()
		if e.Kind == Found || e.Kind == Shrunk {
			announced = append(announced, told{len(steps), e.Finding.Key})
		}
	}
	sum := run(t, "expr", o)
	if len(sum.Findings) < 5 || len(announced) < 10 {
		t.Fatalf("%d findings, %d steps, %d announced", len(sum.Findings), len(steps), len(announced))
	}
	d := newDisk()
	lefts := []struct {
		keep  int
		whole bool
	}{{0, false}, {100, false}, {50, true}, {25, false}, {75, true}, {75, false}}
	points, every := 0, max(1, len(steps)*len(lefts)/long(90, 500))
	for n, s := range steps {
		d.do(s)
		if n%every != 0 && n != len(steps)-1 {
			continue
		}
		for _, left := range lefts {
			points++
			dir := filepath.Join(t.TempDir(), "found")
			d.left(t, o.Dir, dir, left.keep, left.whole)
			resumed := o
			resumed.Dir, resumed.trace, resumed.Event, resumed.Runs = dir, nil, nil, 1
			c, err := New(t.Context(), grammars.Must("expr"), resumed)
			if err != nil {
				t.Fatalf("step %d (%s %s), %+v: %v", n, s.Kind, s.Path, left, err)
			}
			all, err := c.Folder().Findings()
			if err != nil {
				t.Fatal(err)
			}
			have := map[string]bool{}
			for _, fd := range all {
				have[fd.Key] = true
			}
			for _, a := range announced {
				if a.after <= n+1 && !have[a.key] {
					t.Errorf("step %d of %d (%s %s), %+v: finding %s was told of and is lost", n, len(steps), s.Kind, s.Path, left, a.key)
				}
			}
			if err := c.Close(); err != nil {
				t.Error(err)
			}
		}
	}
	t.Logf("%d steps, %d findings, %d points", len(steps), len(sum.Findings), points)
	if points < long(60, 500) {
		t.Errorf("the power was lost at %d points only", points)
	}
}

// many fails in many ways, decided twice by the content of the text.
func many(text string) string {
	switch {
	case strings.Contains(text, "(("):
		return "deep" + string(rune('0'+min(9, strings.Count(text, "("))))
	case strings.Contains(text, "/ 0"):
		return "zero"
	case strings.Contains(text, "* 1"):
		return "one"
	case strings.Contains(text, "--"):
		return "minus"
	}
	return ""
}
