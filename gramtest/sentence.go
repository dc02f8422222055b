package gramtest

import (
	"github.com/gramfuzz/gramfuzz/derive"
)

// Sentence is one sentence given to a property. It is good until the property
// returns; its text and tree may be kept.
type Sentence struct {
	text    []byte
	damaged bool
	index   uint64
	tree    func() (*derive.Tree, error)
	seen    *seen // nil while shrinking
	t       *T
	labels  []string
}

// Text returns the text. It belongs to the caller.
func (s *Sentence) Text() []byte { return s.text }

// String returns the text.
func (s *Sentence) String() string { return string(s.text) }

// Tree returns the derivation tree: of the sentence before it was damaged, if it
// was. While a failure is being shrunk it is the tree that the parser gives for
// the text, which is another where the grammar is ambiguous. Each call makes it
// anew.
func (s *Sentence) Tree() *derive.Tree {
	t, err := s.tree()
	if err != nil {
		panic(err) // the sentence was made of it
	}
	return t
}

// Damaged reports whether the text may not be a sentence of the grammar: it was
// chosen to be damaged, or shrunk below the grammar.
func (s *Sentence) Damaged() bool { return s.damaged }

// Assume leaves the sentence out where cond does not hold, and ends the property.
// When too few sentences are left the check fails with "arguments exhausted".
func (s *Sentence) Assume(cond bool) {
	if !cond {
		s.t.SkipNow()
	}
}

// Label counts the sentence under a label.
func (s *Sentence) Label(label string) {
	if s.seen == nil {
		return
	}
	for _, l := range s.labels {
		if l == label {
			return
		}
	}
	s.labels = append(s.labels, label)
}

// Classify counts the sentence under a label where cond holds.
func (s *Sentence) Classify(cond bool, label string) {
	if cond {
		s.Label(label)
	}
}

// Sometimes makes the check fail at the end when cond held for none of the
// sentences for which it was asked.
func (s *Sentence) Sometimes(name string, cond bool) {
	if s.seen != nil {
		s.seen.sometimes(name, cond)
	}
}
