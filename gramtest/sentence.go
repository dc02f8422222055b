package gramtest

import (
	"github.com/gramfuzz/gramfuzz/derive"
)

// Sentence is one sentence given to a property. It is valid until the property
// returns; its text and tree may be kept.
type Sentence struct {
	text    []byte
	damaged bool
	index   uint64
	tree    func() (*derive.Tree, error)
	stats   *statistics // nil while shrinking
	t       *T
	labels  []string
}

// Text returns the text. It belongs to the caller.
func (s *Sentence) Text() []byte { return s.text }

// String returns the text.
func (s *Sentence) String() string { return string(s.text) }

// Tree returns the derivation tree of the sentence, as it was before any damage. While
// a failure is shrunk it is the tree that the parser gives for the text, which may be
// another where the grammar is ambiguous. Each call makes a new tree.
func (s *Sentence) Tree() *derive.Tree {
	t, err := s.tree()
	if err != nil {
		panic(err) // the sentence was made from it
	}
	return t
}

// Damaged reports whether the text may be no sentence of the grammar, because it was
// damaged or was shrunk byte by byte.
func (s *Sentence) Damaged() bool { return s.damaged }

// Assume leaves the sentence out if cond does not hold, and ends the property. If too
// many sentences are left out, the check fails with "arguments exhausted".
func (s *Sentence) Assume(cond bool) {
	if !cond {
		s.t.SkipNow()
	}
}

// Label counts the sentence under a label.
func (s *Sentence) Label(label string) {
	if s.stats == nil {
		return
	}
	for _, l := range s.labels {
		if l == label {
			return
		}
	}
	s.labels = append(s.labels, label)
}

// Classify counts the sentence under a label if cond holds.
func (s *Sentence) Classify(cond bool, label string) {
	if cond {
		s.Label(label)
	}
}

// Sometimes fails the check at the end if cond held for none of the sentences with
// which it was called.
func (s *Sentence) Sometimes(name string, cond bool) {
	if s.stats != nil {
		s.stats.sometimes(name, cond)
	}
}
