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

func (c *filledSource) text(ctx context.Context, dst []byte, a attempt) ([]byte, error) {
	if err := c.sentence(ctx, &c.last, a); err != nil {
		return dst, err
	}
	return append(dst, c.last.Text...), nil
}

func (c *filledSource) sentence(ctx context.Context, to *Sentence, a attempt) error {
	if err := c.src.sentence(ctx, to, a); err != nil {
		return err
	}
	t, err := c.m.Draft(ctx, derive.Strict(to.Choices))
	if err == nil {
		to.Text = t.AppendText(to.Text[:0])
	}
	return err
}
