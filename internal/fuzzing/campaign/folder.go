package campaign

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gramfuzz/gramfuzz/internal/base/files"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/corpus"
)

// Folder is the folder of a campaign. It is safe for concurrent use, by any number of processes.
type Folder struct {
	dir  string
	disk corpus.Disk
	mu   sync.Mutex // taken before the lock of the folder

	orphans []Seed // texts of findings without records, to be run again
	noting  sync.Mutex
	notes   []string
}

// The parts of a folder.
const (
	findingsDir = "findings"
	fixedDir    = "fixed"
	recordsDir  = "records"
	reportsDir  = "reports"
	queueDir    = "queue"
	runsDir     = "runs"

	lockName  = "lock"
	indexName = "index.jsonl"
	pageName  = "report.html"
)

// Open opens the folder at dir, which is created if missing, and repairs the remains of an
// interrupted run: it removes unfinished files, and rebuilds texts, reports and the index from
// the records. Damaged files are set aside.
func Open(dir string) (*Folder, error) { return open(dir, nil) }

// open is Open with a trace of the changes.
func open(dir string, trace func(corpus.Step)) (*Folder, error) {
	f := &Folder{dir: filepath.Clean(dir), disk: corpus.Disk{Trace: trace}}
	if err := f.disk.MkdirAll(f.dir); err != nil {
		return nil, err
	}
	if err := f.clearPlaces(); err != nil {
		return nil, err
	}
	for _, d := range []string{findingsDir, recordsDir, reportsDir, queueDir, runsDir} {
		if err := f.disk.MkdirAll(f.path(d)); err != nil {
			return nil, err
		}
	}
	err := errors.Join(f.disk.SyncDir(f.dir), f.disk.SyncDir(filepath.Dir(f.dir)))
	return f, errors.Join(err, f.locked(f.mend))
}

func (f *Folder) path(parts ...string) string {
	return filepath.Join(append([]string{f.dir}, parts...)...)
}

// lockWait bounds the wait for another process, which holds the lock during a few writes.
const lockWait = 30 * time.Second

// locked calls do while no other process writes to the folder.
func (f *Folder) locked(do func() error) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	path := f.path(lockName)
	var lock *corpus.Lock
	for begin := time.Now(); ; time.Sleep(2 * time.Millisecond) {
		var err error
		if lock, err = corpus.TryLock(path); err == nil {
			break
		}
		if !errors.Is(err, corpus.ErrLocked) {
			return err
		}
		if time.Since(begin) > lockWait {
			return fmt.Errorf("%s: %w for %v; end the process that does, or use another folder", path, err, lockWait)
		}
	}
	return errors.Join(do(), lock.Unlock())
}

// mend repairs the folder. The records are the source of everything else.
func (f *Folder) mend() error {
	for _, d := range []string{"", findingsDir, fixedDir, recordsDir, reportsDir, queueDir, runsDir} {
		unfinished, err := filepath.Glob(filepath.Join(escapeGlob(f.path(d)), ".tmp-*"))
		if err != nil {
			return err
		}
		for _, path := range unfinished {
			os.Remove(path)
		}
	}
	if err := f.finishRefiling(); err != nil {
		return err
	}
	all, err := f.Findings()
	if err != nil {
		return err
	}
	for _, fd := range all {
		if err := f.writeShown(fd); err != nil {
			return err
		}
	}
	if err := f.takeOrphans(all); err != nil {
		return err
	}
	return f.writeIndex(all)
}

// escapeGlob returns a pattern that matches the path only.
func escapeGlob(path string) string {
	return strings.NewReplacer("[", "[[]", "*", "[*]", "?", "[?]").Replace(path)
}

// Findings reads all findings, in the order of their keys. Damaged records are set aside. A
// record that the system cannot read now, for lack of descriptors or by a fault of the disk, is
// an error.
func (f *Folder) Findings() ([]*Finding, error) {
	keys, err := names(f.path(recordsDir))
	if err != nil {
		return nil, err
	}
	var all []*Finding
	for _, name := range keys {
		if filepath.Ext(name) != ".json" {
			continue
		}
		fd, err := f.read(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue // removed meanwhile
		}
		var system *fs.PathError
		if errors.As(err, &system) && !errors.Is(err, fs.ErrPermission) {
			return nil, err
		}
		if err != nil {
			if err := f.setAside(f.path(recordsDir, name), err.Error()); err != nil {
				return nil, err
			}
			continue
		}
		all = append(all, fd)
	}
	return all, nil
}

