// Package readfile reads whole files, of which there may be no end.
//
//	src, err := readfile.Bounded("a.ebnf", 64<<20)
package readfile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Bounded returns the content of the file at path, of at most max bytes (64 MiB of a
// device). A larger one, a folder, and a pipe that nobody writes to are errors, which
// say so; it waits for none of these. The errors begin with the path, and end with what
// to do.
func Bounded(path string, max int64) ([]byte, error) {
	data, err := bounded(path, max)
	return data, named(path, err)
}

// All reads r to its end, at most max bytes; name is what errors call it.
func All(r io.Reader, name string, max int64) ([]byte, error) {
	data, err := all(r, max)
	return data, named(name, err)
}

// Unfit is a file that is not read. The text says what to do.
type Unfit string

func (u Unfit) Error() string { return string(u) }

func bounded(path string, max int64) ([]byte, error) {
	f, err := open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, err
	case info.IsDir():
		return nil, Unfit("this is a folder; name a file in it")
	case info.Mode().IsRegular() && info.Size() > max:
		return nil, tooLong(max)
	}
	data, err := all(f, max)
	if err == nil && len(data) == 0 && info.Mode()&fs.ModeNamedPipe != 0 {
		return nil, Unfit("this is a pipe that nobody writes to; start the program that does first")
	}
	return data, err
}

// maxDevice bounds what is read from a device, which has no size.
const maxDevice = 64 << 20

func all(r io.Reader, max int64) ([]byte, error) {
	var data bytes.Buffer
	if f, ok := r.(*os.File); ok {
		info, err := f.Stat()
		switch {
		case err != nil:
		case info.Mode()&fs.ModeDevice != 0:
			max = min(max, maxDevice)
		case info.Mode().IsRegular() && info.Size() <= max:
			data.Grow(int(info.Size()) + bytes.MinRead)
		}
	}
	_, err := data.ReadFrom(io.LimitReader(r, max+1))
	if err == nil && int64(data.Len()) > max {
		return nil, tooLong(max)
	}
	return data.Bytes(), err
}

func tooLong(max int64) error {
	return Unfit(fmt.Sprintf("there are more than %d MiB in it; name a smaller file", max>>20))
}

// named puts the path before an error, and takes the system call out of it.
func named(path string, err error) error {
	var unfit Unfit
	var pe *fs.PathError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &unfit):
		return fmt.Errorf("%s: %w", path, unfit)
	case errors.As(err, &pe):
		err = pe.Err
	}
	return fmt.Errorf("%s: %w; check the path", path, err)
}

// FS is the files of a folder, each of which is read by [Bounded].
type FS struct {
	Dir string
	Max int64
}

// Open implements [fs.FS].
func (f FS) Open(name string) (fs.File, error) { return os.DirFS(f.Dir).Open(name) }

// Stat implements [fs.StatFS].
func (f FS) Stat(name string) (fs.FileInfo, error) { return fs.Stat(os.DirFS(f.Dir), name) }

// ReadFile implements [fs.ReadFileFS].
func (f FS) ReadFile(name string) ([]byte, error) {
	if !fs.ValidPath(name) {
		return nil, fs.ErrInvalid
	}
	data, err := bounded(filepath.Join(f.Dir, filepath.FromSlash(name)), f.Max)
	if err != nil {
		return nil, err
	}
	return data, nil
}
