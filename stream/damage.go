package stream

import (
	"context"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/mutate"
	"github.com/gramfuzz/gramfuzz/sample"
)

// Damage returns s with a share of the texts changed below the grammar. Whether and how
// sentence i is changed is a function of the damager, the seed and i. Trees stay.
func (s *Stream) Damage(d *mutate.Damager, seed uint64) *Stream {
	return s.with(func() source { return &damaged{source: s.open(), d: d, seed: seed} })
}

type damaged struct {
	source
	d    *mutate.Damager
	seed uint64
	text []byte // of a sentence before it is damaged
}

func (c *damaged) Append(ctx context.Context, dst []byte, i uint64) (_ []byte, err error) {
	if !c.d.Hits(c.seed, i) {
		return c.source.Append(ctx, dst, i)
	}
	if c.text, err = c.source.Append(ctx, c.text[:0], i); err != nil {
		return dst, err
	}
	dst, _ = c.d.Append(dst, c.text, c.seed, i)
	return dst, nil
}

func (c *damaged) Draw(ctx context.Context, dst []byte, i uint64) (_ []byte, t *derive.Tree, err error) {
	if c.text, t, err = c.source.Draw(ctx, c.text[:0], i); err != nil {
		return dst, nil, err
	}
	dst, _ = c.d.Append(dst, c.text, c.seed, i)
	return dst, t, nil
}

func (c *damaged) Place(ctx context.Context, i uint64) (Place, error) {
	p, err := c.source.Place(ctx, i)
	p.Damaged = c.d.Hits(c.seed, i)
	return p, err
}

// Sentence has the choices and size of the sentence before it was damaged.
func (c *damaged) Sentence(ctx context.Context, to *sample.Sentence, i uint64) error {
	if err := c.source.Sentence(ctx, to, i); err != nil || !c.d.Hits(c.seed, i) {
		return err
	}
	c.text = append(c.text[:0], to.Text...)
	to.Text, _ = c.d.Append(to.Text[:0], c.text, c.seed, i)
	to.Edits = mutate.Edits(c.text, to.Text)
	return nil
}
