package computed

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/base/field"
	"github.com/gramfuzz/gramfuzz/internal/base/words"
)

// Fields turns each computed element of b into a literal with a [field.Field], and numbers the
// parts that fields refer to. It takes time linear in the grammar, and within a rule in the number
// of fields times the number of elements.
func Fields(b *grammar.Bound) grammar.Diagnostics {
	r := &reader{b: b, fields: map[*grammar.Rule][]*found{}, sizes: map[*grammar.Rule]sizes{}, lists: map[*grammar.Expr]*list{}, copies: map[*grammar.Expr]*grammar.Expr{}}
	var binary, lexical *grammar.Rule
	for _, rule := range b.Rules {
		if rule.Kind != grammar.Syntax {
			lexical = rule
		}
		if usesBytes(rule.Body) {
			binary = rule
		}
	}
	if binary == nil {
		return nil
	}
	if lexical != nil {
		r.fail(lexical.Pos, fmt.Sprintf("rule %q has bytes or computed fields, and rule %q is for a lexer", binary.Name, lexical.Name),
			"a grammar has either fields and bytes, or tokens and layout; leave @token, @skip and @fragment out")
		return r.ds
	}
	for _, rule := range b.Rules {
		r.rule(rule)
	}
	for _, rule := range b.Rules {
		for _, f := range r.fields[rule] {
			r.check(f)
		}
		r.order(r.fields[rule])
	}
	r.checkLists()
	r.checkCodes()
	for _, rule := range b.Rules {
		r.widths(r.fields[rule])
	}
	return r.ds
}

// usesBytes reports whether a body has bytes or fields.
func usesBytes(body *grammar.Expr) (found bool) {
	body.Walk(func(e *grammar.Expr) {
		found = found || slices.ContainsFunc(e.Annotations, func(a grammar.Annotation) bool {
			return slices.Contains(append([]string{"bytes", "each", "pad", "part"}, field.Codes()...), a.Name) || computes(a)
		})
	})
	return found
}

type reader struct {
	b      *grammar.Bound
	ds     grammar.Diagnostics
	parts  int
	fields map[*grammar.Rule][]*found
	sizes  map[*grammar.Rule]sizes
	lists  map[*grammar.Expr]*list         // parallel lists by their places
	copies map[*grammar.Expr]*grammar.Expr // by copy of any length: the copied part

	coded []coded // encoded elements
}

// found is a field of a rule.
type found struct {
	in    *body
	expr  *grammar.Expr
	field *field.Field
	note  grammar.Annotation
	parts []*grammar.Expr
	base  *grammar.Expr
}

func (r *reader) fail(pos grammar.Pos, message, hint string) {
	r.ds = append(r.ds, grammar.Diagnostic{Severity: grammar.Error, Pos: pos, Code: "field", Message: message, Hint: hint})
}

// rule finds the fields of a rule and turns them into literals.
func (r *reader) rule(rule *grammar.Rule) {
	for _, a := range rule.Annotations {
		if slices.Contains(Annotations(), a.Name) {
			r.fail(a.Pos, fmt.Sprintf("@%s stands after an element, not before a rule", a.Name), "write it as in u32be @len(data)")
		}
	}
	in := r.parallel(rule)
	var fields []*found
	for _, e := range in.order {
		if isField(e.Annotations) {
			if f := r.field(in, e); f != nil {
				fields = append(fields, f)
			}
			continue
		}
		for _, a := range e.Annotations {
			switch a.Name {
			case "pad":
				r.pad(e, a)
			default:
				if slices.Contains(field.Codes(), a.Name) {
					r.code(e, a)
				}
			}
			if slices.Contains([]string{"before", "filler", "not", "plus"}, a.Name) {
				r.fail(a.Pos, fmt.Sprintf("@%s is for computed fields", a.Name), "write it behind @len and the like")
			}
		}
	}
	for _, f := range fields {
		r.refer(f)
	}
	r.fields[rule] = fields
}

