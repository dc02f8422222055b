package field

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Kind is the kind of a field: the computation of its value.
type Kind uint8

// The kinds of fields.
const (
	Length   Kind = iota // the length of the parts, in bytes
	Count                // the number of elements of the part, a repetition
	Offset               // the distance in bytes from the part Base to the part
	Copy                 // the bytes of the part
	Checksum             // a checksum of the concatenated parts
)

// Ref is a reference to a part: its number in the grammar, and the number of scopes from
// the field's scope up to the part's. Each rule body, each alternative and each element of
// a repetition is a scope.
type Ref struct{ Part, Up int }

// Field is the description of a field: the computation of its text. It is immutable.
type Field struct {
	Kind     Kind
	Name     string // of its annotation
	Parts    []Ref  // at least one
	Base     *Ref   // Offset: the part from which it counts; nil: the beginning of the text
	Sum      *Sum   // Checksum
	Encoding Encoding

	Lead, Trail string // literal text around the encoded value
	Filler      string // the placeholder, as long as the field, over which its own sum is computed
	Before      string // Checksum: bytes before the parts
	Plus        int    // added to the value
	Not         bool   // the complement of the value's bits
	Within      bool   // a length of variable width stands in its own part

	// Order is the rank of the field among the fields of its rule, in the order of
	// dependence.
	Order int
}

// Width returns the width of the field in bytes; the minimum if it is variable.
func (f *Field) Width() int { return len(f.Lead) + f.Encoding.Width + len(f.Trail) }

// Early reports whether the value depends only on the positions of parts, not on their bytes.
func (f *Field) Early() bool { return f.Kind != Copy && f.Kind != Checksum }

// Fits returns the greatest length, count or offset that the field can hold.
func (f *Field) Fits() uint64 {
	if most := f.Encoding.Max(); f.Plus < 0 {
		return most + min(uint64(-f.Plus), math.MaxUint64-most)
	} else if uint64(f.Plus) <= most {
		return most - uint64(f.Plus)
	}
	return 0
}

// Size returns the length or count stated by the text of the field; for a copy, the length
// of the copy itself. It returns false if the text states none.
func (f *Field) Size(text string) (int, bool) {
	if len(text) < f.Width() {
		return 0, false
	}
	if f.Kind == Copy {
		return len(text) - f.Width(), true
	}
	v, ok := f.Encoding.Value(text[len(f.Lead) : len(text)-len(f.Trail)])
	if f.Not {
		v = ^v & f.Encoding.Max()
	}
	size := int64(v) - int64(f.Plus)
	const most = 1 << 40 // longer than any text, and far from overflow
	return int(min(size, most)), ok && v < 1<<62 && size >= 0
}

// span is a part or a field of one text.
type span struct {
	part     int    // 0: a field
	field    *Field // nil: a part
	from, to int
	scope    int32
	level    int32 // the number of enclosing rules
	elements int   // the number of elements, if the part is a repetition
	next     int32 // another part of the same scope; -1: none

	inner bool   // it lies in the text of an encoded part: see apart.go
	raw   string // a field of groups: its text with more groups than needed, else ""

	began, ended int32 // the times of its beginning and end, on the layout's clock
}

// scope is a set of parts that fields refer to by number.
type scope struct {
	up, level int32
	first     int32 // one of its parts, the head of the list; -1: none
}

// Layout is the positions of the parts and fields of one text. Reset makes it reusable. The
// zero Layout has no parts and fields. A Layout belongs to one goroutine.
type Layout struct {
	spans  []span
	scopes []scope
	late   []int32
	wide   []int // the fields of variable width whose parts are not complete
	buf    []byte
	clock  int32  // the number of beginnings and ends so far
	aside  []byte // the texts put aside: see apart.go
	moved  []moved

	// Raw is the given texts of encoded parts, in the order of their ends, and of the fields
	// of groups of bits between them. It is "" for those written as by this package.
	Raw   []string
	coded int // the number of entries used so far

	Plain bool // compressed parts are written uncompressed
}

