package goebnf

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/load/internal/notation"
	"github.com/gramfuzz/gramfuzz/load/internal/syntax"
)

// Parse reads a file in Go's EBNF into a raw rule graph. name is the file's name in
// positions. Every malformed rule is reported; the graph has the others. Parse takes
// time linear in the file.
func Parse(name string, src []byte) (*syntax.Grammar, grammar.Diagnostics) {
	b := &builder{g: &syntax.Grammar{Name: name, Notation: "goebnf", LenientUndefined: true}}
	toks, ds := reader.Tokens(name, src)
	if len(toks) == 0 { // the file is not text
		return b.g, ds
	}
	b.ds = ds
	b.comments = make(map[grammar.Pos]string)
	last := grammar.Pos{}
	for _, t := range toks {
		switch t.Kind {
		case "Define":
			last = notation.Pos(t.Pos)
		case "Comment":
			b.comments[last] += " " + t.Value
		case "Space":
		default:
			last = grammar.Pos{}
		}
	}
	b.ds = append(b.ds, reader.Rules(name, nil, reader.SplitAfter(toks, "End"), b.rule)...)
	b.levels()
	b.start()
	b.ds.Sort()
	return b.g, b.ds
}

type builder struct {
	g        *syntax.Grammar
	ds       grammar.Diagnostics
	comments map[grammar.Pos]string // comments directly after a "=", by the position of the "="
}

func (b *builder) rule(r *rule) {
	pos := notation.Pos(r.Pos)
	var body *syntax.Expr
	if r.Body != nil {
		body = b.choice(r.Body)
	} else {
		body = b.prose(r)
	}
	b.g.Rules = append(b.g.Rules, &syntax.Rule{Name: r.Name, Pos: pos, Body: body})
}

// prose reads a rule without a body. Rules known from the specification become classes. Classes of
// letters and digits are negated ones, so that generation keeps to the current alphabet.
func (b *builder) prose(r *rule) *syntax.Expr {
	pos := notation.Pos(r.Pos)
	comment := ""
	for _, t := range r.Tokens {
		if t.Value == "=" {
			comment = strings.TrimSpace(b.comments[notation.Pos(t.Pos)])
			break
		}
	}
	if comment == "" {
		return syntax.NewSeq(pos)
	}
	switch r.Name {
	case "newline":
		return syntax.NewLit(pos, "\n")
	case "unicode_char":
		return syntax.NewClass(pos, true, grammar.Range{Lo: '\n', Hi: '\n'})
	case "unicode_letter":
		return allBut(pos, unicode.L)
	case "unicode_digit":
		return allBut(pos, unicode.Nd)
	}
	e, d := notation.Prose(pos, comment)
	b.ds = append(b.ds, d)
	return e
}

// allBut returns the class of t as a negated class: everything but the characters not in t.
func allBut(pos grammar.Pos, t *unicode.RangeTable) *syntax.Expr {
	var ranges []grammar.Range
	for _, r := range t.R16 {
		ranges = appendStrided(ranges, rune(r.Lo), rune(r.Hi), rune(r.Stride))
	}
	for _, r := range t.R32 {
		ranges = appendStrided(ranges, rune(r.Lo), rune(r.Hi), rune(r.Stride))
	}
	return syntax.NewClass(pos, true, grammar.NewSet(ranges...).Complement().Ranges()...)
}

func appendStrided(ranges []grammar.Range, lo, hi, stride rune) []grammar.Range {
	if stride == 1 {
		return append(ranges, grammar.Range{Lo: lo, Hi: hi})
	}
	for r := lo; r <= hi; r += stride {
		ranges = append(ranges, grammar.Range{Lo: r, Hi: r})
	}
	return ranges
}

func (b *builder) choice(c *choice) *syntax.Expr {
	return notation.Choice(c.Pos, c.Alts, func(s *sequence) *syntax.Expr {
		return notation.Seq(s.Pos, s.Items, b.item)
	})
}

func (b *builder) item(it *item) *syntax.Expr {
	pos := notation.Pos(it.Pos)
	switch {
	case it.Group != nil:
		return b.choice(it.Group)
	case it.Optional != nil:
		return syntax.NewRep(pos, b.choice(it.Optional), 0, 1)
	case it.Repeated != nil:
		return syntax.NewRep(pos, b.choice(it.Repeated), 0, grammar.Unbounded)
	case it.Name != "":
		return syntax.NewRef(pos, it.Name)
	case it.Range:
		return b.span(it)
	}
	return syntax.NewLit(pos, b.unquote(it, it.From))
}

// unquote evaluates a Go string literal.
func (b *builder) unquote(it *item, quoted string) string {
	text, err := strconv.Unquote(quoted)
	if err != nil {
		b.ds = append(b.ds, notation.Errorf(it.Pos, `use Go's escapes: \n \t \\ \" \x41 \u00e9`, "the literal %s has an escape that Go does not know", quoted))
	}
	return text
}

func (b *builder) span(it *item) *syntax.Expr {
	lo, n := utf8.DecodeRuneInString(b.unquote(it, it.From))
	hi, m := utf8.DecodeRuneInString(b.unquote(it, it.To))
	switch {
	case n == 0 || m == 0 || n != len(b.unquote(it, it.From)) || m != len(b.unquote(it, it.To)):
		b.ds = append(b.ds, notation.Errorf(it.Pos, "write exactly one character on either side",
			"the range %s … %s has an end that is not one character", it.From, it.To))
	case lo > hi:
		b.ds = append(b.ds, notation.Errorf(it.Pos, "write the lower character first", "the range %s … %s is empty", it.From, it.To))
	}
	return syntax.NewClass(notation.Pos(it.Pos), false, grammar.Range{Lo: lo, Hi: hi})
}
