package record

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/gramfuzz/gramfuzz/derive"
)

// Are reports whether data looks like records.
func Are(data []byte) bool { return bytes.HasPrefix(bytes.TrimSpace(data), []byte(`{"v":`)) }

// ReadAll reads all records of a file; name is for messages.
func ReadAll(name string, data []byte) ([]*derive.Record, error) {
	var recs []*derive.Record
	for rec, err := range derive.ReadRecords(name, bytes.NewReader(data)) {
		if err != nil {
			return nil, err
		}
		recs = append(recs, rec)
	}
	return recs, nil
}

// TextName returns the name of the file of sentence i in a folder of texts; the folder's records
// are in FOLDER.jsonl.
func TextName(i uint64) string { return fmt.Sprintf("%06d.txt", i) }

// Beside returns the record of a file's text from a neighbouring file: FILE.json, FILE.jsonl, or
// FOLDER.jsonl for FOLDER/FILE. It is nil if there is none.
func Beside(path string, text []byte) (*derive.Record, error) {
	names := []string{path + ".json", path + ".jsonl"}
	if abs, err := filepath.Abs(path); err == nil {
		names = append(names, strings.TrimSuffix(filepath.Dir(abs), string(filepath.Separator))+".jsonl")
	}
	for _, name := range names {
		if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
			continue // a pipe or a device may have no end
		}
		file, err := os.Open(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		rec, err := find(name, file, text)
		file.Close()
		if err != nil || rec != nil {
			return rec, err
		}
	}
	return nil, nil
}

// find returns the record with the text, nil if there is none.
func find(name string, file io.Reader, text []byte) (*derive.Record, error) {
	for rec, err := range derive.ReadRecords(name, file) {
		if err != nil || bytes.Equal(rec.Text, text) {
			return rec, err
		}
	}
	return nil, nil
}
