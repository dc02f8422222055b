package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/internal/outfile"
	"github.com/gramfuzz/gramfuzz/internal/record"
	"github.com/gramfuzz/gramfuzz/sample"
	"github.com/gramfuzz/gramfuzz/stream"
)

// toFolder writes each text to a file of its own in a new folder, and all
// records to the file beside it. Both get their names when they are complete.
func (j *genJob) toFolder(ctx context.Context) (err error) {
	dir := filepath.Clean(j.dir)
	if err := vacant(dir); err != nil {
		return err
	}
	temp, err := j.std.tidy.Folder(dir)
	if err != nil {
		return fmt.Errorf("%s: %w; check the path", dir, outfile.Plain(err))
	}
	defer func() {
		if err != nil {
			j.std.tidy.Remove(temp)
		}
	}()
	records, err := create(j.std, dir+".jsonl")
	if err != nil {
		return err
	}
	defer records.Abort()
	_, err = stream.InOrder(ctx, j.jobs, j.n, j.worker(true, '\n'), func(out []byte, _ int) error {
		if err := writeTexts(temp, out); err != nil {
			return outfile.WriteError(dir, err)
		}
		if _, err := records.Write(out); err != nil {
			return outfile.WriteError(dir+".jsonl", err)
		}
		return nil
	})
	if err != nil && !errors.Is(err, sample.ErrExhausted) && !(j.time > 0 && errors.Is(err, context.DeadlineExceeded)) {
		return err
	}
	if err := records.Close(); err != nil {
		return err
	}
	emptied := os.Remove(dir) == nil // an empty folder of that name makes room
	defer func() {
		if err != nil && emptied {
			os.Mkdir(dir, 0o777)
		}
	}()
	if err := j.std.tidy.Rename(temp, dir); err != nil {
		return outfile.WriteError(dir, err)
	}
	if err := records.Finish(); err != nil {
		os.Rename(dir, temp) // removed above
		return err
	}
	return nil
}

// vacant refuses a folder in which files could be lost.
func vacant(dir string) error {
	entries, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("%s: %w; name a new folder", dir, outfile.Plain(err))
	case len(entries) > 0:
		return fmt.Errorf("%s: this folder exists and is not empty; remove it or name a new one", dir)
	}
	return nil
}

// writeTexts writes the texts of records (one on a line) to files.
func writeTexts(dir string, lines []byte) error {
	for line := range bytes.Lines(lines) {
		rec, err := derive.ParseRecord(line)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, record.TextName(rec.Index)), rec.Text, 0o666); err != nil {
			return err
		}
	}
	return nil
}
