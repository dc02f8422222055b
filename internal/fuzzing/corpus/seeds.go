package corpus

import (
	"context"
	"errors"
	"fmt"

	gctx "github.com/gramfuzz/gramfuzz/context"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/core"
	"github.com/gramfuzz/gramfuzz/internal/records/sentences"
	"github.com/gramfuzz/gramfuzz/parse"
	"github.com/gramfuzz/gramfuzz/reduce"
)

// Seeds are texts from elsewhere.
type Seeds struct {
	Trees []*derive.Tree // of the texts that are sentences, and of those parts of the others that are
	Other [][]byte       // the texts that are no sentences
}

// Bounds of a seed: the memory for each byte while it is parsed and used, and the bytes of its parts that
// are parsed. There is no bound of time: the same seeds give the same trees on a busy machine.
const (
	seedMemory = 400
	partBytes  = 1 << 20
)

// Fits returns an error if the work with a seed may take more memory than allowed; 0 is
// [parse.DefaultMaxMemory].
func Fits(e Entry, memory int64) error {
	return limited(e, core.Budget(memory).Ask("the tree and its copies", seedMemory*float64(len(e.Text))))
}

// limited says which seed met a limit.
func limited(e Entry, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("the seed %s of %s is too large to be parsed: %w", e.Name, core.Bytes(float64(len(e.Text))), err)
}

// ReadSeeds reads and parses the texts of files or folders, see [ReadAll]. It fails with [parse.ErrMemory]
// if one needs more memory than allowed; 0 is [parse.DefaultMaxMemory].
func ReadSeeds(ctx context.Context, g *grammar.Grammar, paths []string, memory int64) (*Seeds, error) {
	p, err := parse.New(ctx, g, parse.Options{MaxMemory: memory})
	if err != nil {
		return nil, fmt.Errorf("the seeds cannot be parsed: %w", err)
	}
	names, err := gctx.New(g, gctx.Options{})
	if err != nil {
		return nil, err
	}
	read := func(ctx context.Context, text []byte) (*derive.Tree, error) {
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
			if err := Fits(e, memory); err != nil {
				return nil, err
			}
			t, err := read(ctx, e.Text)
			switch {
			case err == nil:
				s.Trees = append(s.Trees, t)
				continue
			case ctx.Err() != nil:
				return nil, ctx.Err()
			case errors.Is(err, parse.ErrMemory):
				return nil, limited(e, err)
			}
			s.Other = append(s.Other, e.Text)
			left := partBytes
			s.Trees = append(s.Trees, reduce.Parts(ctx, e.Text, func(ctx context.Context, part []byte) (*derive.Tree, error) {
				left -= len(part)
				if left < 0 {
					return nil, parse.ErrMemory
				}
				return read(ctx, part)
			})...)
		}
	}
	return s, ctx.Err()
}