// Reset makes the layout empty, with one scope, number 0.
func (l *Layout) Reset() {
	l.wide, l.spans, l.scopes = l.wide[:0], l.spans[:0], append(l.scopes[:0], scope{up: -1, first: -1})
	l.clock, l.aside, l.moved, l.Raw, l.coded, l.Plain = 0, l.aside[:0], l.moved[:0], nil, 0, false
}

// tick returns the next number of a beginning or an end.
func (l *Layout) tick() int32 {
	l.clock++
	return l.clock
}

// Open adds a scope below the scope up and returns its number. rule says whether the scope
// is one rule deeper.
func (l *Layout) Open(up int32, rule bool) int32 {
	s := scope{up: up, level: l.scopes[up].level, first: -1}
	if rule {
		s.level++
	}
	l.scopes = append(l.scopes, s)
	return int32(len(l.scopes) - 1)
}

// Begin adds a part that begins at the given position, and returns its number for
// [Layout.End]. Part 0 is a part that no field refers to.
func (l *Layout) Begin(part int, scope int32, at int) int {
	n := len(l.spans)
	l.spans = append(l.spans, span{part: part, from: at, to: at, scope: scope, next: -1, began: l.tick()})
	if part != 0 {
		l.spans[n].next = l.scopes[scope].first
		l.scopes[scope].first = int32(n)
	}
	return n
}

// End ends a part at the current end of the text. elements is the number of elements of a
// repetition. End pads, encodes or moves the part as r says, makes room for the part's
// fields of variable width, and returns the text.
func (l *Layout) End(n, elements int, text []byte, r *Resize) []byte {
	l.spans[n].elements = elements
	if r != nil && r.Pad > 1 {
		text = l.pad(n, text, r)
	}
	text = l.here(n, text)
	if r.Encodes() {
		text = l.encode(n, text, r)
	}
	l.spans[n].to, l.spans[n].ended = len(text), l.tick()
	for _, within := range [...]bool{true, false} { // fields within the part come first: they count in its size
		for i := 0; i < len(l.wide); i++ {
			s := &l.spans[l.wide[i]]
			if p := l.seek(s.scope, s.field.Parts[0]); s.field.Within == within && p == &l.spans[n] {
				text = l.widen(text, l.wide[i])
				l.wide = slices.Delete(l.wide, i, i+1)
				i--
			}
		}
	}
	if r != nil && r.Move != 0 {
		text = l.move(n, text, r.Move)
	}
	return text
}

// pad pads part n, which ends at the end of the text, and returns the text.
func (l *Layout) pad(n int, text []byte, r *Resize) []byte {
	size := len(text) - l.spans[n].from
	more := r.Forward(size) - size
	if more > 0 {
		now := l.tick()
		l.spans = append(l.spans, span{field: padding, from: len(text), to: len(text) + more, began: now, ended: now})
	}
	for range more {
		text = append(text, r.Fill...)
	}
	return text
}

// padding is the pseudo-field for the bytes that pad a part.
var padding = &Field{Name: "pad"}

// computed reports whether f is a real field, not one for padding or an encoded part.
func (f *Field) computed() bool { return f.Encoding != Encoding{} }

// Add adds a field at the current end of the text, and returns the text with the field's
// filler.
func (l *Layout) Add(f *Field, scope int32, text []byte) []byte {
	n, now := len(l.spans), l.tick()
	l.spans = append(l.spans, span{field: f, from: len(text), to: len(text) + f.Width(), scope: scope, level: l.scopes[scope].level, began: now, ended: now})
	text = append(text, f.Filler...)
	if f.Encoding.Groups() {
		l.spans[n].raw = l.nextRaw()
	}
	switch p := l.seek(scope, f.Parts[0]); {
	case !f.Encoding.Variable():
	case p == nil || f.Within: // the part is not complete
		l.wide = append(l.wide, n)
	default:
		text = l.widen(text, n)
	}
	return text
}

// nextRaw returns the next entry of Raw, or "" after the last.
func (l *Layout) nextRaw() (raw string) {
	if l.coded < len(l.Raw) {
		raw = l.Raw[l.coded]
	}
	l.coded++
	return raw
}

// At is a field of a text.
type At struct {
	Field    *Field
	From, To int // its position, in bytes
}

