package abnf

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/load/internal/notation"
	"github.com/gramfuzz/gramfuzz/load/internal/syntax"
)

func (b *builder) choice(c *choice) *syntax.Expr {
	return notation.Choice(c.Pos, c.Alts, func(s *sequence) *syntax.Expr {
		return notation.Seq(s.Pos, s.Items, b.item)
	})
}

func (b *builder) item(it *item) *syntax.Expr {
	pos := notation.Pos(it.Pos)
	var e *syntax.Expr
	switch {
	case it.Group != nil:
		e = b.choice(it.Group)
	case it.Optional != nil:
		e = syntax.NewRep(pos, b.choice(it.Optional), 0, 1)
	case it.Value != "":
		e = b.value(it)
	case it.Literal != "":
		e = literalExpr(pos, it.Literal)
	case it.Prose != "":
		e = syntax.NewRef(pos, it.Prose)
	default:
		e = syntax.NewRef(pos, it.Name)
	}
	if it.Repeat == "" {
		return e
	}
	return b.repeat(it, e)
}

// literalExpr reads a literal: "…" and %i"…" match letters of either case, %s"…" is exact.
func literalExpr(pos grammar.Pos, text string) *syntax.Expr {
	exact := strings.HasPrefix(text, "%s") || strings.HasPrefix(text, "%S")
	text = text[strings.IndexByte(text, '"')+1 : len(text)-1]
	if exact {
		return syntax.NewLit(pos, text)
	}
	var parts []*syntax.Expr
	from := 0
	flush := func(to int) {
		if to > from {
			parts = append(parts, syntax.NewLit(pos, text[from:to]))
		}
		from = to + 1
	}
	for i := 0; i < len(text); i++ {
		c := rune(text[i])
		if lower := c | 0x20; lower < 'a' || lower > 'z' {
			continue
		}
		flush(i)
		other := c ^ 0x20 // the letter as written comes first
		parts = append(parts, syntax.NewClass(pos, false, grammar.Range{Lo: c, Hi: c}, grammar.Range{Lo: other, Hi: other}))
	}
	flush(len(text))
	if len(parts) == 0 {
		return syntax.NewLit(pos, "")
	}
	return syntax.NewSeq(pos, parts...)
}

// maxBound is the largest allowed bound of a repetition.
const maxBound = 1 << 20

// repeat applies a repetition before an element to e: n*m, n or the list operator n#m.
func (b *builder) repeat(it *item, e *syntax.Expr) *syntax.Expr {
	pos := notation.Pos(it.Pos)
	sep := strings.IndexAny(it.Repeat, "*#")
	lo, hi := it.Repeat, it.Repeat
	if sep >= 0 {
		lo, hi = it.Repeat[:sep], it.Repeat[sep+1:]
	}
	min, errMin := bound(lo, 0)
	max, errMax := bound(hi, grammar.Unbounded)
	switch {
	case errMin != nil || errMax != nil || min > maxBound || max > maxBound:
		b.ds = append(b.ds, notation.Errorf(it.Pos, fmt.Sprintf("write at most %d", maxBound), "a bound of %s is too large", it.Repeat))
		return e
	case max >= 0 && min > max:
		b.ds = append(b.ds, notation.Errorf(it.Pos, "write the smaller number first", "the bounds %s are the wrong way round", it.Repeat))
		return e
	case strings.Contains(it.Repeat, "#"):
		return b.list(pos, e, min, max)
	}
	return syntax.NewRep(pos, e, min, max)
}

func bound(text string, missing int) (int, error) {
	if text == "" {
		return missing, nil
	}
	return strconv.Atoi(text)
}

