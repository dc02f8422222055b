package computed

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/base/field"
	"github.com/gramfuzz/gramfuzz/internal/base/rawbyte"
	"github.com/gramfuzz/gramfuzz/load/internal/syntax"
)

// anyByte is the name of the element for any byte.
const anyByte = "byte"

// Annotations returns the names of the annotations that this package reads.
func Annotations() []string {
	return append(slices.Concat(numbering, []string{"before", "bytes", "copy", "count", "crc", "each", "filler", "len", "not", "offset", "pad", "part", "plus", "range"}), append(field.Sums(), field.Codes()...)...)
}

// computes reports whether an annotation turns its element into a computed field.
func computes(a grammar.Annotation) bool {
	_, sum := field.SumNamed(a.Name)
	return sum || slices.Contains([]string{"copy", "count", "crc", "len", "offset"}, a.Name)
}

func isField(as []grammar.Annotation) bool { return slices.ContainsFunc(as, computes) }

// Bytes rewrites references to bytes and encodings, unless a rule has the same name: byte and u8
// become a class, u16be two of these classes, dec3 three digits. Annotated classes, as in
// [\x80-\xff] @bytes, become classes of bytes. Computed elements are not changed. In notations
// other than the native one only annotated elements are rewritten.
func Bytes(g *syntax.Grammar) (ds grammar.Diagnostics) {
	b := &byteReader{defined: map[string]bool{}, names: g.Notation == "ebnf"}
	for _, r := range g.Rules {
		b.defined[r.Name] = true
	}
	for _, r := range g.Rules {
		r.Body.Walk(func(e *syntax.Expr) { b.binary = b.binary || isField(e.Annotations) })
	}
	for _, r := range g.Rules {
		b.rewrite(r.Body)
	}
	return b.ds
}

type byteReader struct {
	defined map[string]bool
	names   bool
	binary  bool // the grammar has fields: a literal repeated a fixed number of times becomes one literal
	ds      grammar.Diagnostics
}

func (b *byteReader) fail(pos grammar.Pos, message, hint string) {
	b.ds = append(b.ds, grammar.Diagnostic{Severity: grammar.Error, Pos: pos, Code: "field", Message: message, Hint: hint})
}

func (b *byteReader) rewrite(e *syntax.Expr) {
	wrap(e, "each")
	if isField(e.Annotations) {
		return
	}
	if _, ok := b.bits(e); ok {
		bits := b.bitFields([]*syntax.Expr{e})
		*e = *syntax.NewSeq(e.Pos, bits...)
		return
	}
	wrap(e, append(field.Codes(), "pad")...)
	if at := slices.IndexFunc(e.Annotations, func(a grammar.Annotation) bool { return a.Name == "value" }); at >= 0 {
		b.constant(e, e.Annotations[at])
		return
	}
	if at := slices.IndexFunc(e.Annotations, func(a grammar.Annotation) bool { return a.Name == "range" }); at >= 0 {
		b.numbers(e, e.Annotations[at])
		return
	}
	switch {
	case e.Op == grammar.Ref && b.names && !b.defined[e.Name]:
		b.name(e)
	case e.Op == grammar.Class && slices.ContainsFunc(e.Annotations, func(a grammar.Annotation) bool { return a.Name == "bytes" }):
		b.class(e)
	case slices.ContainsFunc(e.Annotations, func(a grammar.Annotation) bool { return a.Name == "bytes" }):
		b.fail(e.Pos, "@bytes is for classes", `write it as in [\x80-\xff] @bytes`)
	}
	if e.Op == grammar.Seq {
		b.joinBits(e)
	}
	for _, k := range e.Children {
		b.rewrite(k)
	}
	if k := e.Children; e.Op == grammar.Rep && e.Min == e.Max && k[0].Op == grammar.Lit && b.binary && len(k[0].Annotations) == 0 && e.Min*len(k[0].Text) <= maxCopy {
		e.Op, e.Text, e.Children, e.Min, e.Max = grammar.Lit, strings.Repeat(k[0].Text, e.Min), nil, 0, 0
	}
}

