package derive

import (
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/base/rawbyte"
)

// textSink writes a derivation as a text, without a tree.
type textSink struct {
	text   []byte
	mark   func(*grammar.Expr) (mark string, alone bool) // see Options.Mark
	depth  int                                           // so far
	tokens int                                           // open tokens
}

// literal writes the text of a literal.
func (s *textSink) literal(e *grammar.Expr) {
	if s.mark == nil || s.tokens > 0 {
		s.text = append(s.text, e.Text...)
		return
	}
	mark, alone := s.mark(e)
	if !alone {
		s.text = append(s.text, e.Text...)
	}
	s.text = append(s.text, mark...)
}

// member writes the character of a class.
func (s *textSink) member(e *grammar.Expr, r rune) {
	s.text = rawbyte.Append(s.text, r)
	if s.mark != nil && s.tokens == 0 {
		mark, _ := s.mark(e)
		s.text = append(s.text, mark...)
	}
}

// begin records the beginning of a rule at a depth.
func (s *textSink) begin(e *grammar.Expr, depth int) {
	s.depth = max(s.depth, depth)
	if e.Rule.Kind == grammar.Token {
		s.tokens++
	}
}

// end writes the mark after a token.
func (s *textSink) end(e *grammar.Expr) {
	if e.Op != grammar.Ref || e.Rule.Kind != grammar.Token {
		return
	}
	s.tokens--
	if s.tokens == 0 && s.mark != nil {
		mark, _ := s.mark(e)
		s.text = append(s.text, mark...)
	}
}
