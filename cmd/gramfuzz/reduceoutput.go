package main

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/term"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/internal/base/files"
	"github.com/gramfuzz/gramfuzz/internal/base/folder"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/predicate"
	"github.com/gramfuzz/gramfuzz/internal/records/record"
	"github.com/gramfuzz/gramfuzz/reduce"
)

// store returns functions that read and write the text of a result at a path: for a folder, its
// files.
func (f *reduceFlags) store(in *reduceInput) (read func(path string) ([]byte, error), write func(path string, text []byte) error) {
	if in.folder {
		return func(path string) ([]byte, error) { return folder.Read(path, maxInput) }, func(path string, text []byte) error { return folder.Replace(f.std.tidy, path, text) }
	}
	return func(path string) ([]byte, error) { return files.Read(path, maxInput) }, func(path string, text []byte) error { return writeFile(f.std, path, text) }
}

// stored returns a text as it is read again from where it was written to.
func (in *reduceInput) stored(text []byte) []byte {
	if in.folder {
		return folder.Canonical(text)
	}
	return text
}

// openBest opens the place of the best so far. A folder that holds anything else is not
// replaced.
func (f *reduceFlags) openBest(in *reduceInput, cache *reduce.FileCache) (*predicate.Best, error) {
	read, write := f.store(in)
	best := predicate.OpenBest(f.out, cache, read, func(path string, text []byte) error {
		if in.folder && cache != nil {
			cache.Put(sha256.Sum256(text), true)
		}
		return write(path, text)
	})
	if entries, _ := os.ReadDir(f.out); in.folder && len(entries) > 0 && !best.Earlier() {
		return nil, f.wrong("-o %s: this folder exists and is not empty; remove it or name a new one", f.out)
	}
	return best, nil
}

// keep returns a function that keeps inputs of the other outcome.
func (f *reduceFlags) keep(in *reduceInput) func(text []byte) error {
	if !f.pred.f.Changed("also-interesting") {
		return nil
	}
	_, write := f.store(in)
	dir := f.out + ".also"
	return func(text []byte) error {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return err
		}
		return write(filepath.Join(dir, fmt.Sprintf("%x%s", sha256.Sum256(text), filepath.Ext(in.name))[48:]), text)
	}
}

// recordOf returns the record of a reduced sentence.
func (f *reduceFlags) recordOf(in *reduceInput, found *found, text []byte, tree *derive.Tree) *derive.Record {
	rec := found.record
	rec.Gramfuzz, rec.Choices, rec.Rank, rec.Depth, rec.Size = version(), nil, "", 0, 0
	if measure, err := record.ParseMeasure(rec.Measure); err == nil && tree != nil {
		record.SetTree(&rec, tree, in.g.Facts(nil, measure))
	}
	rec.Text, rec.Edits = text, nil
	return &rec
}

// result prints the result on standard output.
func (f *reduceFlags) result(in *reduceInput, found *found, r *reduce.Result, report *predicate.Report) error {
	if in.g != nil {
		report.Record = f.recordOf(in, found, r.Text, r.Tree).Append(nil)
	}
	switch {
	case f.json && f.out == "":
		return f.print(append(report.Record, '\n'))
	case f.out == "":
		return f.print(r.Text)
	case !f.json:
		return nil
	}
	return f.std.printJSON(report)
}

// print writes the result to standard output. On a terminal a line break follows a text that has
// none; a file gets the exact text.
func (f *reduceFlags) print(out []byte) error {
	if file, ok := f.std.out.(*os.File); ok && term.IsTerminal(int(file.Fd())) && !strings.HasSuffix(string(out), "\n") {
		out = append(out, '\n')
	}
	return f.std.print(out)
}

// report prints the counters of the run on standard error.
func (f *reduceFlags) report(r *predicate.Report, s *reduce.Stats, ask *predicate.Caller, best *predicate.Best, took time.Duration) {
	f.note("%s", best.Summary(s, ask.Counts(), f.known, f.pred.cache, took.Round(time.Millisecond)))
	for _, note := range r.Notes(f.certify > 0, f.verbose) {
		f.note("%s", note)
	}
	if f.model {
		for _, line := range r.Model() {
			f.note("%s", line)
		}
	}
}
