package stream

import (
	"context"
	"errors"
	"math/rand/v2"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/internal/base/field"
	"github.com/gramfuzz/gramfuzz/internal/base/random"
	"github.com/gramfuzz/gramfuzz/mutate"
	"github.com/gramfuzz/gramfuzz/sample"
)

// errNoFields says that the grammar has no field to break.
var errNoFields = errors.New("the grammar has no computed fields that could be broken; damage changes any text")

// breaking returns s with one computed field made wrong in a share of the sentences that have
// any; the rest of the text stays. The seed and the sentence's [Place].Index decide which
// sentences are broken, and how. Trees stay.
func (s *Stream) breaking(share float64, seed uint64) (*Stream, error) {
	d, err := mutate.New(mutate.Options{Share: share})
	if err != nil {
		return nil, err
	}
	return s.with(func() source { return &broken{source: s.open(), d: d, seed: seed} }), nil
}

type broken struct {
	source
	d    *mutate.Damager // decides which sentences are broken
	seed uint64
	text []byte // the text before it is broken
}

func (c *broken) Draw(ctx context.Context, dst []byte, i uint64) ([]byte, *derive.Tree, error) {
	p, err := c.Place(ctx, i)
	if err != nil {
		return dst, nil, err
	}
	from := len(dst)
	dst, t, err := c.source.Draw(ctx, dst, i)
	if err == nil && p.Damaged {
		c.spoil(dst[from:], t.Fields(), p.Index)
	}
	return dst, t, err
}

func (c *broken) Append(ctx context.Context, dst []byte, i uint64) ([]byte, error) {
	dst, _, err := c.Draw(ctx, dst, i)
	return dst, err
}

func (c *broken) Place(ctx context.Context, i uint64) (Place, error) {
	p, err := c.source.Place(ctx, i)
	p.Damaged = c.d.Hits(c.seed, p.Index)
	return p, err
}

// Sentence has the choices and size of the sentence before it was broken.
func (c *broken) Sentence(ctx context.Context, to *sample.Sentence, i uint64) error {
	text, err := c.Append(ctx, c.text[:0], i)
	if err == nil {
		c.text = text
		err = c.source.Sentence(ctx, to, i)
	}
	if err == nil && string(text) != string(to.Text) {
		to.Edits = mutate.Edits(to.Text, text)
		to.Text = append(to.Text[:0], text...)
	}
	return err
}

// spoil makes one field of a text wrong: it writes another number in the field's encoding, often
// a close one or one at the limit of the encoding.
func (c *broken) spoil(text []byte, fields []field.At, i uint64) {
	var pcg rand.PCG
	pcg.Seed(random.Next(c.seed^0x627265616b), random.Next(i))
	r := rand.New(&pcg)
	var real []field.At // fields that have bytes of their own
	for _, at := range fields {
		if at.Spoils() {
			real = append(real, at)
		}
	}
	if len(real) > 0 {
		at := real[r.IntN(len(real))]
		at.Field.Spoil(text[at.From:at.To], r)
	}
}
