package files

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// Folder is a folder that gets its name when it is complete.
type Folder struct {
	Temp string // its temporary name

	tidy *Tidy
	path string
	done bool
}

// CreateFolder begins a folder called path. A folder of that name must not exist, or must be
// empty.
func (t *Tidy) CreateFolder(path string) (*Folder, error) {
	entries, err := os.ReadDir(path)
	switch {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%s: %w; name a new folder", path, Plain(err))
	case len(entries) > 0:
		return nil, fmt.Errorf("%s: this folder exists and is not empty; remove it or name a new one", path)
	}
	temp, err := t.besides(path, func(name string) error { return os.Mkdir(name, 0o777) })
	if err != nil {
		return nil, cannot(path, err)
	}
	return &Folder{Temp: temp, tidy: t, path: path}, nil
}

// ReplaceFolder begins a folder that replaces any folder called path.
func (t *Tidy) ReplaceFolder(path string) (*Folder, error) {
	if info, err := os.Stat(path); err == nil && !info.IsDir() {
		return nil, fmt.Errorf("%s: this is a file; name a folder", path)
	}
	temp, err := t.besides(path, func(name string) error { return os.Mkdir(name, 0o777) })
	if err != nil {
		return nil, cannot(path, err)
	}
	return &Folder{Temp: temp, tidy: t, path: path}, nil
}

// Exchange gives the folder its name and removes the former folder. On Linux the name exists at
// any moment; elsewhere it is missing for an instant.
func (d *Folder) Exchange() error {
	if _, err := os.Stat(d.path); err != nil {
		return d.Finish(func() error { return nil })
	}
	if err := exchange(d.Temp, d.path); err != nil {
		old, err := d.tidy.besides(d.path, func(name string) error { return os.Mkdir(name, 0o777) })
		if err == nil {
			os.Remove(old) // some systems cannot rename to an existing folder
			err = os.Rename(d.path, old)
		}
		if err != nil {
			return WriteError(d.path, err)
		}
		if err := d.tidy.Rename(d.Temp, d.path); err != nil {
			return errors.Join(WriteError(d.path, err), os.Rename(old, d.path))
		}
		d.tidy.Remove(old)
	}
	d.tidy.Remove(d.Temp) // the former folder, if any
	d.done = true
	return nil
}

// Finish gives the folder its name, then calls with. If that fails, the former state is restored.
func (d *Folder) Finish(with func() error) error {
	emptied := os.Remove(d.path) == nil // removes an empty folder of that name
	err := d.tidy.Rename(d.Temp, d.path)
	if err != nil {
		err = WriteError(d.path, err)
	} else if err = with(); err != nil {
		err = errors.Join(err, os.Rename(d.path, d.Temp)) // so that Abort finds it
	}
	d.done = err == nil
	if err != nil && emptied {
		err = errors.Join(err, os.Mkdir(d.path, 0o777))
	}
	return err
}

// Abort removes an unfinished folder; after Finish it does nothing.
func (d *Folder) Abort() {
	if !d.done {
		d.tidy.Remove(d.Temp)
	}
}
