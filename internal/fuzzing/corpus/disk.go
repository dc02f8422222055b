package corpus

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// Disk writes files so that no reader sees a partial one. The zero value is ready to use.
type Disk struct {
	// Trace is called with each step that was done; nil: no trace. Tests use it to reconstruct
	// the disk after a power failure.
	Trace func(Step)
}

// Step is a change of the file system.
type Step struct {
	Kind StepKind
	Path string
	To   string        // of Renamed
	Data []byte        // of Wrote
	Took time.Duration // of Synced and SyncedDir
}

// StepKind is the kind of a [Step].
type StepKind string

// The kinds of steps. A file's bytes are durable after Synced, a folder's entries after
// SyncedDir.
const (
	Wrote     StepKind = "write"
	Synced    StepKind = "sync"
	Renamed   StepKind = "rename"
	Removed   StepKind = "remove"
	MadeDir   StepKind = "mkdir"
	SyncedDir StepKind = "syncdir"
)

func (d *Disk) did(kind StepKind, path, to string, data []byte) {
	if d.Trace != nil {
		d.Trace(Step{Kind: kind, Path: path, To: to, Data: data})
	}
}

// Write writes a temporary file beside the path and renames it. Missing folders are made. After a
// power failure the file may be the old one, or empty, or truncated.
func (d *Disk) Write(path string, data []byte) error { return d.write(path, data, false) }

// WriteSynced is Write for a file that must be neither empty nor truncated after a power failure:
// it is the old one or the new one. After [Disk.SyncDir] of its folder it is the new one.
func (d *Disk) WriteSynced(path string, data []byte) error { return d.write(path, data, true) }

func (d *Disk) write(path string, data []byte, sync bool) error {
	dir := filepath.Dir(path)
	if err := d.MkdirAll(dir); err != nil {
		return fmt.Errorf("%s: the folder cannot be made: %w", dir, err)
	}
	f, err := os.CreateTemp(dir, ".tmp-*")
	if err != nil {
		return err
	}
	if _, err = f.Write(data); err == nil {
		d.did(Wrote, f.Name(), "", data)
		if sync {
			err = d.sync(f, Synced)
		}
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Chmod(f.Name(), 0o666&^umask)
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
		return err
	}
	d.did(Renamed, f.Name(), path, nil)
	return nil
}

// sync syncs a file or folder; the error of a file system that cannot sync is ignored.
func (d *Disk) sync(f *os.File, kind StepKind) error {
	began := time.Now()
	if err := f.Sync(); err != nil && !cannotSync(err) {
		return err
	}
	if d.Trace != nil {
		d.Trace(Step{Kind: kind, Path: f.Name(), Took: time.Since(began)})
	}
	return nil
}

// SyncDir makes a folder's entries durable: files created in it, renamed, removed.
func (d *Disk) SyncDir(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	return d.sync(f, SyncedDir)
}

// Rename renames a file or folder.
func (d *Disk) Rename(from, to string) error {
	err := os.Rename(from, to)
	if err == nil {
		d.did(Renamed, from, to, nil)
	}
	return err
}

// Remove removes a file if it exists.
func (d *Disk) Remove(path string) error {
	err := os.Remove(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		d.did(Removed, path, "", nil)
	}
	return err
}

// MkdirAll makes a folder and its missing parents.
func (d *Disk) MkdirAll(path string) error {
	if d.Trace != nil {
		if info, err := os.Stat(path); err != nil || !info.IsDir() {
			if parent := filepath.Dir(path); parent != path {
				if err := d.MkdirAll(parent); err != nil {
					return err
				}
			}
			defer d.did(MadeDir, path, "", nil)
		}
	}
	return os.MkdirAll(path, 0o777)
}

// WriteFile writes a file as [Disk.Write] does.
func WriteFile(path string, data []byte) error { return new(Disk).Write(path, data) }

// umask is the permission bit that files of this package lack: writing by others. CreateTemp's
// files are readable by their owner only, which is too strict for a corpus.
const umask = 0o022
