package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar/load"
	"github.com/gramfuzz/gramfuzz/parse"
)

// errNoGrammar says that none of the files a task names can be used.
var errNoGrammar = errors.New("no grammar")

// parser returns what makes trees of the task's texts. Of the files that the
// task names it takes the one with the parser's rules.
func (t *task) parser(ctx context.Context, data string) (func(context.Context, []byte) (*derive.Tree, error), error) {
	file := ""
	for _, f := range strings.Fields(t.grammar) {
		f = strings.Trim(f, "()")
		if strings.HasSuffix(f, ".g4") && (file == "" || strings.HasSuffix(f, "Parser.g4")) {
			file = f
		}
	}
	for _, folder := range []string{"dev", "impure"} {
		path := filepath.Join(data, "grammars", folder, filepath.FromSlash(file))
		if _, err := os.Stat(path); file == "" || err != nil {
			continue
		}
		g, _, err := load.File(path, load.Options{})
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
	return nil, errNoGrammar
}