// wrap splits the annotations of e at the last one with one of the names. That annotation and later
// ones go to a new sequence around the element, which keeps the earlier ones.
func wrap(e *syntax.Expr, names ...string) {
	for at, a := range slices.Backward(e.Annotations) {
		if slices.Contains(names, a.Name) {
			inner := *e
			inner.Annotations = e.Annotations[:at:at]
			*e = syntax.Expr{Op: grammar.Seq, Pos: e.Pos, Children: []*syntax.Expr{&inner}, Annotations: e.Annotations[at:]}
			return
		}
	}
}

// name rewrites a reference to an encoding or to any byte.
func (b *byteReader) name(e *syntax.Expr) {
	as := e.Annotations
	if e.Name == anyByte || e.Name == "u8" || e.Name == "i8" {
		*e = *byteClass(e.Pos, grammar.Range{Lo: 0, Hi: 0xff})
		e.Annotations = append(e.Annotations, as...)
		return
	}
	enc, ok := field.Named(e.Name)
	if !ok {
		return
	}
	if enc.Variable() {
		*e = *anyNumber(e.Pos, enc)
		e.Annotations = as
		return
	}
	of := byteClass(e.Pos, grammar.Range{Lo: 0, Hi: 0xff})
	if enc.Digits() != "" {
		of = digitClass(e.Pos, enc)
	}
	*e = *syntax.NewRep(e.Pos, of, enc.Width, enc.Width)
	e.Annotations = as
}

// digitClass returns the class of the digits of an encoding. The digit 0 comes first.
func digitClass(pos grammar.Pos, enc field.Encoding) *syntax.Expr {
	e := syntax.NewClass(pos, false)
	for digits := enc.Digits(); digits != ""; digits = digits[2:] { // "09", "09af"
		e.Ranges = append(e.Ranges, grammar.Range{Lo: rune(digits[0]), Hi: rune(digits[1])})
	}
	return e
}

// byteClass returns the class of the bytes with values in ranges.
func byteClass(pos grammar.Pos, ranges ...grammar.Range) *syntax.Expr {
	e := syntax.NewClass(pos, false, byteRanges(ranges)...)
	e.Annotations = []grammar.Annotation{{Name: "bytes", Pos: pos}}
	return e
}

// byteRanges converts ranges of values up to 0xff to ranges of bytes.
func byteRanges(from []grammar.Range) (to []grammar.Range) {
	for _, r := range from {
		if r.Lo < 0x80 {
			to = append(to, grammar.Range{Lo: r.Lo, Hi: min(r.Hi, 0x7f)})
		}
		if r.Hi >= 0x80 {
			to = append(to, grammar.Range{Lo: rawbyte.Of(byte(max(r.Lo, 0x80))), Hi: rawbyte.Of(byte(r.Hi))})
		}
	}
	return to
}

// class turns a class of characters into a class of bytes.
func (b *byteReader) class(e *syntax.Expr) {
	ranges := e.Ranges
	for _, r := range ranges {
		if r.Hi >= rawbyte.First { // e is from byteClass
			return
		}
		if r.Hi > 0xff {
			b.fail(e.Pos, fmt.Sprintf("the class has %U, which is not a byte", r.Hi), `bytes are \x00 to \xff`)
			return
		}
	}
	if e.Negated {
		rest := []grammar.Range{}
		for c := rune(0); c <= 0xff; c++ {
			switch last := len(rest) - 1; {
			case slices.ContainsFunc(ranges, func(r grammar.Range) bool { return r.Lo <= c && c <= r.Hi }):
			case last >= 0 && rest[last].Hi == c-1:
				rest[last].Hi = c
			default:
				rest = append(rest, grammar.Range{Lo: c, Hi: c})
			}
		}
		ranges = rest
		e.Negated = false
	}
	e.Ranges = byteRanges(ranges)
}
