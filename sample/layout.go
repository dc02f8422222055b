package sample

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
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
	s    *Sampler
	draw drawer
}

// layoutTries bounds the tries for one sentence.
const layoutTries = 1000

// findLayout finds the layout of sentences, and whether it can be put into texts in which
// terminals are marked: these are as the lexer has them, and none is a name.
func (s *Sampler) findLayout() (err error) {
	if s.layout, err = derive.NewLayout(s.g, s.o.Layout); err != nil || s.layout == nil || s.names != nil {
		return err
	}
	if s.o.Distinct { // every derivation is given
		s.layout = s.layout.Lenient()
	}
	if s.o.Distinct || s.o.Strategy == Balanced { // not all of their terminals are marked
		return nil
	}
	if gaps, mark := s.layout.Gaps(); gaps != nil && !slices.ContainsFunc(s.g.Rules, func(r *grammar.Rule) bool {
		return r.Kind == grammar.Syntax && s.hasUnmarked(r.Body)
	}) {
		s.mark = mark
	}
	return nil
}

// hasUnmarked reports whether a terminal below e is drawn as more than one leaf, or in
// another way than the syntax rules see it.
func (s *Sampler) hasUnmarked(e *grammar.Expr) bool {
	if e.Op == grammar.Ref && e.Rule.Kind.Lexical() {
		return e.Rule.Kind == grammar.Fragment || e.Rule.Inline || e.Rule.Kind == grammar.Token && !s.facts.Leaf(e)
	}
	return slices.ContainsFunc(e.Children, s.hasUnmarked)
}

func (d *laidOut) source() source {
	c := &layoutSource{s: d.s, src: d.draw.source(), m: d.s.mustMachine(derive.Options{Layout: d.s.layout})}
	if d.s.mark != nil {
		c.gaps, _ = d.s.layout.Gaps()
	}
	return c
}

type layoutSource struct {
	s       *Sampler
	src     source
	m       *derive.Machine
	gaps    *lex.Gaps         // nil: texts are made from trees
	str     randombits.Stream // of the layout
	derived Sentence          // as derived, its terminals marked
	chosen  []int             // the choices of the layout
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

// try makes sentence i by once, which makes what derive and then the layout draw at an
// index, until that has a text.
func (c *layoutSource) try(i uint64, once func(index uint64) error) error {
	for try := 0; ; try++ {
		c.str.Reset(c.s.o.Seed^layoutKey, redraw(i, try))
		c.chosen = c.chosen[:0]
		if turns, ok := c.src.(*balancedSource); ok {
			turns.again(i, try)
		}
		err := once(redraw(i, try))
		var join *lex.JoinError
		if !errors.As(err, &join) {
			return err
		}
		if f := c.s.o.Redrawn; f != nil {
			f()
		}
		if try+1 == layoutTries {
			return fmt.Errorf("sentence %d: %d derivations in a row have no text that the lexer reads as their tokens (%w); take a smaller size, or another start rule",
				i, layoutTries, join)
		}
	}
}

func (c *layoutSource) tree(ctx context.Context, i uint64) (t *derive.Tree, err error) {
	return t, c.try(i, func(index uint64) error {
		if err := c.src.sentence(ctx, &c.derived, index); err != nil {
			return err
		}
		given := derive.Strict(c.derived.Choices)
		t, err = c.m.Run(ctx, derive.ChooserFunc(func(d *derive.Decision) (int, error) {
			if d.Kind == derive.Gap {
				return d.Value(c.str.Intn(d.N)), nil
			}
			return given.Choose(d)
		}))
		return err
	})
}

// choose draws the layout of a gap.
func (c *layoutSource) choose(n int) int {
	v := c.str.Intn(n)
	c.chosen = append(c.chosen, v)
	return v
}

func (c *layoutSource) text(ctx context.Context, dst []byte, i uint64) ([]byte, error) {
	if c.gaps == nil {
		t, err := c.tree(ctx, i)
		if err != nil {
			return dst, err
		}
		return t.AppendText(dst), nil
	}
	out := dst
	err := c.try(i, func(index uint64) (err error) {
		if c.derived.Text, err = c.src.text(ctx, c.derived.Text[:0], index); err == nil {
			out, err = c.gaps.Append(dst, c.derived.Text, c.choose)
		}
		return err
	})
	return out, err
}

func (c *layoutSource) sentence(ctx context.Context, to *Sentence, i uint64) error {
	if c.gaps == nil {
		t, err := c.tree(ctx, i)
		if err == nil {
			to.Set(t, c.s.facts, c.s.o.Bound.Unit)
		}
		return err
	}
	return c.try(i, func(index uint64) error {
		err := c.src.sentence(ctx, &c.derived, index)
		if err == nil {
			to.Text, err = c.gaps.Append(to.Text[:0], c.derived.Text, c.choose)
		}
		to.Choices = append(append(to.Choices[:0], c.derived.Choices...), c.chosen...)
		to.Depth, to.Size, to.Edits = c.derived.Depth, c.derived.Size, nil
		return err
	})
}
