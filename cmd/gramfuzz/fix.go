package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/gramfuzz/gramfuzz/parse"
)

const fixAbout = `
Recompute the fields of files: lengths, counts, offsets, checksums. Apart from these,
the files are sentences of a grammar with computed fields; they may have been edited or
damaged. A file that is a sentence stays as it is. Lengths are first assumed to be
right; if a file cannot be read with them, they are recomputed, too. The result goes to
standard output; without FILE standard input is read. The exit code is 1 if a file is no sentence for other reasons.`

func runFix(ctx context.Context, args []string, std streams) error {
	f := newFlags(std, "fix -g GRAMMAR [flags] [FILE...]", fixAbout)
	gf := f.addGrammar()
	write := f.BoolP("write", "w", false, "write each file back instead, if that changes it")
	list := f.BoolP("list", "l", false, "only list the files that would change")
	memory := f.addParsing()
	f.addQuiet()
	if err := f.parse(args, -1); err != nil {
		return err
	}
	files, err := filesIn(f.Args())
	switch {
	case err != nil:
		return err
	case len(f.Args()) == 0 && *write:
		return f.wrong("-w needs the names of files")
	case *write && *list:
		return f.wrong("-w and -l do not go together; -l only lists")
	}
	g, err := gf.load()
	if err != nil {
		return err
	}
	if !g.Binary {
		return fmt.Errorf("%s: the grammar has no computed fields; docs/fields.md says how to write them", g.Name)
	}
	s, err := newSentenceReader(ctx, f, g, *memory)
	if err != nil {
		return err
	}
	for _, path := range files {
		text, err := readParsed(std, path, *memory)
		if err != nil {
			return err
		}
		tree, err := s.Parser.Repair(ctx, path, string(text))
		if wrong := new(parse.Error); errors.As(err, &wrong) {
			s.refused++
			std.refuse(wrong, text)
			continue
		}
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		if err := std.rewrite(path, text, tree.AppendText(nil), *write, *list); err != nil {
			return err
		}
	}
	return s.answer()
}