// field turns an element into a literal. It returns nil if that is impossible.
func (r *reader) field(in *body, e *grammar.Expr) *found {
	f := &found{in: in, expr: e, field: &field.Field{}}
	if !r.encoding(e, f.field) {
		return nil
	}
	var filler *grammar.Annotation
	for _, a := range e.Annotations {
		switch {
		case computes(a) && f.note.Name != "":
			r.fail(a.Pos, fmt.Sprintf("the element is computed already, by @%s", f.note.Name), "write one of the two")
		case computes(a):
			f.note = a
		case a.Name == "filler":
			filler = &a
		case a.Name == "before":
			f.field.Before = strings.Join(a.Args, ",")
		case a.Name == "not":
			f.field.Not = true
		case a.Name == "plus":
			n, err := strconv.Atoi(strings.Join(a.Args, ","))
			if err != nil || n < -maxPlus || n > maxPlus {
				r.fail(a.Pos, "@plus takes one whole number", "write it as in @plus(-8)")
			}
			f.field.Plus = n
		case a.Name != "part":
			r.fail(a.Pos, fmt.Sprintf("@%s does not go with @%s", a.Name, f.note.Name), "leave one of them out")
		}
	}
	f.field.Name = f.note.Name
	if _, sum := field.SumNamed(f.note.Name); f.field.Before != "" && !sum && f.note.Name != "crc" {
		r.fail(f.note.Pos, fmt.Sprintf("@before does not go with @%s", f.note.Name), "it is for checksums, as in u16be @inet(addresses, data) @before(\"\\x00\\x11\")")
	}
	zero := f.field.Lead + f.field.Encoding.Zero() + f.field.Trail
	f.field.Filler = zero
	if filler != nil {
		switch text := strings.Join(filler.Args, ","); {
		case len(text) == 1:
			f.field.Filler = strings.Repeat(text, len(zero))
		case len(text) == len(zero):
			f.field.Filler = text
		default:
			r.fail(filler.Pos, fmt.Sprintf("the filler has %d bytes, and the field %d", len(text), len(zero)), "give one byte, or as many as the field has")
		}
	}
	e.Op, e.Text, e.Name, e.Rule, e.Children, e.Field = grammar.Lit, f.field.Filler, "", nil, nil, f.field
	return f
}

// maxPlus bounds the argument of @plus.
const maxPlus = 1 << 30

// encoding reads the encoding of a field's element.
func (r *reader) encoding(e *grammar.Expr, f *field.Field) bool {
	elements := []*grammar.Expr{e}
	if e.Op == grammar.Seq {
		elements = e.Children
	}
	for _, k := range elements {
		switch {
		case k.Op == grammar.Lit && f.Encoding == field.Encoding{} && k != e:
			f.Lead += k.Text
			continue
		case k.Op == grammar.Lit && k != e:
			f.Trail += k.Text
			continue
		case f.Encoding != field.Encoding{}:
		case k.Op == grammar.Ref && k.Rule == nil:
			if enc, ok := field.Named(k.Name); ok {
				f.Encoding = enc
				continue
			}
		case k.Op == grammar.Rep && k.Min == 0 && k.Max < 0 && k.Children[0].Op == grammar.Ref && k.Children[0].Rule == nil && k.Children[0].Name == anyByte:
			f.Encoding = field.AnyBytes
			continue
		case k.Op == grammar.Rep && k.Min == k.Max && k.Min > 0 && k.Min <= maxCopy && k.Children[0].Op == grammar.Ref && k.Children[0].Rule == nil && k.Children[0].Name == anyByte:
			f.Encoding = field.Bytes(k.Min)
			continue
		}
		hint := "take u8, u16be, u32le, dec5, hex8, oct11 or byte{16}, perhaps with literals around it, as in ( oct6 \"\\x00 \" ) @sum(head)"
		if k.Op == grammar.Ref && k.Rule != nil {
			if _, ok := field.Named(k.Name); ok {
				hint = fmt.Sprintf("the grammar has a rule %q of its own; rename it", k.Name)
			}
		}
		r.fail(k.Pos, "this is not an encoding of a computed field", hint)
		return false
	}
	if f.Encoding == (field.Encoding{}) {
		r.fail(e.Pos, "the computed field has no encoding", "take u8, u16be, u32le, dec5, hex8, oct11 or byte{16}")
		return false
	}
	return true
}

// maxCopy bounds the bytes of a copied part.
const maxCopy = 1 << 16

