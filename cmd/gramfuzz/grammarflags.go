package main

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/internal/base/files"
	"github.com/gramfuzz/gramfuzz/internal/base/words"
	"github.com/gramfuzz/gramfuzz/load"
)

// grammarFlags select the grammar and how it is read.
type grammarFlags struct {
	f        *flags
	path     string
	start    string
	format   string
	alphabet string
	words    string // the case of words; "" is as-is
}

func (f *flags) addGrammar() *grammarFlags {
	g := &grammarFlags{f: f}
	f.StringVarP(&g.path, "grammar", "g", "", "a grammar: a `FILE`, - for standard input, a folder, or the name of a shipped one, which ./NAME never is ("+strings.Join(grammars.Names("texts", "formats", "programs"), ", ")+")")
	f.StringVar(&g.start, "start", "", "start with this `RULE`, not with the grammar's own start")
	f.StringVar(&g.format, "format", "", "the `NOTATION` of the file ("+strings.Join(load.Notations(), ", ")+"); detected when not given")
	f.StringVar(&g.alphabet, "alphabet", "ascii", "the characters that classes generate: ascii (with those that the grammar names by themselves) or unicode")
	f.StringVar(&g.words, "case", "", "the `CASE` of case-insensitive words: as-is (as the grammar writes them; the default), lower, upper, or mixed (letter by letter)")
	return g
}

// given reports whether a grammar was named.
func (g *grammarFlags) given() bool { return g.path != "" }

// load loads the grammar of the flags, with a note about warnings.
func (g *grammarFlags) load() (*grammar.Grammar, error) {
	line := g.f.progress("reading the grammar")
	loaded, ds, err := g.read()
	line.End()
	if err != nil {
		return nil, err
	}
	warnings := 0
	for _, d := range ds {
		if d.Severity == grammar.Warning {
			warnings++
		}
	}
	if warnings > 0 {
		g.f.note("%s has %s; gramfuzz check -g %s shows them", g.path, words.Plural(warnings, "warning"), g.path)
	}
	return loaded, nil
}

// read loads the grammar with all its diagnostics.
func (g *grammarFlags) read() (*grammar.Grammar, grammar.Diagnostics, error) {
	if g.path == "" {
		return nil, nil, g.f.wrong("no grammar; name one with -g, a file or one that ships: %s", strings.Join(grammars.Names("texts", "formats", "programs"), ", "))
	}
	return readGrammar(g.f, g.ref(), g.path, g.alphabet)
}

// ref returns the reference to the grammar in a record, as far as the flags determine it.
func (g *grammarFlags) ref() derive.GrammarRef {
	ref := derive.GrammarRef{Path: g.path, Start: g.start, Format: g.format}
	if g.words != grammar.Cases()[0] {
		ref.Case = g.words
	}
	return ref
}

// readGrammar loads the grammar at path as ref demands.
func readGrammar(f *flags, ref derive.GrammarRef, path, alphabet string) (*grammar.Grammar, grammar.Diagnostics, error) {
	if l := f.std.api.loaded(path); l != nil {
		if ref.Start+ref.Format+ref.Case != "" {
			return nil, nil, f.wrong("--start, --format and --case go with the request load")
		}
		return l.Grammar, nil, nil
	}
	o := load.Options{Notation: ref.Format, Start: ref.Start, Case: ref.Case}
	switch alphabet {
	case "ascii", "":
	case "unicode":
		o.Unicode = true
	default:
		return nil, nil, f.wrong("unknown alphabet %q; there are ascii and unicode", alphabet)
	}
	o.Read = f.std.read
	if path != "-" {
		g, ds, err := grammars.Load(path, o)
		if i := slices.IndexFunc(ds, func(d grammar.Diagnostic) bool { return d.Code == "shadowed" }); i >= 0 {
			f.note("%s; %s", ds[i].Message, ds[i].Hint)
			ds = slices.Delete(ds, i, i+1)
		}
		return g, ds, err
	}
	in, err := f.std.input("the grammar")
	if err != nil {
		return nil, nil, err
	}
	src, err := files.ReadAll(in, "standard input", maxInput)
	if err != nil {
		return nil, nil, err
	}
	return load.Source("<stdin>", src, o)
}

// refOf completes the reference to a loaded grammar, by name if it is a shipped one.
func refOf(ref derive.GrammarRef, g *grammar.Grammar) derive.GrammarRef {
	ref.SHA256, ref.Start = g.SHA256, g.Start.Name
	src, _ := grammars.Source(ref.Path)
	_, err := os.Stat(ref.Path)
	if ref.Path != "-" && errors.Is(err, fs.ErrNotExist) || g.SHA256 == fmt.Sprintf("%x", sha256.Sum256(src)) {
		ref.Name, ref.Path = g.Name, ""
	}
	return ref
}
