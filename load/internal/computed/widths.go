package computed

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/base/field"
)

// maxPad bounds the argument of @pad.
const maxPad = 1 << 12

// pad reads @pad on an element. [Bytes] has put the element into its own sequence.
func (r *reader) pad(e *grammar.Expr, a grammar.Annotation) {
	n, fill := 0, "\x00"
	if len(a.Args) > 0 {
		n, _ = strconv.Atoi(a.Args[0])
	}
	if len(a.Args) > 1 {
		fill = strings.Join(a.Args[1:], ",")
	}
	if n < 2 || n > maxPad || len(fill) != 1 {
		r.fail(a.Pos, fmt.Sprintf("@pad takes a number from 2 to %d, and perhaps a byte", maxPad), `write it as in data @pad(512) or name @pad(4, " ")`)
		return
	}
	e.Resize = &field.Resize{Pad: n, Fill: fill}
}

// code reads an annotation that encodes an element. [Bytes] has put the element into its own
// sequence.
func (r *reader) code(e *grammar.Expr, a grammar.Annotation) {
	c := field.Code{Name: a.Name}
	least, most := 0, 0
	switch a.Name {
	case "blocks":
		least, most = 1, 255
	case "lzw":
		least, most = 2, 8
	}
	var err error
	if args := strings.Join(a.Args, ","); most > 0 || args != "" {
		c.N, err = strconv.Atoi(args)
	}
	switch {
	case most == 0 && len(a.Args) > 0:
		r.fail(a.Pos, fmt.Sprintf("@%s takes nothing in parentheses", a.Name), "write it as in data @"+a.Name)
	case err != nil || c.N < least || c.N > most:
		r.fail(a.Pos, fmt.Sprintf("@%s takes a number from %d to %d", a.Name, least, most), fmt.Sprintf("write it as in data @%s(%d)", a.Name, most))
	}
	e.Resize = &field.Resize{Code: c}
	r.coded = append(r.coded, coded{e, a})
}

// coded is an element with the annotation that encodes it.
type coded struct {
	e    *grammar.Expr
	note grammar.Annotation
}

// checkCodes refuses parts that cannot be compressed, and notes how other compressed parts are
// counted.
func (r *reader) checkCodes() {
	noted := false
	for _, c := range r.coded {
		code := c.e.Resize.Code
		if !code.Compresses() {
			continue
		}
		if least, _ := r.extent(c.e.Children[0]); least == 0 {
			r.fail(c.note.Pos, "the compressed part may be empty", "let it have a byte or more")
		}
		if most := r.greatest(c.e.Children[0], map[*grammar.Rule]bool{}); code.Name == "lzw" && int(most) >= 1<<code.N {
			r.fail(c.note.Pos, fmt.Sprintf("the part may have the byte %#02x, and @lzw(%d) has those below %#02x", most, code.N, 1<<code.N), "take @lzw(8), or classes of smaller bytes")
		}
		if !noted {
			r.ds = append(r.ds, grammar.Diagnostic{Severity: grammar.Note, Pos: c.note.Pos, Code: "compressed",
				Message: fmt.Sprintf("sizes are counted as they are before @%s; texts have others", c.note.Name)})
		}
		noted = true
	}
}

// greatest returns the greatest byte that texts of e may have. rules has the rules visited so far.
func (r *reader) greatest(e *grammar.Expr, rules map[*grammar.Rule]bool) (most byte) {
	switch {
	case e.Field != nil || e.Resize.Encodes() || e.Negated:
		return 0xff
	case e.Op == grammar.Ref && (e.Rule == nil || rules[e.Rule]):
		return 0
	case e.Op == grammar.Ref:
		rules[e.Rule] = true
		return r.greatest(e.Rule.Body, rules)
	}
	for i := range len(e.Text) {
		most = max(most, e.Text[i])
	}
	for _, x := range e.Ranges {
		most = max(most, byte(min(x.Hi, 0xff)))
	}
	for _, k := range e.Children {
		most = max(most, r.greatest(k, rules))
	}
	return most
}

