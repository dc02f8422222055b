package main

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/gramfuzz/gramfuzz/internal/readfile"
)

// tidy lists the unfinished files, which a program removes before it ends early.
type tidy struct {
	mu    sync.Mutex
	left  bool
	paths map[string]bool
}

func (t *tidy) add(path string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.paths == nil {
		t.paths = map[string]bool{}
	}
	t.paths[path] = true
}

// remove removes a path and forgets it.
func (t *tidy) remove(path string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.paths, path)
	os.RemoveAll(path)
}

// rename gives a finished file or folder its own name, unless the program is
// leaving already.
func (t *tidy) rename(path, to string) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.left {
		return errors.New("interrupted")
	}
	if err := os.Rename(path, to); err != nil {
		return plainError(err)
	}
	delete(t.paths, path)
	return nil
}

func (t *tidy) removeAll() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.left = true
	for path := range t.paths {
		os.RemoveAll(path)
	}
}

// output is the destination of a result: standard output, or a file that gets its
// name when it is complete.
type output struct {
	*bufio.Writer
	std  streams
	file *os.File // nil: standard output
	path string
	temp string // the unfinished file; "" if there is none

	closed bool
}

// create opens the output called path; "" and "-" are standard output. It writes a
// pipe or a device in place.
func create(std streams, path string) (*output, error) {
	if path == "" || path == "-" {
		return &output{Writer: bufio.NewWriterSize(std.out, 64<<10), std: std}, nil
	}
	o := &output{std: std, path: path}
	var err error
	switch info, statErr := os.Stat(path); {
	case statErr == nil && info.IsDir():
		return nil, fmt.Errorf("%s: this is a folder; name a file", path)
	case statErr == nil && !info.Mode().IsRegular():
		o.file, err = os.OpenFile(path, os.O_WRONLY, 0)
	default:
		o.file, err = createTemp(std, path)
		if err == nil {
			o.temp = o.file.Name()
		}
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w; check the path", path, plainError(err))
	}
	o.Writer = bufio.NewWriterSize(o.file, 64<<10)
	return o, nil
}

// createTemp makes an unfinished file beside path, with the permissions that a
// new file has.
func createTemp(std streams, path string) (file *os.File, err error) {
	_, err = besides(std, path, func(name string) error {
		file, err = os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		return err
	})
	return file, err
}

// createTempFolder makes an unfinished folder beside path.
func createTempFolder(std streams, path string) (string, error) {
	return besides(std, path, func(name string) error { return os.Mkdir(name, 0o777) })
}

// besides makes a file or folder under a new name beside path and returns the name.
func besides(std streams, path string, make func(name string) error) (string, error) {
	dir, base := filepath.Split(path)
	for i := 0; ; i++ {
		name := filepath.Join(dir, fmt.Sprintf(".%s.%d-%d.tmp", base, os.Getpid(), i))
		err := make(name)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err == nil {
			std.tidy.add(name)
		}
		return name, err
	}
}

// close flushes and closes the file, which has no name yet.
func (o *output) close() error {
	if o.closed {
		return nil
	}
	err := o.Flush()
	if o.file != nil {
		err = errors.Join(err, o.file.Close())
	}
	o.closed = true
	if err != nil {
		return writeError(o.path, err)
	}
	return nil
}

// finish closes the file and gives it its name.
func (o *output) finish() error {
	if err := o.close(); err != nil {
		return err
	}
	if o.temp != "" {
		if err := o.std.tidy.rename(o.temp, o.path); err != nil {
			return writeError(o.path, err)
		}
	}
	o.temp = ""
	return nil
}

// abort removes an unfinished output; after finish it does nothing.
func (o *output) abort() {
	if !o.closed && o.file != nil {
		o.file.Close()
	}
	if o.temp != "" {
		o.std.tidy.remove(o.temp)
	}
}

// writeFile writes a whole file beside path and renames it.
func writeFile(std streams, path string, data []byte) error {
	o, err := create(std, path)
	if err != nil {
		return err
	}
	defer o.abort()
	if _, err := o.Write(data); err != nil {
		return writeError(path, err)
	}
	return o.finish()
}

// writeError is the error of writing path; "" is standard output.
func writeError(path string, err error) error {
	if path == "" {
		path = "standard output"
	}
	return fmt.Errorf("writing %s: %w", path, plainError(err))
}

// plainError strips the system call and the names of temporary files from an
// error.
func plainError(err error) error {
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

// maxInput bounds files that are read as a whole, in bytes.
const maxInput = 1 << 30

// readInput reads the file at path; "-" is standard input.
func readInput(std streams, path string) ([]byte, error) {
	if path == "-" {
		in, err := std.input("the text")
		if err != nil {
			return nil, err
		}
		return readfile.All(in, "standard input", maxInput)
	}
	return readfile.Bounded(path, maxInput)
}