// Finding reads one finding.
func (f *Folder) Finding(key string) (*Finding, error) { return f.read(key + ".json") }

func (f *Folder) read(name string) (*Finding, error) {
	data, err := readFile(f.path(recordsDir, name))
	if err != nil {
		return nil, err
	}
	fd, err := ParseFinding(data)
	if err == nil && fd.Key+".json" != name {
		err = errDamaged
	}
	return fd, err
}

// names lists the files of a folder, sorted, without hidden ones.
func names(dir string) ([]string, error) {
	d, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	all, err := d.Readdirnames(-1)
	all = slices.DeleteFunc(all, func(n string) bool { return strings.HasPrefix(n, ".") })
	slices.Sort(all)
	return all, err
}

// textPath returns the path of a finding's text.
func (f *Folder) textPath(fd *Finding) string {
	if fd.Fixed.IsZero() {
		return f.path(findingsDir, fd.Key)
	}
	return f.path(fixedDir, fd.Key)
}

// Keep keeps a finding, unless the folder already has its kind with a smaller text, or with an
// equally small and shrunk one. It returns the finding that the folder has then.
func (f *Folder) Keep(fd *Finding) (now *Finding, err error) {
	err = f.locked(func() error {
		old, err := f.read(fd.Key + ".json")
		if err == nil && !fd.Better(old) {
			now = old
			return nil
		}
		if err == nil {
			fd.Found = old.Found
		}
		now = fd
		if err := f.write(fd); err != nil {
			return err
		}
		return f.indexAll()
	})
	return now, err
}

// Refile replaces old findings by their versions for a changed program. Two may take each other's
// key; of those with one key the smaller one stays. A journal has all of them until that is done,
// so that an interruption loses none.
func (f *Folder) Refile(old, now []*Finding) error {
	return f.locked(func() error {
		var journal []byte
		best := map[string]*Finding{}
		for _, fd := range now {
			var err error
			if journal, err = fd.Append(journal); err != nil {
				return err
			}
			if b := best[fd.Key]; b == nil || fd.Better(b) {
				best[fd.Key] = fd
			}
		}
		if err := f.disk.WriteSynced(f.path(journalName), journal); err != nil {
			return err
		}
		if err := f.disk.SyncDir(f.dir); err != nil {
			return err
		}
		for _, fd := range best {
			if err := f.write(fd); err != nil {
				return err
			}
		}
		for _, fd := range old {
			if best[fd.Key] == nil {
				if err := f.remove(fd); err != nil {
					return err
				}
			}
		}
		return errors.Join(f.disk.SyncDir(f.path(recordsDir)), f.disk.Remove(f.path(journalName)), f.indexAll())
	})
}

// journalName is the file of the findings of an unfinished Refile.
const journalName = "refiling.jsonl"

