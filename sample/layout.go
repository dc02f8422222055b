package sample

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/lexical/lex"
	"github.com/gramfuzz/gramfuzz/sample/internal/randombits"
)

// laidOut puts layout into the sentences of another drawer. Random layout has its own stream,
// so the derivation of sentence i does not depend on the layout.
//
// In a grammar with modes, some derivations have no text that the lexer reads as their tokens.
// Such a derivation is rejected and the sentence is redrawn, from a stream of seed, i and the
// number of tries. The distribution is that of the other drawer, conditional on readable
// texts. So sizes with many such derivations are less likely.
type laidOut struct {
	s    *Sampler
	draw drawer
}

// layoutTries bounds the tries for one sentence.
const layoutTries = 1000

// findLayout finds the layout of sentences. It also decides whether layout can be put into
// texts with marked terminals: the lexer must see these terminals, and none may be a name.
func (s *Sampler) findLayout() (err error) {
	if s.layout, err = derive.NewLayout(s.g, s.o.Layout); err != nil || s.layout == nil || s.names != nil {
		return err
	}
	if s.o.Distinct { // every derivation is given
		s.layout = s.layout.Lenient()
		return nil
	}
	if gaps, mark := s.layout.Gaps(); gaps != nil && !slices.ContainsFunc(s.g.Rules, func(r *grammar.Rule) bool {
		return r.Kind == grammar.Syntax && s.hasUnmarked(r.Body)
	}) {
		s.mark = mark
	}
	return nil
}

// hasUnmarked reports whether a terminal below e is drawn as more than one leaf.
func (s *Sampler) hasUnmarked(e *grammar.Expr) bool {
	if e.Op == grammar.Ref && e.Rule != nil && e.Rule.Kind.Lexical() {
		return e.Rule.Kind == grammar.Token && !s.facts.Leaf(e)
	}
	return slices.ContainsFunc(e.Children, s.hasUnmarked)
}

func (d *laidOut) source() source {
	c := &layoutSource{s: d.s, src: d.draw.source(), m: d.s.mustMachine(derive.Options{Layout: d.s.layout})}
	if d.s.mark == nil {
		return &derived{d.s, c.tree}
	}
	c.look, c.ask = c.more, c.choose
	c.gaps, _ = d.s.layout.Gaps()
	return c
}

type layoutSource struct {
	s       *Sampler
	src     source
	m       *derive.Machine
	gaps    *lex.Gaps         // nil: it only makes trees
	str     randombits.Stream // of the layout
	derived Sentence          // before layout, its terminals marked
	chosen  []int             // the choices of the layout

	out           []byte                     // the text laid out so far
	look          func(derived []byte) error // bound method more
	ask           func(n int) int            // bound method choose
	read          int                        // bytes read of the derived text
	made, refused int                        // derivations, and those without a text
}

// layoutKey separates the stream of the layout from that of the derivation.
const layoutKey = 0x6c61796f7574

// begin begins an attempt.
func (c *layoutSource) begin(a attempt) {
	c.str.Reset(c.s.o.Seed^layoutKey, a.index())
	c.chosen = c.chosen[:0]
}

// again reports whether a further attempt follows one that ended with err, and returns the
// error of the last attempt.
func (c *layoutSource) again(a *attempt, err error) (bool, error) {
	if err == nil {
		return false, nil
	}
	join := joinError(err)
	if join == nil && err != lex.ErrRefused {
		return false, err
	}
	if f := c.s.o.Redrawn; f != nil {
		f()
	}
	c.refused++
	a.try++
	if a.try < layoutTries {
		return true, nil
	}
	if join == nil {
		join = c.gaps.Refused()
	}
	return false, fmt.Errorf("sentence %d: %d derivations in a row have no text that the lexer reads as their tokens (%w); take a smaller size, or another start rule",
		a.sentence, layoutTries, join)
}

// joinError returns the error that gives the reason within err.
func joinError(err error) *lex.JoinError {
	if err == lex.ErrRefused {
		return nil
	}
	join := new(lex.JoinError)
	if !errors.As(err, &join) {
		return nil
	}
	return join
}

func (c *layoutSource) tree(ctx context.Context, a attempt) (*derive.Tree, error) {
	for {
		c.begin(a)
		var t *derive.Tree
		err := c.src.sentence(ctx, &c.derived, a)
		if err == nil {
			t, err = c.lay(ctx)
		}
		if again, err := c.again(&a, err); !again {
			return t, err
		}
	}
}

// lay makes the laid-out tree of the derived sentence.
func (c *layoutSource) lay(ctx context.Context) (*derive.Tree, error) {
	given := derive.Strict(c.derived.Choices)
	return c.m.Run(ctx, derive.ChooserFunc(func(d *derive.Decision) (int, error) {
		if d.Kind == derive.Gap {
			return d.Value(c.str.Intn(d.N)), nil
		}
		return given.Choose(d)
	}))
}

// choose draws the layout of a gap.
func (c *layoutSource) choose(n int) int {
	v := c.str.Intn(n)
	c.chosen = append(c.chosen, v)
	return v
}

func (c *layoutSource) text(ctx context.Context, dst []byte, a attempt) ([]byte, error) {
	for {
		var err error
		a.watch = c.write(dst, a)
		if c.derived.Text, err = c.src.text(ctx, c.derived.Text[:0], a); err == nil {
			err = c.end()
		}
		if again, err := c.again(&a, err); !again {
			return c.out, err
		}
	}
}

// write begins an attempt at a text after dst. If many derivations have no text, it returns
// more, which lays out a text while it is drawn. So a draw ends at the first token that does
// not fit.
func (c *layoutSource) write(dst []byte, a attempt) (watch func(derived []byte) error) {
	c.begin(a)
	c.out, c.read = dst, 0
	c.gaps.Begin(c.ask)
	c.made++
	if c.refused > c.made/8 {
		return c.look
	}
	return nil
}

// more lays out the derived text as far as it is known.
func (c *layoutSource) more(derived []byte) (err error) {
	n := 0
	c.out, n, err = c.gaps.Add(c.out, derived[c.read:])
	c.read += n
	return err
}

// end lays out the rest of the derived text.
func (c *layoutSource) end() error {
	err := c.more(c.derived.Text)
	if err == nil {
		c.out, err = c.gaps.End(c.out)
	}
	return err
}

func (c *layoutSource) sentence(ctx context.Context, to *Sentence, a attempt) error {
	for {
		a.watch = c.write(to.Text[:0], a)
		err := c.src.sentence(ctx, &c.derived, a)
		if err == nil {
			err = c.end()
		}
		to.Text = c.out
		to.Choices = append(append(to.Choices[:0], c.derived.Choices...), c.chosen...)
		to.Depth, to.Size, to.Edits = c.derived.Depth, c.derived.Size, nil
		if again, err := c.again(&a, err); !again {
			return err
		}
	}
}
