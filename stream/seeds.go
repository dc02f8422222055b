package stream

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	gctx "github.com/gramfuzz/gramfuzz/context"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/internal/base/random"
	"github.com/gramfuzz/gramfuzz/internal/core/treeedit"
	"github.com/gramfuzz/gramfuzz/internal/lexical/lex"
	"github.com/gramfuzz/gramfuzz/parse"
)

// seeded is the strategy in records of sentences that may have a subtree of a seed. Records do not
// have the seeds, so they lead to no plan.
const seeded = "seeds"

// grafting returns s with a subtree of the plan's seeds in a quarter of the sentences. The seed and
// the number of a sentence decide whether it gets one, which, and where.
func (op *opening) grafting(ctx context.Context, s *Stream) (*Stream, error) {
	if op.Hooks != nil {
		return nil, errors.New("seeds do not go with hooks")
	}
	p, err := parse.New(ctx, op.g, parse.Options{MaxMemory: op.Memory})
	if err != nil {
		return nil, fmt.Errorf("the seeds cannot be parsed: %w", err)
	}
	var trees []*derive.Tree
	for i, text := range op.Seeds {
		f, err := p.Parse(ctx, fmt.Sprintf("seed %d", i+1), text)
		var t *derive.Tree
		if err == nil {
			t, err = f.Tree(ctx)
		}
		if err != nil {
			return nil, fmt.Errorf("%w; a seed of a plan is a sentence", err)
		}
		trees = append(trees, t)
	}
	layout, err := derive.NewLayout(op.g, op.o.Layout)
	if err != nil {
		return nil, err
	}
	o, store := derive.Options{Layout: layout}, treeedit.NewStore(trees)
	machine := func() (*derive.Machine, error) { return gctx.Machine(op.g, op.names, o) }
	return s.with(func() source {
		return &completed{&grafted{source: s.open(), new: machine, store: store, seed: op.Seed}, s.facts, s.bound.Unit}
	}), nil
}

// grafted draws sentences, some with a subtree of a seed.
type grafted struct {
	source
	new     func() (*derive.Machine, error)
	machine *derive.Machine // nil until the first use
	store   *treeedit.Store
	seed    uint64
}

// rng returns the generator of sentence i if it gets a subtree, else nil.
func (c *grafted) rng(i uint64) *rand.Rand {
	r := rand.New(rand.NewPCG(random.Next(c.seed^0x6772616674), random.Next(i)))
	if r.Float64() >= treeedit.GraftShare {
		return nil
	}
	return r
}

func (c *grafted) Tree(ctx context.Context, i uint64) (*derive.Tree, error) {
	t, err := c.source.Tree(ctx, i)
	r := c.rng(i)
	if err != nil || r == nil {
		return t, err
	}
	choices := c.store.Replace(r, t)
	if choices == nil {
		return t, nil
	}
	if c.machine == nil {
		if c.machine, err = c.new(); err != nil {
			return nil, err
		}
	}
	if grown, err := c.machine.Run(ctx, derive.Replay(choices)); !errors.As(err, new(*lex.JoinError)) {
		return grown, err
	}
	return t, nil // the tokens of the two have no layout
}

func (c *grafted) Append(ctx context.Context, dst []byte, i uint64) ([]byte, error) {
	if c.rng(i) == nil {
		return c.source.Append(ctx, dst, i)
	}
	dst, _, err := c.Draw(ctx, dst, i)
	return dst, err
}

func (c *grafted) Draw(ctx context.Context, dst []byte, i uint64) ([]byte, *derive.Tree, error) {
	return drawTree(ctx, c, dst, i)
}

func (c *grafted) Place(ctx context.Context, i uint64) (Place, error) {
	p, err := c.source.Place(ctx, i)
	p.Rank = nil // it may be that of another sentence
	return p, err
}
