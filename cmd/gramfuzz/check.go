package main

import (
	"context"
	"errors"
	"io"
	"slices"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/ui/describe"
	"github.com/gramfuzz/gramfuzz/internal/ui/picture"
)

const checkAbout = `
Check a grammar. Every mistake in it goes to standard error, as file:line:col:
what is wrong; what to do. For a usable grammar, standard output shows the contents
and the growth of the number of sentences.`

func runCheck(ctx context.Context, args []string, std streams) error {
	f := newFlags(std, "check -g GRAMMAR [flags]", checkAbout)
	gf := f.addGrammar()
	html := f.String("html", "", "also draw all rules and the growth of sentences into `FILE`, a self-contained page")
	asJSON := f.addJSON("the contents, and all diagnostics")
	f.addQuiet()
	if err := f.parse(args, 1); err != nil {
		return err
	}
	if f.NArg() == 1 && !gf.given() {
		gf.path = f.Arg(0)
	}
	line := f.progress("checking")
	defer line.End()
	g, ds, err := gf.read()
	var errs grammar.Diagnostics
	if err != nil && !errors.As(err, &errs) {
		return err
	}
	std.diagnose(slices.DeleteFunc(slices.Clone(ds), func(d grammar.Diagnostic) bool { return f.quiet && d.Severity == grammar.Note })...)
	var contents *describe.Contents
	if err == nil {
		if d, ok := describe.UniformNote(ctx, g); ok && !f.quiet {
			std.diagnose(d)
			ds = append(ds, d)
		}
		never := describe.Unsatisfied(g)
		std.diagnose(never...)
		ds = append(ds, never...)
		if contents, err = describe.ContentsOf(ctx, g); err != nil {
			return err
		}
		if err := writeTo(std, *html, func(w io.Writer) error { return picture.WriteGrammar(ctx, w, g, contents, ds) }); err != nil {
			return err
		}
	}
	line.End()
	if *asJSON {
		if e := std.printJSON(describe.Checked{Contents: contents, Diagnostics: describe.Diagnostics(ds)}); e != nil {
			return e
		}
	}
	switch {
	case contents == nil:
		return &exitError{code: exitWrong}
	case *asJSON:
		return nil
	}
	return contents.WriteText(std.out)
}
