package field

import "slices"

// Resize says how many bytes a part adds to its own, by their number: those that fill it up to
// a multiple, and those that lengths of variable width have beyond their least width, wherever
// these stand. It never adds to nothing, and a longer part is never shorter with what it adds.
// It is immutable.
type Resize struct {
	Pad    int      // > 1: the part has a multiple of so many bytes
	Fill   string   // the byte that it is filled up with
	Widths []*Field // lengths of the part, those within it first
}

// Residues returns how many sizes of a part may lead to one size with what it adds.
func (r *Resize) Residues() int { return max(1, r.Pad) }

// Forward returns the size of a part of n bytes with what it adds.
func (r *Resize) Forward(n int) int {
	if r.Pad > 1 {
		return n + (r.Pad-n%r.Pad)%r.Pad
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
// A part that is filled up with k bytes has residue k, of the others it is 0.
func (r *Resize) Back(n, residue int) int {
	for at := n - residue; at >= 0 && at >= n-residue-len(r.Widths)*maxWidth; at-- {
		if back := r.Forward(at); back == n {
			return at
		} else if back < n {
			break
		}
	}
	return -1
}

// maxWidth bounds the width of a number of variable width.
const maxWidth = 20

// Extra returns how many bytes more than the least width a length of variable width has, of a
// part of n bytes without them. One that is within its part counts itself: it is as short as
// it can be.
func (f *Field) Extra(n int) int {
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

// widen makes room for what a length of variable width has beyond its least width, once its
// part is complete.
func (l *Layout) widen(text []byte, i int) []byte {
	s := &l.spans[i]
	p := l.find(s.scope, s.field.Parts[0])
	extra, at := s.field.Extra(p.to-p.from), s.to
	if extra == 0 {
		return text
	}
	text = slices.Insert(text, at, make([]byte, extra)...)
	for k := range l.spans {
		other := &l.spans[k]
		if other.from >= at {
			other.from += extra
		}
		if other.to >= at {
			other.to += extra
		}
	}
	return text
}
