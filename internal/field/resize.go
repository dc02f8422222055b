package field

import (
	"slices"
	"sort"
)

// Resize says how many bytes a part adds to its own, by their number: those that fill it up to
// a multiple, and those that fields of variable width have beyond their least width, wherever
// these stand. It never adds to nothing, and a longer part is never shorter with what it adds.
// It is immutable.
type Resize struct {
	Pad    int      // > 1: the part has a multiple of so many bytes
	Fill   string   // the byte that it is filled up with
	Widths []*Field // lengths and copies of the part, those within it first
	Code   Code     // how the part is written, unless it is the zero value
	Move   int      // not 0: the text of the part stands where this part does, in the scope around
}

// Adds reports whether the part adds anything.
func (r *Resize) Adds() bool {
	return r != nil && (r.Pad > 1 || len(r.Widths) > 0 || r.Encodes() && !r.Code.Compresses())
}

// Residues returns how many sizes of a part may lead to one size with what it adds.
func (r *Resize) Residues() int {
	if r.Code.Name == "base64" {
		return 3
	}
	return max(1, r.Pad)
}

// Forward returns the size of a part of n bytes with what it adds.
func (r *Resize) Forward(n int) int {
	if r.Pad > 1 {
		return n + (r.Pad-n%r.Pad)%r.Pad
	}
	if r.Encodes() {
		return r.Code.size(n)
	}
	more := 0
	for _, f := range r.Widths {
		if f.Within {
			n += f.Extra(n)
			continue
		}
		more += f.Extra(n)
	}
	return n + more
}

// Back returns the size of a part that has size n with what it adds; -1 where there is none.
// A part that is filled up with k bytes has residue k, in base64 one that ends k bytes before a
// group; of the others it is 0.
func (r *Resize) Back(n, residue int) int {
	at := n - residue
	switch {
	case r.Code.Name == "base64":
		at = n/4*3 - residue
	case r.Pad <= 1: // the longer, the longer with what it adds
		at = sort.Search(n, func(size int) bool { return r.Forward(size) >= n })
	}
	if at >= 0 && r.Forward(at) == n {
		return at
	}
	return -1
}

// maxWidth bounds the width of a number of variable width.
const maxWidth = 20

// Extra returns how many bytes more than the least width a field of variable width has, of a
// part of n bytes without them. One that is within its part counts itself: it is as short as
// it can be.
func (f *Field) Extra(n int) int {
	if f.Kind == Copy {
		return n
	}
	extra := 0
	for {
		size := n + f.Plus
		if f.Within {
			size += extra
		}
		wide := f.Encoding.width(uint64(size)) - f.Encoding.Width
		if wide <= extra {
			return extra
		}
		extra = wide
	}
}

// widen makes room for what a field of variable width has beyond its least width, once its
// part is complete.
func (l *Layout) widen(text []byte, i int) []byte {
	s := &l.spans[i]
	p := l.find(s.scope, s.field.Parts[0])
	extra, at, began := s.field.Extra(p.to-p.from), s.to, s.began
	if more := len(s.raw) - s.field.Encoding.Width; s.raw != "" {
		size := p.to - p.from + s.field.Plus
		if s.field.Within {
			size += more
		}
		if v, ok := s.field.Encoding.Value(s.raw); ok && v == uint64(size) {
			extra = more
		} else {
			s.raw = ""
		}
	}
	if extra == 0 {
		return text
	}
	text = slices.Insert(text, at, make([]byte, extra)...)
	for k := range l.spans {
		switch other := &l.spans[k]; {
		case other.from < 0: // taken out of the text
		case k == i || other.began < began && (other.ended == 0 || other.ended > began):
			other.to += extra
		case other.began > began:
			other.from += extra
			other.to += extra
		}
	}
	return text
}
