package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/internal/base/files"
	"github.com/gramfuzz/gramfuzz/internal/records/record"
	"github.com/gramfuzz/gramfuzz/sample"
	"github.com/gramfuzz/gramfuzz/stream"
)

// toFolder writes each text to a file in a new folder, and all records to the file beside it.
// Both get their names when they are complete.
func (j *genJob) toFolder(ctx context.Context) error {
	dir := filepath.Clean(j.dir)
	folder, err := j.std.tidy.CreateFolder(dir)
	if err != nil {
		return err
	}
	defer folder.Abort()
	records, err := create(j.std, dir+".jsonl")
	if err != nil {
		return err
	}
	defer records.Abort()
	line, made := j.f.progress("drawing"), uint64(0)
	defer line.End()
	_, err = stream.InOrder(ctx, j.jobs, j.n, j.worker(true, '\n'), func(out []byte, pieces int) error {
		made += uint64(pieces)
		line.Done(made, j.total())
		if err := writeTexts(folder.Temp, out); err != nil {
			return files.WriteError(dir, err)
		}
		if _, err := records.Write(out); err != nil {
			return files.WriteError(dir+".jsonl", err)
		}
		return nil
	})
	if err != nil && !errors.Is(err, sample.ErrExhausted) && !(j.time > 0 && errors.Is(err, context.DeadlineExceeded)) {
		return err
	}
	if err := records.Close(); err != nil {
		return err
	}
	return folder.Finish(records.Finish)
}

// writeTexts writes the texts of records (one per line) to files.
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
