package corpus

import (
	"context"
	"fmt"
	"time"

	gctx "github.com/gramfuzz/gramfuzz/context"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/sentences"
	"github.com/gramfuzz/gramfuzz/parse"
	"github.com/gramfuzz/gramfuzz/reduce"
)

// Seeds are texts from elsewhere.
type Seeds struct {
	Trees []*derive.Tree // of the texts that are sentences, and of those parts of the others that are
	Other [][]byte       // the texts that are no sentences
}

// seedTime bounds the parsing of a seed, which may be very ambiguous; its parts have twice the time.
const seedTime = 5 * time.Second

// ReadSeeds reads and parses the texts of files or folders, see [ReadAll].
func ReadSeeds(ctx context.Context, g *grammar.Grammar, paths []string) (*Seeds, error) {
	p, err := parse.New(ctx, g, parse.Options{})
	if err != nil {
		return nil, fmt.Errorf("the seeds cannot be parsed: %w", err)
	}
	names, err := gctx.New(g, gctx.Options{})
	if err != nil {
		return nil, err
	}
	read := func(ctx context.Context, text []byte) (*derive.Tree, error) {
		ctx, cancel := context.WithTimeout(ctx, seedTime)
		defer cancel()
		f, err := sentences.Parse(ctx, p, "seed", text)
		if err != nil {
			return nil, err
		}
		t, err := f.Obeying(ctx, names)
		if err != nil {
			return nil, err
		}
		if named, err := names.Convert(t); err == nil { // else a name is beyond the pool
			t = named
		}
		return t, nil
	}
	s := &Seeds{}
	for _, path := range paths {
		entries, err := ReadAll(path)
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			if t, err := read(ctx, e.Text); err == nil {
				s.Trees = append(s.Trees, t)
				continue
			}
			s.Other = append(s.Other, e.Text)
			limited, cancel := context.WithTimeout(ctx, 2*seedTime)
			s.Trees = append(s.Trees, reduce.Parts(limited, e.Text, read)...)
			cancel()
		}
	}
	return s, ctx.Err()
}