// finishRefiling writes the missing findings of a journal. Old ones that still exist are run
// again, as was intended.
func (f *Folder) finishRefiling() error {
	data, err := readFile(f.path(journalName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for line := range bytes.Lines(data) {
		fd, err := ParseFinding(line)
		if err != nil {
			continue // truncated: nothing had been replaced yet
		}
		if old, err := f.read(fd.Key + ".json"); err == nil && !fd.Better(old) {
			continue
		}
		if err := f.write(fd); err != nil {
			return err
		}
	}
	return f.disk.Remove(f.path(journalName))
}

// remove removes the files of a finding, the record last.
func (f *Folder) remove(fd *Finding) error {
	for _, path := range []string{f.textPath(fd), f.path(reportsDir, fd.Key+".txt"), f.path(recordsDir, fd.Key+".json")} {
		if err := f.disk.Remove(path); err != nil {
			return err
		}
	}
	return nil
}

// indexAll writes the index of all existing findings.
func (f *Folder) indexAll() error {
	all, err := f.Findings()
	if err != nil {
		return err
	}
	return f.writeIndex(all)
}

// Better reports whether a finding replaces another one of its key.
func (fd *Finding) Better(old *Finding) bool {
	if open := old.Fixed.IsZero(); open != fd.Fixed.IsZero() {
		return !open // the bug is back, or another one is in the same place
	}
	if n, m := len(fd.Record.Text), len(old.Record.Text); n != m {
		return n < m
	}
	return fd.Shrunk && !old.Shrunk
}

// write writes the files of a finding. The record comes first: after write it survives a power
// failure.
func (f *Folder) write(fd *Finding) error {
	line, err := fd.Append(nil)
	if err != nil {
		return err
	}
	if err := f.disk.WriteSynced(f.path(recordsDir, fd.Key+".json"), line); err != nil {
		return err
	}
	return errors.Join(f.disk.SyncDir(f.path(recordsDir)), f.writeShown(fd))
}

// writeShown writes the text and the report of a finding, if they are missing.
func (f *Folder) writeShown(fd *Finding) error {
	path, other := f.textPath(fd), f.path(fixedDir, fd.Key)
	if path == other {
		other = f.path(findingsDir, fd.Key)
	}
	for _, w := range []struct {
		path string
		data []byte
	}{{f.path(reportsDir, fd.Key+".txt"), fd.report(path)}, {path, fd.Record.Text}} {
		if sameFile(w.path, w.data) {
			continue
		}
		if err := f.disk.Write(w.path, w.data); err != nil {
			return err
		}
	}
	return f.disk.Remove(other)
}

// writeIndex writes a line for each finding.
func (f *Folder) writeIndex(all []*Finding) error {
	var b []byte
	for _, fd := range all {
		entry := map[string]any{
			"key": fd.Key, "class": fd.Class, "signature": fd.Signature, "bytes": len(fd.Record.Text), "shrunk": fd.Shrunk, "found": fd.Found,
		}
		if !fd.Fixed.IsZero() {
			entry["fixed"] = fd.Fixed
		}
		line, err := json.Marshal(entry)
		if err != nil {
			return err
		}
		b = append(append(b, line...), '\n')
	}
	path := f.path(indexName)
	if sameFile(path, b) {
		return nil
	}
	return f.disk.Write(path, b)
}

// AddText adds a text to the queue, unless it is already there.
func (f *Folder) AddText(text []byte) error {
	path := f.path(queueDir, corpus.Name(text))
	if _, err := os.Stat(path); err == nil {
		return nil
	}
	return f.locked(func() error { return f.disk.Write(path, text) })
}

// Texts returns the names of the texts in the queue.
func (f *Folder) Texts() ([]string, error) { return names(f.path(queueDir)) }

// Text reads a text of the queue. One that does not match its name is set aside.
func (f *Folder) Text(name string) ([]byte, error) {
	text, err := readFile(f.path(queueDir, name))
	if err == nil {
		err = f.checkText(name, text)
	}
	return text, err
}

// All returns the texts of all findings and of the queue.
func (f *Folder) All() ([][]byte, error) {
	var texts [][]byte
	for _, d := range []string{findingsDir, queueDir} {
		all, err := names(f.path(d))
		if err != nil {
			return nil, err
		}
		for _, n := range all {
			text, err := readFile(f.path(d, n))
			if err != nil {
				return nil, err
			}
			texts = append(texts, text)
		}
	}
	return texts, nil
}

// Export writes the texts of all findings and of the queue, see [corpus.Export].
func (f *Folder) Export(dir, form string) error {
	texts, err := f.All()
	if err != nil {
		return err
	}
	return corpus.Export(dir, form, texts)
}

// maxFolderFile bounds the files of a folder, in bytes.
const maxFolderFile = 1 << 30

// readFile reads a file of a folder, where others may have put an endless one. System errors stay
// [fs.PathError]s: a file that cannot be read now is not damaged.
func readFile(path string) ([]byte, error) {
	return files.FS{Dir: filepath.Dir(path), Max: maxFolderFile}.ReadFile(filepath.Base(path))
}
