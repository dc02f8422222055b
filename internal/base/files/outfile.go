package files

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
)

// Tidy lists the unfinished files, which a program removes before it ends early.
type Tidy struct {
	mu    sync.Mutex
	left  bool
	paths map[string]bool
}

func (t *Tidy) add(path string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.paths == nil {
		t.paths = map[string]bool{}
	}
	t.paths[path] = true
}

// Remove removes a path and forgets it, or keeps it for [Tidy.RemoveAll] if that fails.
func (t *Tidy) Remove(path string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if os.RemoveAll(path) == nil {
		delete(t.paths, path)
	}
}

// Rename gives a finished file or folder its final name, unless the program is already leaving.
func (t *Tidy) Rename(path, to string) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.left {
		return errors.New("interrupted")
	}
	if err := os.Rename(path, to); err != nil {
		return Plain(err)
	}
	delete(t.paths, path)
	return nil
}

// RemoveAll removes all unfinished files for good, since the program is leaving.
func (t *Tidy) RemoveAll() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.left = true
	for path := range t.paths {
		os.RemoveAll(path)
	}
}

// File is the destination of a result: standard output, or a file that gets its
// name when it is complete.
type File struct {
	*bufio.Writer
	tidy *Tidy
	file *os.File // nil: standard output
	path string
	temp string // the unfinished file; "" if there is none

	closed bool
}

// Create opens the output called path; "" and "-" are out, the standard output. It
// writes a pipe or a device in place.
func (t *Tidy) Create(path string, out io.Writer) (*File, error) {
	if path == "" || path == "-" {
		return &File{Writer: bufio.NewWriterSize(out, 64<<10), tidy: t}, nil
	}
	o := &File{tidy: t, path: path}
	var err error
	switch info, statErr := os.Stat(path); {
	case statErr == nil && info.IsDir():
		return nil, fmt.Errorf("%s: this is a folder; name a file", path)
	case statErr == nil && !info.Mode().IsRegular():
		o.file, err = os.OpenFile(path, os.O_WRONLY, 0)
	default:
		o.file, err = t.createTemp(path)
		if err == nil {
			o.temp = o.file.Name()
		}
	}
	if err != nil {
		return nil, cannot(path, err)
	}
	o.Writer = bufio.NewWriterSize(o.file, 64<<10)
	return o, nil
}

// cannot returns the error of a file or folder that could not be made.
func cannot(path string, err error) error {
	if dir := filepath.Dir(path); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: there is no folder %s; make it first", path, dir)
	}
	return fmt.Errorf("%s: %w; check the path", path, Plain(err))
}

// createTemp makes an unfinished file beside path, with the permissions of a new file.
func (t *Tidy) createTemp(path string) (file *os.File, err error) {
	_, err = t.besides(path, func(name string) error {
		file, err = os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		return err
	})
	return file, err
}

// besides makes a file or folder under a new name beside path and returns the name.
func (t *Tidy) besides(path string, make func(name string) error) (string, error) {
	dir, base := filepath.Split(path)
	for i := 0; ; i++ {
		name := filepath.Join(dir, fmt.Sprintf(".%s.%d-%d.tmp", base, os.Getpid(), i))
		err := make(name)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err == nil {
			t.add(name)
		}
		return name, err
	}
}

// Close flushes and closes the file, which has no name yet.
func (o *File) Close() error {
	if o.closed {
		return nil
	}
	err := o.Flush()
	if o.file != nil {
		err = errors.Join(err, o.file.Close())
	}
	o.closed = true
	if err != nil {
		return WriteError(o.path, err)
	}
	return nil
}

// Finish closes the file and gives it its name.
func (o *File) Finish() error {
	if err := o.Close(); err != nil {
		return err
	}
	if o.temp != "" {
		if err := o.tidy.Rename(o.temp, o.path); err != nil {
			return WriteError(o.path, err)
		}
	}
	o.temp = ""
	return nil
}

// Abort removes an unfinished output; after Finish it does nothing.
func (o *File) Abort() {
	if !o.closed && o.file != nil {
		o.file.Close()
	}
	if o.temp != "" {
		o.tidy.Remove(o.temp)
	}
}

// WriteError is the error of writing path; "" and "-" are standard output.
func WriteError(path string, err error) error {
	if path == "" || path == "-" {
		path = "standard output"
	}
	return fmt.Errorf("writing %s: %w", path, Plain(err))
}

// Plain strips the system call and the names of temporary files from an
// error.
func Plain(err error) error {
	var pe *fs.PathError
	var le *os.LinkError
	switch {
	case errors.As(err, &pe):
		return pe.Err
	case errors.As(err, &le):
		return le.Err
	}
	return err
}
