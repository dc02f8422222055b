package main

import (
	"bytes"
	"context"

	"github.com/gramfuzz/gramfuzz/load"
)

const fmtAbout = `
Lay out grammars in the native notation in the one canonical way, comments kept.
The result goes to standard output; without FILE standard input is read.`

func runFmt(_ context.Context, args []string, std streams) error {
	f := newFlags(std, "fmt [flags] [FILE...]", fmtAbout)
	write := f.BoolP("write", "w", false, "write each file back instead, if that changes it")
	list := f.BoolP("list", "l", false, "only list the files that would change")
	f.addQuiet()
	if err := f.parse(args, -1); err != nil {
		return err
	}
	files := f.Args()
	switch {
	case len(files) == 0 && *write:
		return f.wrong("-w needs the names of files")
	case *write && *list:
		return f.wrong("-w and -l do not go together; -l only lists")
	case len(files) == 0:
		files = []string{"-"}
	}
	for _, path := range files {
		if err := formatFile(std, path, *write, *list); err != nil {
			return err
		}
	}
	return nil
}

func formatFile(std streams, path string, write, list bool) error {
	src, err := readInput(std, path)
	if err != nil {
		return err
	}
	name := path
	if path == "-" {
		name = "<stdin>"
	}
	std.read(name, src)
	out, ds := load.Format(name, src)
	if err := ds.Err(); err != nil {
		return err
	}
	return std.rewrite(path, src, out, write, list)
}

// rewrite prints the formatted file; or, if it differs from the present one, writes it back or
// lists it.
func (s streams) rewrite(path string, is, should []byte, write, list bool) error {
	switch {
	case !write && !list:
		return s.print(should)
	case bytes.Equal(is, should):
		return nil
	case list:
		return s.print([]byte(path + "\n"))
	}
	return writeFile(s, path, should)
}
