package corpus

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gramfuzz/gramfuzz/derive"
)

// Corpus is a folder of texts, open for adding. It belongs to one goroutine; the
// lock keeps other processes out.
type Corpus struct {
	dir     string
	lock    *Lock
	records *os.File // nil until the first record
	names   map[string]bool
}

// LockedError says that another process has the corpus open.
type LockedError struct{ Dir string }

func (e *LockedError) Error() string {
	return fmt.Sprintf("%s: another process is adding to this corpus; wait for it, or use another folder", e.Dir)
}

// Open opens the corpus in a folder, which is made where it is missing.
func Open(dir string) (*Corpus, error) {
	dir = filepath.Clean(dir)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	lock, err := TryLock(dir + ".lock")
	if errors.Is(err, ErrLocked) {
		return nil, &LockedError{dir}
	}
	if err != nil {
		return nil, err
	}
	c := &Corpus{dir: dir, lock: lock, names: map[string]bool{}}
	if err := c.resume(); err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

// resume reads what is there: the names of the texts, whatever named them, and
// how far the records are whole.
func (c *Corpus) resume() error {
	entries, err := os.ReadDir(c.dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		switch {
		case strings.HasPrefix(e.Name(), ".tmp-"):
			os.Remove(filepath.Join(c.dir, e.Name())) // of a run that was interrupted
		case e.Type().IsRegular():
			c.names[e.Name()] = true
		}
	}
	f, err := os.OpenFile(c.dir+".jsonl", os.O_RDWR, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	return cutHalfLine(f)
}

// cutHalfLine cuts what stands after the last line break of a file.
func cutHalfLine(f *os.File) error {
	end, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	buf := make([]byte, 64<<10)
	for at := end; at > 0; {
		n := min(at, int64(len(buf)))
		at -= n
		if _, err := f.ReadAt(buf[:n], at); err != nil {
			return err
		}
		if i := bytes.LastIndexByte(buf[:n], '\n'); i >= 0 {
			return f.Truncate(at + int64(i) + 1)
		}
	}
	return f.Truncate(0)
}

// Has reports whether the corpus has a text under its own name.
func (c *Corpus) Has(text []byte) bool { return c.names[Name(text)] }

// Len returns how many texts there are.
func (c *Corpus) Len() int { return len(c.names) }

// Names returns the names of all texts, sorted.
func (c *Corpus) Names() []string {
	var names []string
	for n := range c.names {
		names = append(names, n)
	}
	slices.Sort(names)
	return names
}

// Read returns the text of a name.
func (c *Corpus) Read(name string) ([]byte, error) {
	return os.ReadFile(filepath.Join(c.dir, name))
}

// Add adds a text, unless it is there, with its record, nil for none.
func (c *Corpus) Add(text []byte, rec *derive.Record) (name string, added bool, err error) {
	name = Name(text)
	if c.names[name] {
		return name, false, nil
	}
	if rec != nil {
		if err := c.record(rec); err != nil {
			return "", false, err
		}
	}
	if err := WriteFile(filepath.Join(c.dir, name), text); err != nil {
		return "", false, err
	}
	c.names[name] = true
	return name, true, nil
}

func (c *Corpus) record(rec *derive.Record) (err error) {
	if c.records == nil {
		c.records, err = os.OpenFile(c.dir+".jsonl", os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o666)
		if err != nil {
			return err
		}
	}
	_, err = c.records.Write(append(rec.Append(nil), '\n'))
	return err
}

// Remove removes a text. Its record stays.
func (c *Corpus) Remove(name string) error {
	delete(c.names, name)
	return os.Remove(filepath.Join(c.dir, name))
}

// Close gives up the lock.
func (c *Corpus) Close() error {
	var err error
	if c.records != nil {
		err = c.records.Close()
	}
	return errors.Join(err, c.lock.Unlock())
}

// Entry is one input that was read.
type Entry struct {
	Name   string // of its file, with :line for a record
	Text   []byte
	Record *derive.Record // nil where there is none
}

// ReadAll reads inputs: of a file of records (.jsonl, .json), of a file of go
// test's corpus, of any other file as it is, of a folder all of these. Hidden
// files are passed over. It takes no lock.
func ReadAll(path string) ([]Entry, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return readFile(path)
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, err
	}
	var all []Entry
	for _, e := range entries {
		if !e.Type().IsRegular() || strings.HasPrefix(e.Name(), ".") {
			continue
		}
		some, err := readFile(filepath.Join(path, e.Name()))
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	return all, nil
}

func readFile(path string) ([]Entry, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	switch {
	case IsFuzz(data):
		texts, err := ParseFuzz(path, data)
		var all []Entry
		for _, t := range texts {
			all = append(all, Entry{Name: path, Text: t})
		}
		return all, err
	case bytes.HasPrefix(data, []byte(`{"v":`)) && strings.HasPrefix(filepath.Ext(path), ".json"):
		return readRecords(path, data)
	}
	return []Entry{{Name: path, Text: data}}, nil
}

func readRecords(path string, data []byte) ([]Entry, error) {
	var all []Entry
	for rec, err := range derive.ReadRecords(path, bytes.NewReader(data)) {
		if err != nil {
			return nil, err
		}
		all = append(all, Entry{Name: fmt.Sprintf("%s:%d", path, len(all)+1), Text: rec.Text, Record: rec})
	}
	return all, nil
}
