package stream

import (
	"context"
	"fmt"
	"math/big"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/sample"
)

// routed is a source whose sentences are those of others, under other numbers: of
// shards, mixed generators, configurations of a swarm, and what filters keep.
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

// Shard returns part i of k, 0 ≤ i < k: the sentences i, i+k, i+2k, … of s. The k parts
// are together all of s. Where s has no sentence twice they have nothing in common.
func (s *Stream) Shard(i, k int) (*Stream, error) {
	if k < 1 || i < 0 || i >= k {
		return nil, fmt.Errorf("there is no shard %d of %d; they are numbered from 0", i, k)
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

// Block is the number of sentences that a generator of a mix draws in its turn.
const Block = 64

// mix returns the stream to which several give a block each in turn. It has the bound
// of the first.
func mix(streams []*Stream) *Stream {
	if len(streams) == 1 {
		return streams[0]
	}
	return streams[0].with(func() source {
		var sources []source
		for _, s := range streams {
			sources = append(sources, s.open())
		}
		n := uint64(len(sources))
		at := func(_ context.Context, i uint64) (source, uint64, error) {
			block := i / Block
			return sources[block%n], block/n*Block + i%Block, nil
		}
		return mixed{routed{at}}
	})
}

// mixed numbers the sentences of a mix, not those of its generators.
type mixed struct{ routed }

func (m mixed) Place(_ context.Context, i uint64) (Place, error) { return Place{Index: i}, nil }
