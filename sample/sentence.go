package sample

import (
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
)

// Sentence is a sentence with its choices and sizes, as [derive.Record] has them. The
// next sentence drawn into it overwrites its slices.
type Sentence struct {
	Text    []byte
	Choices []int
	Depth   int // the derivation's height in nested rules
	Size    int // in the unit of the bound, terminals under a bound of depth
}

// Set sets s to the sentence of a tree.
func (s *Sentence) Set(t *derive.Tree, f *grammar.Facts, u grammar.Unit) {
	s.Text = t.AppendText(s.Text[:0])
	s.Choices = append(s.Choices[:0], t.Choices()...)
	s.Depth, s.Size = derive.Depth(t, f), derive.Size(t, f, u)
}

// record makes s the sentence that draw draws, with its names put in; m is
// scratch. The size is in terminals.
func (s *Sentence) record(n *naming, m *recording, draw func(dst []byte, m *recording) ([]byte, error)) error {
	*m = recording{numbers: m.numbers[:0]}
	text, err := n.text(s.Text[:0], func(dst []byte) ([]byte, error) { return draw(dst, m) })
	s.Text, s.Choices, s.Depth, s.Size = text, m.appendTo(s.Choices[:0]), m.depth, m.terms
	return err
}