// Fields returns the fields in the order of the text. The bytes of each padding are a field
// called pad, and those of each encoded part a field called by its encoding.
func (l *Layout) Fields() (all []At) {
	for i := range l.spans {
		if s := &l.spans[i]; s.field != nil && !s.inner {
			all = append(all, At{s.field, s.from, s.to})
		}
	}
	slices.SortStableFunc(all, func(a, b At) int { return cmp.Compare(a.From, b.From) })
	return all
}

// Fill writes the fields into the layout's text. Fields that depend only on positions come
// first; each other field comes after those that its bytes depend on.
func (l *Layout) Fill(text []byte) { l.fill(text, 0, 0) }

// fill writes the fields from span first on into a text that begins at origin.
func (l *Layout) fill(text []byte, first, origin int) {
	l.late = l.late[:0]
	for i := first; i < len(l.spans); i++ {
		switch s := &l.spans[i]; {
		case s.field == nil || !s.field.computed() || s.inner:
		case s.field.Early():
			l.write(text, s, origin)
		default:
			l.late = append(l.late, int32(i))
		}
	}
	// A field depends on fields of its own rule with a lower order, and on those of nested
	// rules.
	slices.SortStableFunc(l.late, func(a, b int32) int {
		s, t := &l.spans[a], &l.spans[b]
		return cmp.Or(cmp.Compare(t.level, s.level), cmp.Compare(s.field.Order, t.field.Order))
	})
	for _, i := range l.late {
		l.write(text, &l.spans[i], origin)
	}
}

// write writes one field.
func (l *Layout) write(text []byte, s *span, origin int) {
	f := s.field
	defer copy(text[s.to-len(f.Trail):], f.Trail)
	defer copy(text[s.from:], f.Lead)
	to := text[s.from+len(f.Lead) : s.to-len(f.Trail)]
	if f.Early() {
		v := l.value(s, origin)
		if f.Not {
			v = ^v
		}
		f.Encoding.put(to, v)
		if s.raw != "" {
			copy(to, s.raw)
		}
		return
	}
	l.buf = append(l.buf[:0], f.Before...)
	var bytes []byte
	for _, r := range f.Parts {
		p := l.find(s.scope, r)
		if p.from <= s.from && s.to <= p.to {
			copy(text[s.from:], f.Filler)
		}
		bytes = l.bytes(text, p)
		if len(f.Parts) > 1 || f.Before != "" {
			l.buf = append(l.buf, bytes...)
			bytes = l.buf
		}
	}
	value := bytes
	if f.Kind == Checksum {
		at := len(l.buf)
		l.buf = f.Sum.append(l.buf, bytes)
		value = l.buf[at:]
	}
	if f.Encoding.Variable() {
		copy(to, value)
	} else {
		f.Encoding.putSum(to, value)
	}
	if f.Not {
		for i := range to {
			to[i] = ^to[i]
		}
	}
}

// value returns the value of a field that depends only on positions.
func (l *Layout) value(s *span, origin int) uint64 {
	f := s.field
	v := f.Plus
	switch f.Kind {
	case Length:
		for _, r := range f.Parts {
			p := l.find(s.scope, r)
			v += p.to - p.from
		}
	case Count:
		v += l.find(s.scope, f.Parts[0]).elements
	case Offset:
		if f.Base != nil {
			origin = l.find(s.scope, *f.Base).from
		}
		v += l.find(s.scope, f.Parts[0]).from - origin
	}
	return uint64(v)
}

// find returns the part that a field in a scope refers to.
func (l *Layout) find(at int32, r Ref) *span {
	if s := l.seek(at, r); s != nil {
		return s
	}
	panic(fmt.Sprintf("field: part %d is not in scope %d", r.Part, at)) // references are checked where grammars are loaded
}

// seek is like find, but returns nil if the part has not begun.
func (l *Layout) seek(at int32, r Ref) *span {
	for range r.Up {
		at = l.scopes[at].up
	}
	for i := l.scopes[at].first; i >= 0; i = l.spans[i].next {
		if s := &l.spans[i]; s.part == r.Part {
			return s
		}
	}
	return nil
}
