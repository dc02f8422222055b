package main

import (
	"cmp"
	"io"

	"github.com/gramfuzz/gramfuzz/internal/outfile"
	"github.com/gramfuzz/gramfuzz/internal/readfile"
)

// create opens the output called path; "" and "-" are standard output.
func create(std streams, path string) (*outfile.File, error) { return std.tidy.Create(path, std.out) }

// writeFile writes a whole file beside path and renames it.
func writeFile(std streams, path string, data []byte) error {
	return writeTo(std, cmp.Or(path, "-"), func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// writeTo writes a file as writeFile does, but for the path "", which is none.
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
		return outfile.WriteError(path, err)
	}
	return o.Finish()
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
