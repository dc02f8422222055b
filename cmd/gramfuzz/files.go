package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"

	"github.com/gramfuzz/gramfuzz/internal/base/files"
	"github.com/gramfuzz/gramfuzz/internal/base/words"
	"github.com/gramfuzz/gramfuzz/internal/core"
)

// create opens the output called path; "" and "-" are standard output.
func create(std streams, path string) (*files.File, error) { return std.tidy.Create(path, std.out) }

// writeFile writes a whole file beside path and renames it.
func writeFile(std streams, path string, data []byte) error {
	return writeTo(std, cmp.Or(path, "-"), func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// writeTo is writeFile, which does nothing for the path "".
func writeTo(std streams, path string, write func(io.Writer) error) error {
	if path == "" {
		return nil
	}
	o, err := create(std, path)
	if err != nil {
		return err
	}
	defer o.Abort()
	if err := write(o); err != nil {
		return files.WriteError(path, err)
	}
	return o.Finish()
}

// maxInput bounds files that are read as a whole, in bytes.
const maxInput = 1 << 30

// readInput reads the file at path; "-" is standard input.
func readInput(std streams, path string) ([]byte, error) { return readBounded(std, path, maxInput) }

// readBounded is readInput for at most so many bytes.
func readBounded(std streams, path string, most int64) ([]byte, error) {
	if path == "-" {
		in, err := std.input("the text")
		if err != nil {
			return nil, err
		}
		return files.ReadAll(in, "standard input", most)
	}
	return files.Read(path, most)
}

// readParsed reads a text for parsing within so many bytes of memory; the parser copies it.
func readParsed(std streams, path string, memory words.Bytes) ([]byte, error) {
	most := min(maxInput, int64(memory/2))
	data, err := readBounded(std, path, most)
	if most < maxInput && errors.Is(err, files.ErrLong) {
		return nil, fmt.Errorf("%s: the text has more than half of the %s allowed; --max-memory raises the limit", path, core.Bytes(float64(memory)))
	}
	return data, err
}
