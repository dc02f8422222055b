package sample

import (
	"context"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/sample/internal/fastdraw"
)

// Sentence is a sentence with its choices and sizes, as in [derive.Record]. The next sentence
// drawn into it overwrites its slices.
type Sentence struct {
	Text    []byte
	Choices []int
	Depth   int // the derivation's height in nested rules
	Size    int // in the unit of the bound, terminals under a bound of depth

	Edits []derive.Edit // changes to the text after its derivation
}

// Set sets s to the sentence of a tree.
func (s *Sentence) Set(t *derive.Tree, f *grammar.Facts, u grammar.Unit) {
	s.Text, s.Edits = t.AppendText(s.Text[:0]), nil
	s.Choices = append(s.Choices[:0], t.Choices()...)
	s.Depth, s.Size = derive.Depth(t, f), derive.Size(t, f, u)
}

// recorded is the source of the sentences that draw makes. draw appends the text of one to
// dst, records its choices and depth in m unless m is nil, and returns its size, under a bound
// of depth in terminals.
type recorded struct {
	drawing interface {
		draw(ctx context.Context, dst []byte, m *fastdraw.Recording, a attempt) ([]byte, int, error)
	}
	m fastdraw.Recording
}

func (c *recorded) text(ctx context.Context, dst []byte, a attempt) ([]byte, error) {
	dst, _, err := c.drawing.draw(ctx, dst, nil, a)
	return dst, err
}

func (c *recorded) sentence(ctx context.Context, to *Sentence, a attempt) (err error) {
	c.m.Reset()
	to.Text, to.Size, err = c.drawing.draw(ctx, to.Text[:0], &c.m, a)
	to.Choices, to.Depth, to.Edits = c.m.AppendChoices(to.Choices[:0]), c.m.Depth, nil
	return err
}

// derived is the source of the sentences whose trees a function makes.
type derived struct {
	s    *Sampler
	make func(ctx context.Context, a attempt) (*derive.Tree, error)
}

func (c *derived) tree(ctx context.Context, a attempt) (*derive.Tree, error) { return c.make(ctx, a) }

func (c *derived) text(ctx context.Context, dst []byte, a attempt) ([]byte, error) {
	t, err := c.make(ctx, a)
	if err != nil {
		return dst, err
	}
	return t.AppendText(dst), nil
}

func (c *derived) sentence(ctx context.Context, to *Sentence, a attempt) error {
	t, err := c.make(ctx, a)
	if err == nil {
		to.Set(t, c.s.facts, c.s.o.Bound.Unit)
	}
	return err
}