// list expands HTTP's list operator in its form for senders (RFC 9110, 5.6.1): elements separated
// by commas, with optional white space around the commas.
func (b *builder) list(pos grammar.Pos, e *syntax.Expr, min, max int) *syntax.Expr {
	b.g.Ignored = append(b.g.Ignored, grammar.Diagnostic{Severity: grammar.Note, Pos: pos, Code: "list",
		Message: "the list operator # is read as elements with commas between, blanks allowed around them"})
	if max == 0 {
		return syntax.NewSeq(pos)
	}
	blanks := func() *syntax.Expr {
		return syntax.NewRep(pos, syntax.NewClass(pos, false, grammar.Range{Lo: ' ', Hi: ' '}, grammar.Range{Lo: '\t', Hi: '\t'}), 0, grammar.Unbounded)
	}
	moreMin, moreMax := min-1, max-1
	if min == 0 {
		moreMin = 0
	}
	if max < 0 {
		moreMax = grammar.Unbounded
	}
	rest := syntax.NewSeq(pos, blanks(), syntax.NewLit(pos, ","), blanks(), e.Clone())
	all := syntax.NewSeq(pos, e, syntax.NewRep(pos, rest, moreMin, moreMax))
	if min == 0 {
		return syntax.NewRep(pos, all, 0, 1)
	}
	return all
}

// aboveFF reports whether a numeric value has a number above FF.
func aboveFF(text string) bool {
	for _, n := range numbers(text) {
		if n > 0xff {
			return true
		}
	}
	return false
}

// numbers returns the numbers of a numeric value. A too large number becomes MaxRune+1.
func numbers(text string) (out []rune) {
	base := map[byte]int{'x': 16, 'd': 10, 'b': 2}[text[1]|0x20]
	for _, n := range strings.FieldsFunc(text[2:], func(r rune) bool { return r == '-' || r == '.' }) {
		v, err := strconv.ParseUint(n, base, 32)
		if err != nil || v > utf8.MaxRune {
			v = utf8.MaxRune + 1
		}
		out = append(out, rune(v))
	}
	return out
}

// value reads a numeric value such as %x41, %x30-39 or %x0D.0A.
func (b *builder) value(it *item) *syntax.Expr {
	pos := notation.Pos(it.Pos)
	ns := numbers(it.Value)
	for _, n := range ns {
		if n > utf8.MaxRune {
			b.ds = append(b.ds, notation.Errorf(it.Pos, "write at most %x10FFFF", "%s is beyond Unicode", it.Value))
			return syntax.NewSeq(pos)
		}
	}
	if strings.Contains(it.Value, "-") {
		if ns[0] > ns[1] {
			b.ds = append(b.ds, notation.Errorf(it.Pos, "write the lower value first", "the range %s is empty", it.Value))
			return syntax.NewSeq(pos)
		}
		return b.span(pos, ns[0], ns[1])
	}
	var text []byte
	for _, n := range ns {
		switch {
		case b.octets:
			text = append(text, byte(n))
		case !utf8.ValidRune(n):
			b.ds = append(b.ds, notation.Errorf(it.Pos, "write a character outside D800-DFFF", "%s is not a character but half a surrogate pair", it.Value))
		default:
			text = utf8.AppendRune(text, n)
		}
	}
	return syntax.NewLit(pos, string(text))
}

// span returns an expression of one character, or of one byte, from lo to hi.
func (b *builder) span(pos grammar.Pos, lo, hi rune) *syntax.Expr {
	switch {
	case !b.octets || hi <= 0x7f:
		return syntax.NewClass(pos, false, grammar.Range{Lo: lo, Hi: hi})
	case lo <= 0x7f:
		return syntax.NewChoice(pos, syntax.NewClass(pos, false, grammar.Range{Lo: lo, Hi: 0x7f}), b.span(pos, 0x80, hi))
	case lo == hi:
		return syntax.NewLit(pos, string([]byte{byte(lo)}))
	}
	// Classes hold characters, so a range of bytes becomes a helper rule of
	// one-byte literals. All uses of the range share it.
	name := fmt.Sprintf("%%x%X-%X", lo, hi)
	if b.high[name] == nil {
		var bytes []*syntax.Expr
		for c := lo; c <= hi; c++ {
			bytes = append(bytes, syntax.NewLit(pos, string([]byte{byte(c)})))
		}
		b.high[name] = &syntax.Rule{Name: name, Pos: pos, Inline: true, Body: syntax.NewChoice(pos, bytes...)}
		b.order = append(b.order, b.high[name])
	}
	return syntax.NewRef(pos, name)
}
