// Package sentences reads the sentences of files: it parses texts and replays records.
//
//	r, err := sentences.New(ctx, g, parse.DefaultMaxMemory)
//	err = r.Each(ctx, "a.txt", data, func(t *derive.Tree) { … })
package sentences

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	gctx "github.com/gramfuzz/gramfuzz/context"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/records/record"
	"github.com/gramfuzz/gramfuzz/parse"
)

// Reader reads sentences of one grammar.
type Reader struct {
	Outline bool // whether the trees of texts may end at tokens

	// Refuse is called with a text that is no sentence: err is a [parse.Error] or a
	// [gctx.NameError].
	Refuse func(path string, text []byte, err error)

	Parser *parse.Parser
	Names  *gctx.Names // nil where the grammar has no annotations

	g *grammar.Grammar
}

// New returns a reader of sentences of g. memory bounds the memory of parsing one text.
func New(ctx context.Context, g *grammar.Grammar, memory int64) (*Reader, error) {
	p, err := parse.New(ctx, g, parse.Options{MaxMemory: memory})
	if err != nil {
		return nil, err
	}
	names, err := gctx.New(g, gctx.Options{})
	if err != nil {
		return nil, err
	}
	return &Reader{g: g, Parser: p, Names: names, Refuse: func(string, []byte, error) {}}, nil
}

// Parse parses one text; nil says that it was refused.
func (r *Reader) Parse(ctx context.Context, path string, text []byte) (*parse.Forest, error) {
	forest, err := Parse(ctx, r.Parser, path, text)
	if errors.As(err, new(*parse.Error)) {
		r.Refuse(path, text, err)
		return nil, nil
	}
	return forest, err
}

// Parse parses a text, trimmed as by Trimmed.
func Parse(ctx context.Context, p *parse.Parser, path string, text []byte) (*parse.Forest, error) {
	return Trimmed(text, func(text string) (*parse.Forest, error) { return p.Parse(ctx, path, text) })
}

// Trimmed returns the result of a parser for a text, which is copied. Line breaks at its end are
// left out if the grammar has none there.
func Trimmed[T any](text []byte, parsed func(text string) (T, error)) (T, error) {
	whole := string(text)
	v, err := parsed(whole)
	if short := strings.TrimRight(whole, "\r\n"); len(short) < len(whole) && errors.As(err, new(*parse.Error)) {
		if again, err := parsed(short); !errors.As(err, new(*parse.Error)) {
			return again, err
		}
	}
	return v, err
}

// Each calls do with the tree of every sentence in the data of a file: for a text its canonical
// tree, for a record its own.
func (r *Reader) Each(ctx context.Context, path string, data []byte, do func(*derive.Tree)) error {
	if !record.Are(data) {
		return r.text(ctx, path, data, do)
	}
	recs, err := record.ReadAll(path, data)
	if err != nil {
		return err
	}
	for _, rec := range recs {
		if rec.Grammar.SHA256 != "" && rec.Grammar.SHA256 != r.g.SHA256 || len(rec.Edits) > 0 {
			if err := r.text(ctx, path, rec.Text, do); err != nil {
				return err
			}
			continue
		}
		tree, err := Replay(ctx, r.g, rec)
		if err != nil {
			return err
		}
		do(tree)
	}
	return nil
}

// Replay returns the tree of a record's choices. Its text is the record's, unless that was
// changed after it was derived.
func Replay(ctx context.Context, g *grammar.Grammar, rec *derive.Record) (*derive.Tree, error) {
	m, err := record.Machine(g, rec)
	if err != nil {
		return nil, err
	}
	return m.Run(ctx, derive.Replay(rec.Choices))
}

func (r *Reader) text(ctx context.Context, path string, text []byte, do func(*derive.Tree)) error {
	forest, err := r.Parse(ctx, path, text)
	if forest == nil {
		return err
	}
	tree, err := r.Tree(ctx, path, forest)
	if err == nil && tree != nil {
		do(tree)
	}
	return err
}

// Tree returns the first tree of a text that obeys the annotations of the grammar; nil says that
// there is none and the text was refused.
func (r *Reader) Tree(ctx context.Context, path string, forest *parse.Forest) (*derive.Tree, error) {
	if r.Outline && r.Names == nil {
		return forest.Outline(ctx)
	}
	tree, err := forest.Obeying(ctx, r.Names)
	if wrong := new(gctx.NameError); errors.As(err, &wrong) {
		r.Refuse(path, nil, wrong)
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if named, err := r.Names.Convert(tree); err == nil {
		return named, nil
	}
	return tree, nil // it has names beyond the pool
}

// Files lists the files of paths and of folders.
func Files(paths []string) ([]string, error) {
	var out []string
	for _, path := range paths {
		info, err := os.Stat(path)
		if path == "-" || err != nil || !info.IsDir() {
			out = append(out, path)
			continue
		}
		entries, err := os.ReadDir(path)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, errors.Unwrap(err))
		}
		for _, e := range entries {
			if e.Type().IsRegular() {
				out = append(out, filepath.Join(path, e.Name()))
			}
		}
	}
	return out, nil
}
