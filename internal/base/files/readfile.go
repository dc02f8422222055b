package files

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Read returns the content of the file at path, of at most max bytes (64 MiB of a device). It
// never blocks: a larger file, a folder, and a pipe without a writer are errors. The errors begin
// with the path, and end with advice.
func Read(path string, max int64) ([]byte, error) {
	data, err := bounded(path, max)
	return data, named(path, err)
}

// ReadAll reads r to its end, at most max bytes; name is its name in errors.
func ReadAll(r io.Reader, name string, max int64) ([]byte, error) {
	data, err := all(r, max)
	return data, named(name, err)
}

// Unfit is the error of a file that is not read. The text says what to do.
type Unfit string

func (u Unfit) Error() string { return string(u) }

// ErrLong is what the errors for files of too many bytes wrap.
var ErrLong = errors.New("too long")

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
		return nil, longError(max)
	}
	data, err := all(f, max)
	if err == nil && len(data) == 0 && info.Mode()&fs.ModeNamedPipe != 0 {
		return nil, Unfit("this is a pipe that nobody writes to; start the program that does first")
	}
	return data, err
}

// maxDevice bounds what is read from a device, which has no size.
const maxDevice = 64 << 20

func all(r io.Reader, most int64) ([]byte, error) {
	size := most + 1 // of the first buffer; the last one is then four times the one before
	for size > 4096 {
		size = size/4 + 1
	}
	if f, ok := r.(*os.File); ok {
		info, err := f.Stat()
		switch {
		case err != nil:
		case info.Mode()&fs.ModeDevice != 0:
			most = min(most, maxDevice)
		case info.Mode().IsRegular():
			at, _ := f.Seek(0, io.SeekCurrent)
			size = max(size, info.Size()-at+1)
			if info.Size()-at > most { // 1: the end is seen without a larger buffer
				return nil, longError(most)
			}
		}
	}
	data := make([]byte, 0, min(size, most+1))
	for int64(len(data)) <= most {
		if len(data) == cap(data) { // memory that is never written costs nothing, the buffer before does
			data = append(make([]byte, 0, min(4*int64(cap(data)), most+1)), data...)
		}
		n, err := r.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		if err == io.EOF && int64(len(data)) <= most {
			return data, nil
		}
		if err != nil && err != io.EOF {
			return data, err
		}
	}
	return nil, longError(most)
}

// longError says that there are more bytes in a file than its number.
type longError int64

func (e longError) Error() string {
	return fmt.Sprintf("there are more than %d MiB in it; name a smaller file", e>>20)
}

func (e longError) Unwrap() []error { return []error{Unfit(e.Error()), ErrLong} }

// named puts the path before an error, and takes the system call out of it.
func named(path string, err error) error {
	var unfit Unfit
	var pe *fs.PathError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &unfit):
		return fmt.Errorf("%s: %w", path, err)
	case errors.As(err, &pe):
		err = pe.Err
	}
	return fmt.Errorf("%s: %w; check the path", path, err)
}

// FS is a folder whose files are read by [Read].
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
