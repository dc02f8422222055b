package stream

import (
	"context"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/mutate"
	"github.com/gramfuzz/gramfuzz/sample"
)

// Damage returns s with a share of the texts changed below the grammar. Whether and how
// a sentence is changed is a function of the damager, the seed and its [Place].Index, so
// that the shards of a stream, and the stream without repeats, have the same changes. Trees
// stay.
func (s *Stream) Damage(d *mutate.Damager, seed uint64) *Stream {
	return s.with(func() source { return &damaged{source: s.open(), d: d, seed: seed} })
}

type damaged struct {
	source
	d    *mutate.Damager
	seed uint64
	text []byte // the text before it is damaged
}

func (c *damaged) Append(ctx context.Context, dst []byte, i uint64) ([]byte, error) {
	p, err := c.Place(ctx, i)
	if err != nil {
		return dst, err
	}
	if !p.Damaged {
		return c.source.Append(ctx, dst, i)
	}
	if c.text, err = c.source.Append(ctx, c.text[:0], i); err != nil {
		return dst, err
	}
	dst, _ = c.d.Append(dst, c.text, c.seed, p.Index)
	return dst, nil
}

func (c *damaged) Draw(ctx context.Context, dst []byte, i uint64) ([]byte, *derive.Tree, error) {
	p, err := c.Place(ctx, i)
	if err != nil {
		return dst, nil, err
	}
	if !p.Damaged {
		return c.source.Draw(ctx, dst, i)
	}
	text, t, err := c.source.Draw(ctx, c.text[:0], i)
	if err != nil {
		return dst, nil, err
	}
	c.text = text
	dst, _ = c.d.Append(dst, c.text, c.seed, p.Index)
	return dst, t, nil
}

func (c *damaged) Place(ctx context.Context, i uint64) (Place, error) {
	p, err := c.source.Place(ctx, i)
	p.Damaged = c.d.Hits(c.seed, p.Index)
	return p, err
}

// Sentence has the choices and size of the sentence before it was damaged.
func (c *damaged) Sentence(ctx context.Context, to *sample.Sentence, i uint64) error {
	p, err := c.Place(ctx, i)
	if err == nil {
		err = c.source.Sentence(ctx, to, i)
	}
	if err != nil || !p.Damaged {
		return err
	}
	c.text = append(c.text[:0], to.Text...)
	to.Text, _ = c.d.Append(to.Text[:0], c.text, c.seed, p.Index)
	to.Edits = mutate.Edits(c.text, to.Text)
	return nil
}
