package sample

import (
	"context"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/sample/internal/fastdraw"
)

// Sentence is a sentence with its choices and sizes, as [derive.Record] has them. The
// next sentence drawn into it overwrites its slices.
type Sentence struct {
	Text    []byte
	Choices []int
	Depth   int // the derivation's height in nested rules
	Size    int // in the unit of the bound, terminals under a bound of depth

	Edits []derive.Edit // changes of the text after it was derived
}

// Set sets s to the sentence of a tree.
func (s *Sentence) Set(t *derive.Tree, f *grammar.Facts, u grammar.Unit) {
	s.Text, s.Edits = t.AppendText(s.Text[:0]), nil
	s.Choices = append(s.Choices[:0], t.Choices()...)
	s.Depth, s.Size = derive.Depth(t, f), derive.Size(t, f, u)
}

// record makes s the sentence of an attempt at draw, which returns its size too; m is scratch.
func (s *Sentence) record(ctx context.Context, m *fastdraw.Recording, a attempt,
	draw func(ctx context.Context, dst []byte, m *fastdraw.Recording, a attempt) ([]byte, int, error)) (err error) {
	m.Reset()
	s.Text, s.Size, err = draw(ctx, s.Text[:0], m, a)
	s.Choices, s.Depth, s.Edits = m.AppendChoices(s.Choices[:0]), m.Depth, nil
	return err
}