// refer finds the parts that a field is computed from.
func (r *reader) refer(f *found) {
	args := f.note.Args
	x := f.field
	switch name := f.note.Name; name {
	case "len":
		x.Kind = field.Length
	case "count":
		x.Kind = field.Count
	case "offset":
		x.Kind = field.Offset
	case "copy":
		x.Kind = field.Copy
	case "crc":
		x.Kind = field.Checksum
		if len(args) == 0 {
			break
		}
		var err error
		if x.Sum, err = field.CRC(args[0]); err == field.ErrNoCRC {
			r.fail(f.note.Pos, fmt.Sprintf("unknown CRC %q", args[0]), words.DidYouMean(args[0], field.CRCs()))
			return
		} else if err != nil {
			r.fail(f.note.Pos, err.Error(), "write them as the catalogue does: width=16 poly=0x1021 init=0x0000 refin=false refout=false xorout=0x0000")
			return
		}
		args = args[1:]
	default:
		x.Kind = field.Checksum
		x.Sum, _ = field.SumNamed(name)
	}
	if x.Kind == field.Offset && len(args) == 2 {
		ref, part := r.part(f, args[1])
		x.Base, f.base = &ref, part
		args = args[:1]
	}
	most := map[field.Kind]int{field.Count: 1, field.Offset: 1, field.Copy: 1}[x.Kind]
	if len(args) == 0 || most > 0 && len(args) > most {
		r.fail(f.note.Pos, fmt.Sprintf("@%s has %d arguments", f.note.Name, len(f.note.Args)), "name the part that it is about, as in @len(data)")
		return
	}
	for _, name := range args {
		ref, part := r.part(f, name)
		if part == nil {
			continue
		}
		x.Parts, f.parts = append(x.Parts, ref), append(f.parts, part)
		if x.Encoding == field.AnyBytes {
			r.copies[f.expr] = part
		}
	}
}

// part finds the part with this name for a field: an element of the rule with @part(name), or a
// reference to the rule of this name. The part must occur exactly once for each field.
func (r *reader) part(f *found, name string) (field.Ref, *grammar.Expr) {
	var labelled, called, certain []*grammar.Expr
	for _, e := range f.in.order {
		if e.Op == grammar.Ref && e.Name == name {
			called = append(called, e)
		}
		for _, a := range e.Annotations {
			if a.Name == "part" && len(a.Args) == 1 && a.Args[0] == name {
				labelled = append(labelled, e)
			}
		}
	}
	if labelled == nil {
		labelled = called
	}
	up := 0
	for _, e := range labelled {
		n, ok := f.in.up(f.expr, e)
		switch {
		case !ok:
		case certain == nil || n < up: // the nearest part counts
			certain, up = []*grammar.Expr{e}, n
		case n == up:
			certain = append(certain, e)
		}
	}
	switch {
	case labelled == nil:
		r.fail(f.note.Pos, fmt.Sprintf("rule %q has no part %q", f.in.rule.Name, name), "write @part("+name+") behind an element, or name a rule that this rule refers to")
	case certain == nil:
		r.fail(f.note.Pos, fmt.Sprintf("the part %q at %v is not there exactly once for each field: it stands in an alternative or a repetition of its own", name, labelled[0].Pos),
			"label the whole group around it with @part, or move the field into it")
	case len(certain) > 1:
		r.fail(f.note.Pos, fmt.Sprintf("there are two parts %q, at %v and %v", name, certain[0].Pos, certain[1].Pos), "give one of them a name of its own with @part")
	default:
		e := certain[0]
		if e.Part == 0 {
			r.parts++
			e.Part = r.parts
		}
		return field.Ref{Part: e.Part, Up: up}, e
	}
	return field.Ref{}, nil
}

