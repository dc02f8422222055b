package main

import (
	"context"
	"strings"

	"github.com/gramfuzz/gramfuzz/load"
)

const convertAbout = `
Write a grammar in another notation. Features that it cannot express are left out,
with a warning on standard error for each.`

func runConvert(_ context.Context, args []string, std streams) error {
	f := newFlags(std, "convert -g GRAMMAR --to NOTATION [flags]", convertAbout)
	gf := f.addGrammar()
	to := f.String("to", "ebnf", "the notation to write: "+strings.Join(load.Printable(), ", "))
	out := f.StringP("out", "o", "", "write to `FILE`, not to standard output")
	f.addQuiet()
	if err := f.parse(args, 0); err != nil {
		return err
	}
	g, err := gf.load()
	if err != nil {
		return err
	}
	text, ds, err := load.Print(g, *to)
	if err != nil {
		return f.wrong("%v", err)
	}
	if err := ds.Err(); err != nil {
		return err
	}
	if !f.quiet {
		std.diagnose(ds...)
	}
	return writeFile(std, *out, []byte(text))
}
