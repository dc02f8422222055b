package sample

import (
	"context"
	"errors"
	"fmt"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/internal/lex"
	"github.com/gramfuzz/gramfuzz/internal/splitmix"
	"github.com/gramfuzz/gramfuzz/sample/internal/randombits"
)

// laidOut puts layout into the sentences of another drawer. Random layout is drawn from
// a stream of its own, so the derivation of sentence i does not depend on the layout.
//
// Where a grammar has modes, some derivations have no text that the lexer reads as
// their tokens. Such a derivation is rejected and the sentence drawn anew, from a
// stream of seed, i and the number of tries. The distribution is that of the other
// drawer, given that the text can be read. So sizes with many such derivations are
// less likely.
type laidOut struct {
	s      *Sampler
	draw   drawer
	layout *derive.Layout
}

// layoutTries bounds the tries for one sentence.
const layoutTries = 1000

// withLayout adds layout to the sentences of s, where there can be any.
func (s *Sampler) withLayout() error {
	layout, err := derive.NewLayout(s.g, s.o.Layout)
	if err != nil || layout == nil {
		return err
	}
	s.draw = &laidOut{s: s, draw: s.draw, layout: layout}
	_, err = s.machine(derive.Options{Layout: layout})
	return err
}

func (d *laidOut) source() source {
	c := &layoutSource{d: d, src: d.draw.source()}
	m, err := d.s.machine(derive.Options{Layout: d.layout})
	if err != nil {
		panic(err) // withLayout made one
	}
	c.m = m
	return c
}

type layoutSource struct {
	d       *laidOut
	src     source
	m       *derive.Machine
	str     randombits.Stream // of the layout
	derived Sentence          // as derived
}

// layoutKey tells the stream of the layout from that of the derivation.
const layoutKey = 0x6c61796f7574

// redraw is the index of the stream of a further try at sentence i. They are
// those that no sentence has, as long as there are fewer than 2^63.
func redraw(i uint64, try int) uint64 {
	if try == 0 {
		return i
	}
	return 1<<63 | splitmix.Mix(splitmix.Mix(i)+uint64(try))>>1
}

func (c *layoutSource) tree(ctx context.Context, i uint64) (*derive.Tree, error) {
	for try := 0; ; try++ {
		if err := c.src.sentence(ctx, &c.derived, redraw(i, try)); err != nil {
			return nil, err
		}
		c.str.Reset(c.d.s.o.Seed^layoutKey, redraw(i, try))
		given := derive.Strict(c.derived.Choices)
		t, err := c.m.Run(ctx, derive.ChooserFunc(func(d *derive.Decision) (int, error) {
			if d.Kind == derive.Gap {
				return d.Value(c.str.Intn(d.N)), nil
			}
			return given.Choose(d)
		}))
		var join *lex.JoinError
		if !errors.As(err, &join) {
			return t, err
		}
		if f := c.d.s.o.Redrawn; f != nil {
			f()
		}
		if try+1 == layoutTries {
			return nil, fmt.Errorf("sentence %d: %d derivations in a row have no text that the lexer reads as their tokens (%w); take a smaller size, or another start rule",
				i, layoutTries, join)
		}
	}
}

func (c *layoutSource) text(ctx context.Context, dst []byte, i uint64) ([]byte, error) {
	t, err := c.tree(ctx, i)
	if err != nil {
		return dst, err
	}
	return t.AppendText(dst), nil
}

func (c *layoutSource) sentence(ctx context.Context, to *Sentence, i uint64) error {
	t, err := c.tree(ctx, i)
	if err == nil {
		to.Set(t, c.d.s.facts, c.d.s.o.Bound.Unit)
	}
	return err
}
