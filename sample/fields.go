package sample

import (
	"context"

	"github.com/gramfuzz/gramfuzz/derive"
)

// filled computes the fields of another drawer's sentences. The compiled sampler writes texts
// without the positions of their parts; these come from the choices.
type filled struct {
	s    *Sampler
	draw drawer
}

func (d *filled) source() source {
	c := &filledSource{s: d.s, src: d.draw.source()}
	if d.s.names != nil { // its texts do not follow from the choices
		c.m = d.s.mustMachine(derive.Options{})
	}
	return c
}

type filledSource struct {
	s    *Sampler
	src  source
	m    *derive.Machine // nil: the choices are enough
	last Sentence
}

func (c *filledSource) text(ctx context.Context, dst []byte, a attempt) ([]byte, error) {
	if err := c.src.sentence(ctx, &c.last, a); err != nil {
		return dst, err
	}
	return c.fill(ctx, dst, c.last.Choices)
}

func (c *filledSource) sentence(ctx context.Context, to *Sentence, a attempt) error {
	err := c.src.sentence(ctx, to, a)
	if err == nil {
		to.Text, err = c.fill(ctx, to.Text[:0], to.Choices)
	}
	return err
}

// fill appends the text that choices have.
func (c *filledSource) fill(ctx context.Context, dst []byte, choices []int) (_ []byte, err error) {
	t := derive.NewTree(c.s.g, nil, choices, nil)
	if c.m != nil {
		if t, err = c.m.Draft(ctx, derive.Strict(choices)); err != nil {
			return dst, err
		}
	}
	return t.AppendText(dst), nil
}
