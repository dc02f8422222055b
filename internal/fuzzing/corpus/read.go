package corpus

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/internal/base/files"
)

// Entry is one input read from disk.
type Entry struct {
	Name   string // the file's name, with :line for a record
	Text   []byte
	Record *derive.Record // nil if there is none
}

// ReadAll reads the inputs of a file of records (.jsonl, .json), of a file of go test's corpus,
// of any other file as raw bytes, or of all of these in a folder. Hidden files are skipped. It
// takes no lock. The errors begin with the path of a file.
func ReadAll(path string) ([]Entry, error) {
	if info, err := os.Stat(path); err != nil || !info.IsDir() {
		return readFile(path)
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w; check the path", path, files.Plain(err))
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

// maxFile bounds the size of a corpus file, in bytes.
const maxFile = 1 << 30

func readFile(path string) ([]Entry, error) {
	data, err := files.Read(path, maxFile)
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
