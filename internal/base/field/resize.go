package field

import (
	"slices"
	"sort"
)

// Resize is the change of a part's size by padding, by encoding, and by fields of variable
// width. Such a field counts with its bytes beyond its least width, wherever it stands. The
// number of added bytes depends only on the size of the part. An empty part gets none, and
// a longer part is never shorter in the end. A Resize is immutable.
type Resize struct {
	Pad    int      // > 1: the part is padded to a multiple of this many bytes
	Fill   string   // the padding byte
	Widths []*Field // the lengths and copies of the part; those within it come first
	Code   Code     // the encoding of the part; none if it is the zero value
	Move   int      // not 0: the part of the enclosing scope to which the text is moved
}

// Adds reports whether the part adds anything.
func (r *Resize) Adds() bool {
	return r != nil && (r.Pad > 1 || len(r.Widths) > 0 || r.Encodes() && !r.Code.Compresses())
}

// Residues returns the greatest number of part sizes that Forward maps to one size.
func (r *Resize) Residues() int {
	if r.Code.Name == "base64" {
		return 3
	}
	return max(1, r.Pad)
}

// Forward returns the resulting size of a part of n bytes.
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

// Back returns the size of a part whose resulting size is n, or -1 if there is none. The
// residue of a padded part is the number of padding bytes. In base64, it is the number of
// bytes missing in the last group; otherwise it is 0.
func (r *Resize) Back(n, residue int) int {
	at := n - residue
	switch {
	case r.Code.Name == "base64":
		at = n/4*3 - residue
	case r.Pad <= 1: // Forward is increasing
		at = sort.Search(n, func(size int) bool { return r.Forward(size) >= n })
	}
	if at >= 0 && r.Forward(at) == n {
		return at
	}
	return -1
}

// maxWidth bounds the width of a number of variable width.
const maxWidth = 20

// Extra returns the bytes of a field of variable width beyond its least width. n is the size
// of its part without them. A field within its part counts itself, and is as short as
// possible.
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

// widen makes room for the bytes of a field beyond its least width, once its part is
// complete.
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
		case other.from < 0: // put aside
		case k == i || other.began < began && (other.ended == 0 || other.ended > began):
			other.to += extra
		case other.began > began:
			other.from += extra
			other.to += extra
		}
	}
	return text
}