// order numbers the fields of a rule so that each follows the fields that it depends on.
func (r *reader) order(fields []*found) {
	var late []*found
	for _, f := range fields {
		if !f.field.Early() {
			late = append(late, f)
		}
	}
	needs := func(f *found) (all []*found) {
		for _, g := range late {
			if g != f && slices.ContainsFunc(f.parts, func(p *grammar.Expr) bool { in, _ := f.in.inside(g.expr, p); return in }) {
				all = append(all, g)
			}
		}
		return all
	}
	state := map[*found]int{} // 1: being visited, 2: done
	order := 0
	var path []*found
	var visit func(f *found) bool
	visit = func(f *found) bool {
		switch state[f] {
		case 1:
			path = path[slices.Index(path, f):]
			var names []string
			for _, g := range append(path, f) {
				names = append(names, fmt.Sprintf("@%s at %v", g.note.Name, g.note.Pos))
			}
			r.fail(f.note.Pos, "the fields depend on each other: "+strings.Join(names, ", which needs "), "leave one of them out of the part of the other")
			return false
		case 2:
			return true
		}
		state[f] = 1
		path = append(path, f)
		for _, g := range needs(f) {
			if !visit(g) {
				return false
			}
		}
		path = path[:len(path)-1]
		state[f] = 2
		f.field.Order = order
		order++
		return true
	}
	for _, f := range late {
		if !visit(f) {
			return
		}
	}
}

// check refuses fields whose values do not fit their encodings.
func (r *reader) check(f *found) {
	x := f.field
	if len(x.Parts) == 0 || len(f.parts) != len(x.Parts) || !r.together(f) {
		return // already reported
	}
	for _, p := range f.parts {
		in, repeated := f.in.inside(f.expr, p)
		if in && repeated && !x.Early() {
			r.fail(f.note.Pos, fmt.Sprintf("the field is in its own part several times: there is a repetition between it and the part at %v", p.Pos), "let it stand outside of the repetition, or of the part")
			return
		}
		if in && x.Kind == field.Copy {
			r.fail(f.note.Pos, "the field is a copy of a part that it is in itself", "copy a part that it is not in")
			return
		}
	}
	switch x.Kind {
	case field.Checksum:
		bytes, enc := x.Sum.Bytes, x.Encoding
		switch {
		case bytes > 8 && !enc.Digest(bytes):
			r.fail(f.note.Pos, fmt.Sprintf("@%s has %d bytes, which %v does not hold", f.note.Name, bytes, enc), fmt.Sprintf("take byte{%d} or hex%d", bytes, 2*bytes))
		case bytes <= 8 && !enc.Digest(bytes) && f.note.Name != "sum" && enc.Max() < x.Sum.Greatest():
			r.fail(f.note.Pos, fmt.Sprintf("@%s is up to %d, and %v holds at most %d", f.note.Name, x.Sum.Greatest(), enc, enc.Max()), "take a wider encoding")
		}
	case field.Copy:
		least, most := r.extent(f.parts[0])
		if x.Encoding != field.AnyBytes && (least != most || most != int64(x.Encoding.Width)) {
			r.fail(f.note.Pos, fmt.Sprintf("the part has %s bytes, and its copy %d", sizes{least, most}, x.Encoding.Width), "copy a part of fixed length into byte{n} with as many bytes, and one of any length into byte*")
		}
	case field.Count:
		p := f.parts[0]
		if p.Op != grammar.Rep {
			r.fail(f.note.Pos, fmt.Sprintf("@count is of a repetition, and the part at %v is none", p.Pos), "label the repetition itself, as in item* @part(items)")
			return
		}
		most := int64(p.Max)
		if p.Max < 0 {
			most = endless
		}
		r.fits(f, "elements", most, p)
	case field.Length:
		total := int64(0)
		for _, p := range f.parts {
			_, most := r.extent(p)
			total = min(total+most, endless)
		}
		r.fits(f, "bytes", total, f.parts[0])
	case field.Offset:
		if f.base == nil {
			r.fits(f, "bytes before it", endless, f.parts[0])
			return
		}
		_, most := r.extent(f.base)
		r.fits(f, "bytes before it", most, f.base)
	}
}

// fits reports a field whose values up to most do not fit its encoding.
func (r *reader) fits(f *found, of string, most int64, part *grammar.Expr) {
	const wide = 1<<31 - 1 // no sentence is that long
	holds := f.field.Fits()
	if holds >= wide || most < endless && uint64(most) <= holds {
		return
	}
	has := "any number of"
	if most < endless {
		has = fmt.Sprintf("up to %d", most)
	}
	r.fail(f.note.Pos, fmt.Sprintf("the part at %v may have %s %s, and %v holds at most %d", part.Pos, has, of, f.field.Encoding, holds),
		"bound its repetitions, as in byte{0,200}, or take a wider encoding")
}
