package stream

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/big"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/internal/core"
	"github.com/gramfuzz/gramfuzz/internal/lexical/lex"
	"github.com/gramfuzz/gramfuzz/sample"
)

// routed is a source whose sentences are those of others, under other numbers: of shards, mixed
// generators, swarm configurations, and filters.
type routed struct {
	at func(ctx context.Context, i uint64) (source, uint64, error)
}

func (r routed) Append(ctx context.Context, dst []byte, i uint64) ([]byte, error) {
	src, j, err := r.at(ctx, i)
	if err != nil {
		return dst, err
	}
	return src.Append(ctx, dst, j)
}

func (r routed) Tree(ctx context.Context, i uint64) (*derive.Tree, error) {
	src, j, err := r.at(ctx, i)
	if err != nil {
		return nil, err
	}
	return src.Tree(ctx, j)
}

func (r routed) Sentence(ctx context.Context, to *sample.Sentence, i uint64) error {
	src, j, err := r.at(ctx, i)
	if err != nil {
		return err
	}
	return src.Sentence(ctx, to, j)
}

func (r routed) Draw(ctx context.Context, dst []byte, i uint64) ([]byte, *derive.Tree, error) {
	src, j, err := r.at(ctx, i)
	if err != nil {
		return dst, nil, err
	}
	return src.Draw(ctx, dst, j)
}

func (r routed) Place(ctx context.Context, i uint64) (Place, error) {
	src, j, err := r.at(ctx, i)
	if err != nil {
		return Place{}, err
	}
	return src.Place(ctx, j)
}

// Shard returns part i of k, 0 ≤ i < k: the sentences i, i+k, i+2k, … of s. The k parts together
// are all of s. They are disjoint where s has no sentence twice.
func (s *Stream) Shard(i, k int) (*Stream, error) {
	if k < 1 || i < 0 || i >= k {
		return nil, fmt.Errorf("shard %d of %d does not exist; shards are numbered from 0", i, k)
	}
	part := s.with(func() source {
		src := s.open()
		return routed{func(_ context.Context, n uint64) (source, uint64, error) {
			return src, n*uint64(k) + uint64(i), nil
		}}
	})
	if s.len != nil {
		n := new(big.Int).Add(s.len, big.NewInt(int64(k-1-i)))
		part.len = n.Quo(n, big.NewInt(int64(k)))
	}
	return part, nil
}

// Block is the number of sentences that a generator of strategy mixed draws in its turn.
const Block = 64

// mix returns the stream for which several streams draw a block of sentences each in turn. Where
// one of them cannot make a sentence within its limits, the next one does. The bound is that of
// the first.
func mix(streams []*Stream, each int) *Stream {
	if len(streams) == 1 {
		return streams[0]
	}
	return streams[0].with(func() source {
		var sources []source
		for _, s := range streams {
			sources = append(sources, s.open())
		}
		n, each := uint64(len(sources)), uint64(each)
		return &mixed{func(i uint64, once func(src source, i uint64) error) (first error) {
			block := i / each
			for k := range n {
				err := once(sources[(block+k)%n], block/n*each+i%each+k<<56)
				first = cmp.Or(first, err)
				if err == nil || !tooHard(err) {
					return err
				}
			}
			return first
		}}
	})
}

// tooHard reports whether err is that of a derivation that is too large, that no lexer
// reads, or that takes too large numbers to draw.
func tooHard(err error) bool {
	return errors.Is(err, derive.ErrTooLarge) || errors.Is(err, core.ErrMemory) || errors.As(err, new(*lex.JoinError))
}

// mixed has the sentences of a mix, numbered by itself.
type mixed struct {
	try func(i uint64, once func(src source, i uint64) error) error
}

func (m *mixed) Append(ctx context.Context, dst []byte, i uint64) (out []byte, err error) {
	err = m.try(i, func(src source, i uint64) (err error) {
		out, err = src.Append(ctx, dst, i)
		return err
	})
	return out, err
}

func (m *mixed) Tree(ctx context.Context, i uint64) (t *derive.Tree, err error) {
	err = m.try(i, func(src source, i uint64) (err error) {
		t, err = src.Tree(ctx, i)
		return err
	})
	return t, err
}

func (m *mixed) Sentence(ctx context.Context, to *sample.Sentence, i uint64) error {
	return m.try(i, func(src source, i uint64) error { return src.Sentence(ctx, to, i) })
}

func (m *mixed) Draw(ctx context.Context, dst []byte, i uint64) (out []byte, t *derive.Tree, err error) {
	err = m.try(i, func(src source, i uint64) (err error) {
		out, t, err = src.Draw(ctx, dst, i)
		return err
	})
	return out, t, err
}

func (m *mixed) Place(_ context.Context, i uint64) (Place, error) { return Place{Index: i}, nil }
