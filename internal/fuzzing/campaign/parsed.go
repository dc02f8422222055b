package campaign

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/parse"
	"github.com/gramfuzz/gramfuzz/reduce"
)

// parsed makes an input of a foreign text, with its tree if it is a sentence.
func (w *worker) parsed(ctx context.Context, text []byte, from string) *input {
	in := &input{text: text, from: from}
	if t, err := w.parse(ctx, text); err == nil {
		in.tree = t
	}
	return in
}

// errNoParser says that no parser can be made for the grammar.
var errNoParser = errors.New("the grammar cannot be parsed with")

// parse makes the tree of a text; a text that is too ambiguous to be parsed quickly has none.
func (w *worker) parse(ctx context.Context, text []byte) (*derive.Tree, error) {
	return w.parsedBy(ctx, func(ctx context.Context, p *parse.Parser) (*derive.Tree, error) {
		f, err := p.Parse(ctx, "text", string(text))
		if err != nil {
			return nil, err
		}
		return f.Tree(ctx)
	})
}

// repaired is parse for a text whose computed fields may be wrong.
func (w *worker) repaired(ctx context.Context, text []byte) (*derive.Tree, error) {
	return w.parsedBy(ctx, func(ctx context.Context, p *parse.Parser) (*derive.Tree, error) {
		return p.Repair(ctx, "text", string(text))
	})
}

func (w *worker) parsedBy(ctx context.Context, by func(context.Context, *parse.Parser) (*derive.Tree, error)) (*derive.Tree, error) {
	if w.parser == nil {
		p := w.c.parser()
		if p == nil {
			return nil, errNoParser
		}
		w.parser = p.Clone(w.c.o.Memory)
	}
	limited, cancel := context.WithTimeout(ctx, parseTime)
	defer cancel()
	t, err := by(limited, w.parser)
	w.limit = nil
	if errors.Is(err, parse.ErrMemory) {
		w.limit = err
	} else if limited.Err() != nil {
		w.limit = fmt.Errorf("parsing one text takes more than %v", parseTime)
	}
	return t, err
}

// parseTime bounds parsing of one text.
const parseTime = 5 * time.Second

// partsTime bounds the search for sentences in a text that is none.
const partsTime = 10 * time.Second

// partsOf returns the trees of the parts of a text that are sentences.
func (w *worker) partsOf(ctx context.Context, text []byte) []*derive.Tree {
	ctx, cancel := context.WithTimeout(ctx, partsTime)
	defer cancel()
	return reduce.Parts(ctx, text, w.parse)
}
