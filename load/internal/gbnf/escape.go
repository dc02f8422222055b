package gbnf

import (
	"strconv"
	"unicode/utf8"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/load/internal/notation"
	"github.com/gramfuzz/gramfuzz/load/internal/syntax"
)

// char is one character of a literal or class. plain is false if it was escaped.
type char struct {
	r     rune
	plain bool
}

// hexDigits has the number of digits after each numeric escape.
var hexDigits = map[byte]int{'x': 2, 'u': 4, 'U': 8}

var simpleEscapes = map[byte]rune{'n': '\n', 'r': '\r', 't': '\t', '\\': '\\', '"': '"', '[': '[', ']': ']'}

// chars decodes the escapes of text, which is a part of item it.
func (b *builder) chars(it *item, text string) (out []char) {
	for len(text) > 0 {
		if text[0] != '\\' || len(text) == 1 {
			r, n := utf8.DecodeRuneInString(text)
			out, text = append(out, char{r, true}), text[n:]
			continue
		}
		if r, ok := simpleEscapes[text[1]]; ok {
			out, text = append(out, char{r, false}), text[2:]
			continue
		}
		digits := hexDigits[text[1]]
		if digits == 0 {
			_, n := utf8.DecodeRuneInString(text[1:])
			b.ds = append(b.ds, notation.Errorf(it.Pos, `the escapes are \n \r \t \\ \" \[ \] \xXX \uXXXX \UXXXXXXXX`,
				"%s is not an escape of GBNF", text[:1+n]))
			text = text[1+n:]
			continue
		}
		end := min(2+digits, len(text))
		v, err := strconv.ParseUint(text[2:end], 16, 32)
		if err != nil || end != 2+digits || v > utf8.MaxRune || !utf8.ValidRune(rune(v)) {
			b.ds = append(b.ds, notation.Errorf(it.Pos, `write \xXX, \uXXXX or \UXXXXXXXX with hexadecimal digits of a Unicode character`,
				"%s is not a character", text[:end]))
			text = text[2:]
			continue
		}
		out, text = append(out, char{rune(v), false}), text[end:]
	}
	return out
}

func (b *builder) unescape(it *item, text string) []rune {
	chars := b.chars(it, text)
	rs := make([]rune, len(chars))
	for i, c := range chars {
		rs[i] = c.r
	}
	return rs
}

func (b *builder) class(it *item) *syntax.Expr {
	chars := b.chars(it, it.Class[1:len(it.Class)-1])
	negated := len(chars) > 0 && chars[0] == char{'^', true}
	if negated {
		chars = chars[1:]
	}
	if len(chars) == 0 {
		b.ds = append(b.ds, notation.Errorf(it.Pos, `write its characters, or . for any character`,
			"the class %s has no characters", it.Class))
	}
	var ranges []grammar.Range
	var singles []rune
	for i := 0; i < len(chars); i++ {
		lo, hi := chars[i].r, chars[i].r
		if i+2 < len(chars) && chars[i+1] == (char{'-', true}) {
			hi = chars[i+2].r
			i += 2
		}
		if lo > hi {
			b.ds = append(b.ds, notation.Errorf(it.Pos, "write the lower character first", "the range %c-%c is empty", lo, hi))
		}
		if lo == hi && chars[i].plain {
			singles = append(singles, lo)
		}
		ranges = append(ranges, grammar.Range{Lo: lo, Hi: hi})
	}
	b.ds = append(b.ds, notation.LikeOptional(notation.Pos(it.Pos), singles, "( … )?")...)
	return syntax.NewClass(notation.Pos(it.Pos), negated, ranges...)
}
