package antlr4

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/load/internal/notation"
)

// maxCopies bounds the copies of an element that represent {m,n}.
const maxCopies = 200

// nesting is the context of an expression.
type nesting uint8

const (
	inAlt  nesting = iota // a whole alternative: anything but a choice is allowed
	inSeq                 // an element of a sequence
	inAtom                // under a suffix: a single item
)

// expr writes an expression. lex tells whether it is inside a lexer rule.
func (p *printer) expr(e *grammar.Expr, in nesting, lex bool) string {
	switch e.Op {
	case grammar.Lit:
		return p.literal(e, in, lex)
	case grammar.Class:
		return p.class(e, lex)
	case grammar.Ref:
		return p.ref(e, lex)
	case grammar.Rep:
		return p.repetition(e, in, lex)
	case grammar.Choice:
		alts := make([]string, len(e.Children))
		for i, k := range e.Children {
			alts[i] = p.expr(k, inAlt, lex)
		}
		return "(" + strings.Join(alts, " | ") + ")"
	case grammar.Diff:
		p.lose(grammar.Error, e.Pos, "difference", "", "ANTLR has no A - B", "written is A alone")
		return p.expr(e.Children[0], in, lex)
	}
	var parts []string
	for _, k := range e.Children {
		if s := p.expr(k, inSeq, lex); s != "" {
			parts = append(parts, s)
		}
	}
	return group(parts, in)
}

// group joins the elements of a sequence.
func group(parts []string, in nesting) string {
	text := strings.Join(parts, " ")
	if in == inAtom && len(parts) != 1 {
		return "(" + text + ")"
	}
	return text
}

func (p *printer) literal(e *grammar.Expr, in nesting, lex bool) string {
	switch {
	case e.Text == "":
		return group(nil, in)
	case !utf8.ValidString(e.Text):
		p.lose(grammar.Error, e.Pos, "bytes", "", fmt.Sprintf("%q is not UTF-8; ANTLR knows characters alone", e.Text),
			"written are the characters with the values of the bytes")
	}
	chars := characters(e.Text)
	if lex || len(p.lexical) > 0 {
		return quote(chars)
	}
	var parts []string
	for _, c := range chars {
		parts = append(parts, quote([]rune{c}))
	}
	return group(parts, in)
}

// characters returns the characters of text. A byte that is not valid UTF-8 becomes the
// character with its value.
func characters(text string) []rune {
	var out []rune
	for len(text) > 0 {
		r, size := utf8.DecodeRuneInString(text)
		if r == utf8.RuneError && size == 1 {
			r = rune(text[0])
		}
		out = append(out, r)
		text = text[size:]
	}
	return out
}

func quote(chars []rune) string {
	var b strings.Builder
	for _, r := range chars {
		b.WriteString(escapes.Char(r, `'\`))
	}
	return "'" + b.String() + "'"
}

var escapes = notation.Escapes{Control: `\u%04X`, Short: `\u%04X`, Long: `\u{%X}`}

func setText(ranges []grammar.Range) string {
	var b strings.Builder
	for _, r := range ranges {
		b.WriteString(escapes.Char(r.Lo, `]\-`))
		if r.Hi > r.Lo {
			b.WriteString("-" + escapes.Char(r.Hi, `]\-`))
		}
	}
	return "[" + b.String() + "]"
}

func (p *printer) class(e *grammar.Expr, lex bool) string {
	set := grammar.NewSet(e.Ranges...)
	if i := slices.Index(e.Ranges, endOfText); i >= 0 {
		chars := *e
		chars.Ranges = slices.Delete(slices.Clone(e.Ranges), i, i+1)
		if len(chars.Ranges) == 0 {
			return "EOF"
		}
		return "(" + p.class(&chars, lex) + " | EOF)"
	}
	if !lex {
		return p.atomsOf(e)
	}
	switch {
	case set.Len() == 0 && e.Negated:
		return "."
	case set.Len() == 0:
		p.lose(grammar.Error, e.Pos, "empty-class", "", "ANTLR has no class without characters", "written is U+FFFF, which no text holds")
		return `'\uFFFF'`
	case e.Negated:
		return "~" + setText(set.Ranges())
	}
	return setText(set.Ranges())
}

func (p *printer) ref(e *grammar.Expr, lex bool) string {
	r := p.g.Rule(e.Name)
	base, role := p.split(e.Name)
	switch {
	case r == nil:
		return ruleNameText(e.Name, lex || p.own && isTokenName(e.Name)) // undefined
	case p.isSet(r):
		return r.Name
	case !lex && typeOf(r) != "":
		if t := p.g.Rule(typeOf(r)); t != nil {
			return p.names[t]
		}
		return typeOf(r)
	case role != "":
		if b := p.g.Rule(base); b != nil && p.names[b] != "" {
			return p.names[b]
		}
		return base
	case !lex && r.Kind == grammar.Skip && !r.Inline:
		p.lose(grammar.Warning, e.Pos, "layout", r.Name, fmt.Sprintf("the layout %q in a rule is left out", r.Name), "it generates nothing there")
		return ""
	}
	return p.names[r]
}

func (p *printer) repetition(e *grammar.Expr, in nesting, lex bool) string {
	atom := p.expr(e.Children[0], inAtom, lex)
	if atom == "()" || atom == "" {
		return group(nil, in)
	}
	lazy := ""
	if e.Lazy {
		lazy = "?"
	}
	min, max := e.Min, e.Max
	if min > maxCopies || max > maxCopies {
		p.lose(grammar.Error, e.Pos, "bounds", "", fmt.Sprintf("a repetition with bounds over %d", maxCopies), "written is one without an upper bound")
		min, max = 1, grammar.Unbounded
	}
	var parts []string
	for range min {
		parts = append(parts, atom)
	}
	switch {
	case max < 0 && min == 0:
		parts = append(parts, atom+"*"+lazy)
	case max < 0:
		parts[min-1] += "+" + lazy
	case max > min:
		rest := atom + "?" + lazy
		for range max - min - 1 {
			rest = "(" + atom + " " + rest + ")?" + lazy
		}
		parts = append(parts, rest)
	}
	text := strings.Join(parts, " ")
	if in == inAtom && (len(parts) != 1 || text != atom) {
		return "(" + text + ")"
	}
	return text
}
