package sample

import (
	"context"

	"github.com/gramfuzz/gramfuzz/derive"
)

// filled computes the fields of another drawer's sentences. The compiled sampler writes
// texts without knowing where their parts lie, so each sentence is made into a tree.
type filled struct {
	s    *Sampler
	draw drawer
}

func (d *filled) source() source {
	return &filledSource{src: d.draw.source(), m: d.s.mustMachine(derive.Options{})}
}

type filledSource struct {
	src  source
	m    *derive.Machine
	last Sentence
}

// fill replaces the text of a sentence, whose fields are not computed.
func (c *filledSource) fill(ctx context.Context, dst []byte, s *Sentence) ([]byte, error) {
	t, err := c.m.Draft(ctx, derive.Strict(s.Choices))
	if err != nil {
		return dst, err
	}
	return t.AppendText(dst), nil
}

func (c *filledSource) text(ctx context.Context, dst []byte, i attempt) ([]byte, error) {
	if err := c.src.sentence(ctx, &c.last, i); err != nil {
		return dst, err
	}
	return c.fill(ctx, dst, &c.last)
}

func (c *filledSource) sentence(ctx context.Context, to *Sentence, i attempt) error {
	err := c.src.sentence(ctx, to, i)
	if err == nil {
		to.Text, err = c.fill(ctx, to.Text[:0], to)
	}
	return err
}