// together refuses fields whose value is unknown when they are written. The fields inside an
// encoded part are computed before all others, so a field and its part must be in the same encoded
// part.
func (r *reader) together(f *found) bool {
	fail := func(e *grammar.Expr, message, hint string) bool {
		r.fail(f.note.Pos, fmt.Sprintf(message, e.Pos), hint)
		return false
	}
	for e := f.expr; e != nil; e = f.in.parent[e] {
		for _, p := range f.parts {
			if in, _ := f.in.inside(p, e); e.Resize.Encodes() && (!in || p == e) {
				return fail(e, "the field stands in the encoded part at %v, and what it is computed from does not", "move it out of the encoded part")
			}
		}
	}
	for e := f.parts[0]; e != nil && f.field.Kind == field.Offset; e = f.in.parent[e] {
		from := f.base
		if from == nil {
			from = f.expr
		}
		if in, _ := f.in.inside(from, e); e != f.parts[0] && e.Resize.Encodes() && (!in || from == e) {
			return fail(e, "the offset is of a part within the encoded part at %v, and is not counted from within it", "count it from a part in there, as in @offset(there, base)")
		}
	}
	return true
}

// widths handles parts whose lengths have variable width. It puts each part into a sequence that
// also accounts for the bytes by which the lengths exceed their minimum widths. So all of these
// bytes are counted at one place, where the size of the part is known.
func (r *reader) widths(fields []*found) {
	parts := map[*grammar.Expr][]*found{}
	var order []*grammar.Expr
	for _, f := range fields {
		if !f.field.Encoding.Variable() || len(f.parts) != len(f.field.Parts) || len(f.parts) == 0 {
			continue
		}
		f.field.Within, _ = f.in.inside(f.expr, f.parts[0])
		if r.variable(f) {
			p := f.parts[0]
			if parts[p] == nil {
				order = append(order, p)
			}
			parts[p] = append(parts[p], f)
		}
	}
	for _, p := range order {
		x := &field.Resize{}
		for _, f := range parts[p] {
			switch {
			case !f.field.Within:
				x.Widths = append(x.Widths, f.field)
			case len(x.Widths) > 0 && x.Widths[0].Within:
				r.fail(f.note.Pos, "there are two lengths of variable width in the part that they are of", "give one of them a fixed width")
			default:
				x.Widths = slices.Insert(x.Widths, 0, f.field)
			}
		}
		inner := *p
		*p = grammar.Expr{Op: grammar.Seq, Pos: p.Pos, Children: []*grammar.Expr{&inner}, Resize: x}
	}
}

// variable refuses lengths of variable width that cannot be counted.
func (r *reader) variable(f *found) bool {
	x, fail := f.field, func(message, hint string) bool {
		r.fail(f.note.Pos, message, hint)
		return false
	}
	switch {
	case x.Encoding == field.AnyBytes && x.Kind != field.Copy:
		return fail(fmt.Sprintf("byte* is for copies, not for @%s", x.Name), "take byte{n} with as many bytes as the checksum has, or an encoding of numbers")
	case x.Encoding != field.AnyBytes && (x.Kind != field.Length || x.Not):
		return fail(fmt.Sprintf("%v has a variable width, which lengths alone may have", x.Encoding), "take an encoding of fixed width, as u16be or dec5")
	case len(x.Parts) > 1:
		return fail("a length of variable width is of one part", "label the group of all of them with @part")
	case x.Parts[0].Up > f.in.moved(f.expr, f.parts[0]):
		return fail(fmt.Sprintf("the field has a variable width, and is not there exactly once for the part at %v", f.parts[0].Pos), "move it out of the repetition or the alternative, or take a fixed width")
	}
	if least, _ := r.extent(f.parts[0]); least+int64(x.Plus) < 0 {
		return fail("the length may be less than 0", "take another number for @plus")
	}
	sized := func(e *grammar.Expr) bool { return e != f.parts[0] && r.sized(f.in, e) }
	for e := f.in.parent[f.parts[0]]; e != nil; e = f.in.parent[e] {
		if in, _ := f.in.inside(f.expr, e); sized(e) && !in {
			return fail(fmt.Sprintf("the field has a variable width, and stands outside of the part at %v, whose own size is asked for, and which has the part that it is of", e.Pos), "move it into that part, or take a fixed width")
		}
	}
	for e := f.expr; e != nil; e = f.in.parent[e] {
		if in, _ := f.in.inside(f.parts[0], e); sized(e) && !in {
			return fail(fmt.Sprintf("the field has a variable width, and stands in the part at %v, whose own size is asked for, without the part that it is of", e.Pos), "move it out of that part, or take a fixed width")
		}
	}
	return true
}

// sized reports whether something depends on the number of bytes of e.
func (r *reader) sized(in *body, e *grammar.Expr) bool {
	return e.Resize.Adds() || slices.ContainsFunc(r.fields[in.rule], func(g *found) bool {
		return g.field.Encoding.Variable() && len(g.parts) > 0 && g.parts[0] == e
	})
}
