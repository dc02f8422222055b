package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/ui/language"
	"github.com/gramfuzz/gramfuzz/load"
	"github.com/gramfuzz/gramfuzz/parse"
)

// errNoGrammar reports that none of the grammar files named by a task can be used.
var errNoGrammar = errors.New("no grammar")

// load returns the grammar for the task's text, and the grammar's files. Of the files named by the
// task, it loads the one with the parser's rules.
func (t *task) load(data string) (*grammar.Grammar, []string, error) {
	file, all := "", []string(nil)
	for _, f := range strings.Fields(t.grammar) {
		f = strings.Trim(f, "()")
		if !strings.HasSuffix(f, ".g4") {
			continue
		}
		all = append(all, filepath.FromSlash(f))
		if file == "" || strings.HasSuffix(f, "Parser.g4") {
			file = filepath.FromSlash(f)
		}
	}
	if file == "" {
		if g := language.Grammar(t.input, t.text); g != nil {
			return g, nil, nil
		}
	}
	for _, folder := range []string{"dev", "impure"} {
		root := filepath.Join(data, "grammars", folder)
		if _, err := os.Stat(filepath.Join(root, file)); file == "" || err != nil {
			continue
		}
		g, _, err := load.File(filepath.Join(root, file), load.Options{})
		var files []string // those of the same language; the task may name another, too
		for _, f := range all {
			if filepath.Dir(f) == filepath.Dir(file) {
				files = append(files, filepath.Join(root, f))
			}
		}
		return g, files, err
	}
	return nil, nil, errNoGrammar
}

// parser returns a function that parses the task's texts into trees.
func (t *task) parser(ctx context.Context, data string) (func(context.Context, []byte) (*derive.Tree, error), error) {
	g, _, err := t.load(data)
	if err != nil {
		return nil, err
	}
	p, err := parse.New(ctx, g, parse.Options{})
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, text []byte) (*derive.Tree, error) {
		f, err := p.Parse(ctx, t.input, string(text))
		if err != nil {
			return nil, err
		}
		return f.Tree(ctx)
	}, nil
}
