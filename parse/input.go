package parse

import (
	"slices"
	"unicode/utf8"

	"github.com/gramfuzz/gramfuzz/grammar"
)

// token is a token of the text, not counting layout.
type token struct {
	sym        int32
	start, end int32 // bytes
}

// text returns the text of a token of a rule. A token without visible text has the text of its
// rule.
func (t token) text(text string, rule *grammar.Rule) string {
	if rule.Body.Silent {
		return rule.Body.Text
	}
	return text[t.start:t.end]
}

// input is a text as a sequence of units, each with a symbol. Units are characters or bytes,
// whose places are offsets, or tokens, whose places are their numbers.
type input struct {
	alpha  *alphabet
	text   string
	bytes  bool    // units are bytes
	tokens []token // nil where there are none
	lexed  bool
}

// memory is the size of the input in bytes: its tokens and the text, of which there is one copy.
func (in *input) memory() int64 {
	return int64(len(in.text)) + taken(in.tokens)
}

// at returns the symbol at place i and the place after it.
func (in *input) at(i int32) (sym, next int32) {
	if in.lexed {
		if int(i) >= len(in.tokens) {
			return symEnd, i
		}
		return in.tokens[i].sym, i + 1
	}
	if int(i) >= len(in.text) {
		return symEnd, i
	}
	c := in.text[i]
	if c < utf8.RuneSelf || in.bytes {
		return in.alpha.ascii[c], i + 1
	}
	r, size := utf8.DecodeRuneInString(in.text[i:])
	if r == utf8.RuneError && size == 1 {
		return symNone, i + 1
	}
	return in.alpha.of(r), i + int32(size)
}

// by returns the input for another alphabet of the same grammar.
func (in *input) by(a *alphabet) *input {
	out := *in
	out.alpha = a
	if in.lexed && !(slices.Equal(a.syms, in.alpha.syms) && slices.Equal(a.starts, in.alpha.starts)) {
		out.tokens = slices.Clone(in.tokens)
		for i, t := range out.tokens {
			if int(t.sym) >= symFirst+a.kinds {
				r, _ := utf8.DecodeRuneInString(in.text[t.start:])
				out.tokens[i].sym = a.of(r)
			}
		}
	}
	return &out
}

// offset returns the byte offset of place i in the text.
func (in *input) offset(i int32) int {
	switch {
	case !in.lexed:
		return int(i)
	case int(i) < len(in.tokens):
		return int(in.tokens[i].start)
	}
	return len(in.text)
}
