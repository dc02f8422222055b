package campaign

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/gramfuzz/gramfuzz/internal/fuzzing/corpus"
)

// damagedDir is the subfolder for damaged files.
const damagedDir = "damaged"

// setAside moves a damaged file, or another object at a file's path, into damagedDir, and notes
// why.
func (f *Folder) setAside(path, why string) error {
	name, err := filepath.Rel(f.dir, path)
	if err != nil {
		return err
	}
	if err := f.disk.MkdirAll(f.path(damagedDir)); err != nil {
		return err
	}
	to := f.path(damagedDir, strings.ReplaceAll(name, string(filepath.Separator), "-"))
	for n := 1; ; n++ {
		free := to
		if n > 1 {
			free = fmt.Sprintf("%s-%d", to, n)
		}
		if _, err := os.Lstat(free); !errors.Is(err, fs.ErrNotExist) {
			continue
		}
		err := f.disk.Rename(path, free)
		if errors.Is(err, fs.ErrNotExist) {
			return nil // another process was faster
		}
		if err == nil {
			f.note("%s: %s; it was set aside as %s", path, why, free)
		}
		return err
	}
}

// maxNotes bounds the notes that wait to be reported.
const maxNotes = 100

func (f *Folder) note(format string, a ...any) {
	f.noting.Lock()
	defer f.noting.Unlock()
	if len(f.notes) < maxNotes {
		f.notes = append(f.notes, fmt.Sprintf(format, a...))
	}
}

// takeNotes returns the notes since the last time.
func (f *Folder) takeNotes() []string {
	f.noting.Lock()
	defer f.noting.Unlock()
	notes := f.notes
	f.notes = nil
	return notes
}

// clearPlaces sets aside objects of the wrong kind at the paths of a campaign's folders and
// files: opening them could fail, or block for ever.
func (f *Folder) clearPlaces() error {
	for _, d := range []string{findingsDir, fixedDir, recordsDir, reportsDir, queueDir, runsDir, damagedDir} {
		info, err := os.Stat(f.path(d))
		if err != nil && !isThere(f.path(d)) {
			continue
		}
		if err != nil || !info.IsDir() {
			if err := f.setAside(f.path(d), "it is no folder"); err != nil {
				return err
			}
			continue
		}
		if d == damagedDir {
			continue
		}
		all, err := names(f.path(d))
		if err != nil {
			return err
		}
		for _, name := range all {
			if err := f.clearFile(f.path(d, name)); err != nil {
				return err
			}
		}
	}
	for _, name := range []string{lockName, indexName, pageName, journalName} {
		if err := f.clearFile(f.path(name)); err != nil {
			return err
		}
	}
	return nil
}

func isThere(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// clearFile sets aside an object that is no regular file, and a file that is too large to be
// read.
func (f *Folder) clearFile(path string) error {
	info, err := os.Stat(path)
	switch {
	case err != nil && !isThere(path):
		return nil
	case err != nil || !info.Mode().IsRegular():
		return f.setAside(path, "it is no file")
	case info.Size() > maxFolderFile:
		return f.setAside(path, fmt.Sprintf("there are more than %d MiB in it", maxFolderFile>>20))
	}
	return nil
}

// takeOrphans sets aside the texts of findings that have no record, and keeps them to be run
// again, which finds them again.
func (f *Folder) takeOrphans(all []*Finding) error {
	known := map[string]bool{}
	for _, fd := range all {
		known[fd.Key] = true
	}
	for _, d := range []string{findingsDir, fixedDir} {
		keys, err := names(f.path(d))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		for _, key := range keys {
			if known[key] || !isHash(key, 16) {
				continue
			}
			text, err := readFile(f.path(d, key))
			if err != nil {
				return err
			}
			if err := f.setAside(f.path(d, key), "it has no record, and is run again"); err != nil {
				return err
			}
			f.orphans = append(f.orphans, Seed{Name: key, Text: text})
		}
	}
	return nil
}

// isHash reports whether a name is a hash of the given number of digits.
func isHash(name string, digits int) bool {
	return len(name) == digits && strings.Trim(name, "0123456789abcdef") == ""
}

// errDamaged says that a text of the queue does not match its name.
var errDamaged = errors.New("it is not what its name says")

// checkText sets a text of the queue aside whose name is not its hash.
func (f *Folder) checkText(name string, text []byte) error {
	if !isHash(name, 32) || corpus.Name(text) == name {
		return nil
	}
	return errors.Join(errDamaged, f.setAside(f.path(queueDir, name), errDamaged.Error()))
}

// sameFile reports whether a file has the content want.
func sameFile(path string, want []byte) bool {
	now, err := readFile(path)
	return err == nil && bytes.Equal(now, want)
}
