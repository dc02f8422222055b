package main

import (
	"context"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/guide"
	"github.com/gramfuzz/gramfuzz/internal/ui/manual"
	"github.com/gramfuzz/gramfuzz/load"
	"github.com/gramfuzz/gramfuzz/reduce"
)

// book describes all commands, for completions and man pages. It gets the flags of each from its
// help.
func book() *manual.Book {
	b := &manual.Book{Program: "gramfuzz", Short: "make test inputs from grammars, count them, and shrink what fails", Long: helpText(), Version: version(),
		Values: map[string][]string{
			"grammar": grammars.Names("texts", "formats", "programs"), "format": load.Notations(), "to": load.Printable(),
			"strategy": {"uniform", "balanced", "broad", "mixed", "walk", "limit", "weighted", "boltzmann", "random-weights"},
			"swarm":    {"off", "plain", "down", "both"}, "layout": {"tight", "spaced", "random"}, "over": {"trees", "texts"},
			"measure": {"structure", "exact"}, "unit": {"terminals", "bytes", "nodes"}, "spread": {"even", "count"},
			"names": {"pool", "canonical"}, "alphabet": {"ascii", "unicode"}, "case": grammar.Cases(),
			"algorithm": reduce.Algorithms(), "guide": guide.Names(), "driver": {"auto", "process", "afl"},
			"by": {"auto", "sentences", "alternatives"},
		}}
	std := newStreams(nil, io.Discard, io.Discard)
	for _, c := range commands() {
		std.help = func(f *flags) {
			b.Commands = append(b.Commands, &manual.Command{Usage: f.usage, Short: c.short, Long: strings.TrimSpace(f.about), Words: c.words, Flags: f.FlagSet})
		}
		c.run(context.Background(), []string{"--help"}, std)
	}
	return b
}

const completionAbout = `
Print a script that makes bash, zsh or fish complete commands, flags and their values.
Bash needs the package bash-completion. For the current shell:

  source <(gramfuzz completion bash)
  source <(gramfuzz completion zsh)
  gramfuzz completion fish | source`

func runCompletion(_ context.Context, args []string, std streams) error {
	f := newFlags(std, "completion SHELL", completionAbout)
	if err := f.parse(args, 1); err != nil {
		return err
	}
	if !slices.Contains(manual.Shells, f.Arg(0)) {
		return f.wrong("%q is not a supported shell; write bash, zsh or fish", f.Arg(0))
	}
	return writeTo(std, "-", func(w io.Writer) error { return book().Completion(w, f.Arg(0)) })
}

// runComplete answers the scripts of runCompletion.
func runComplete(_ context.Context, args []string, std streams) error {
	return book().Complete(std.out, args)
}

const manAbout = `
Print the man page of a command, or that of gramfuzz itself; with -o write all to a
folder that exists. To read one: gramfuzz man gen | man -l -`

func runMan(_ context.Context, args []string, std streams) error {
	f := newFlags(std, "man [COMMAND] [flags]", manAbout)
	dir := f.StringP("out", "o", "", "write the pages of all commands to the folder `DIR`")
	if err := f.parse(args, 1); err != nil {
		return err
	}
	b := book()
	if *dir == "" {
		page := strings.TrimSuffix("gramfuzz-"+f.Arg(0), "-")
		if !slices.Contains(b.Pages(), page) {
			return f.wrong("unknown command %q; gramfuzz --help lists all", f.Arg(0))
		}
		return writeTo(std, "-", func(w io.Writer) error { return b.Page(w, page) })
	}
	for _, page := range b.Pages() {
		if err := writeTo(std, filepath.Join(*dir, page+".1"), func(w io.Writer) error { return b.Page(w, page) }); err != nil {
			return err
		}
	}
	return nil
}
