package grammar

import (
	"slices"
	"sort"
	"unicode/utf8"

	"github.com/gramfuzz/gramfuzz/internal/base/rawbyte"
)

// Range is an inclusive range of Unicode scalar values, or of bytes (package rawbyte).
type Range struct{ Lo, Hi rune }

// Set is an immutable set of Unicode scalar values, or of bytes: sorted ranges that neither
// touch nor overlap. Surrogates (U+D800 to U+DFFF) are never members. The zero value is the
// empty set.
type Set struct {
	ranges []Range
	starts []int // members in the ranges before this one
	n      int
}

const (
	surrogateLo = 0xD800
	surrogateHi = 0xDFFF
)

// NewSet returns the set of all scalar values in the ranges, which may be in
// any order and overlap. A range whose Lo is greater than its Hi is empty.
func NewSet(ranges ...Range) Set {
	rs := make([]Range, 0, len(ranges)+1)
	for _, r := range ranges {
		if r.Lo <= utf8.MaxRune {
			r.Lo, r.Hi = max(r.Lo, 0), min(r.Hi, utf8.MaxRune)
		} else {
			r.Lo, r.Hi = max(r.Lo, rawbyte.Of(0x80)), min(r.Hi, rawbyte.Last)
		}
		if r.Lo < surrogateLo && r.Hi >= surrogateLo {
			rs = append(rs, Range{r.Lo, surrogateLo - 1})
			r.Lo = surrogateLo
		}
		if r.Lo >= surrogateLo && r.Lo <= surrogateHi {
			r.Lo = surrogateHi + 1
		}
		if r.Lo <= r.Hi {
			rs = append(rs, r)
		}
	}
	if len(rs) == 0 {
		return Set{}
	}
	if byLo := func(a, b Range) int { return int(a.Lo) - int(b.Lo) }; !slices.IsSortedFunc(rs, byLo) {
		slices.SortFunc(rs, byLo)
	}
	s := Set{ranges: rs[:0]} // joining never needs more space than the input
	for _, r := range rs {
		last := len(s.ranges) - 1
		if last >= 0 && r.Lo <= s.ranges[last].Hi+1 {
			s.ranges[last].Hi = max(s.ranges[last].Hi, r.Hi)
			continue
		}
		s.ranges = append(s.ranges, r)
	}
	s.starts = make([]int, len(s.ranges))
	for i, r := range s.ranges {
		s.starts[i] = s.n
		s.n += int(r.Hi-r.Lo) + 1
	}
	return s
}

// allScalars is the set of every Unicode scalar value.
func allScalars() Set { return NewSet(Range{0, utf8.MaxRune}) }

// printableASCII is U+0020 to U+007E, the default alphabet.
func printableASCII() Set { return NewSet(Range{0x20, 0x7e}) }

// Ranges returns the ranges of the set, sorted. The caller must not change them.
func (s Set) Ranges() []Range { return s.ranges }

// Len returns the number of members.
func (s Set) Len() int { return s.n }

// At returns the member with index i, 0 ≤ i < Len, in ascending order.
func (s Set) At(i int) rune {
	k := sort.Search(len(s.starts), func(k int) bool { return s.starts[k] > i }) - 1
	return s.ranges[k].Lo + rune(i-s.starts[k])
}

// Index returns the index of r among the members, or -1.
func (s Set) Index(r rune) int {
	k := sort.Search(len(s.ranges), func(k int) bool { return s.ranges[k].Hi >= r })
	if k == len(s.ranges) || r < s.ranges[k].Lo {
		return -1
	}
	return s.starts[k] + int(r-s.ranges[k].Lo)
}

// Has reports whether r is a member.
func (s Set) Has(r rune) bool { return s.Index(r) >= 0 }

// Complement returns every scalar value that is not a member.
func (s Set) Complement() Set {
	var out []Range
	next := rune(0)
	for _, r := range s.ranges {
		out = append(out, Range{next, r.Lo - 1})
		next = r.Hi + 1
	}
	return NewSet(append(out, Range{next, utf8.MaxRune})...)
}

// Intersect returns the members of both sets.
func (s Set) Intersect(t Set) Set {
	var out []Range
	for i, j := 0, 0; i < len(s.ranges) && j < len(t.ranges); {
		a, b := s.ranges[i], t.ranges[j]
		out = append(out, Range{max(a.Lo, b.Lo), min(a.Hi, b.Hi)})
		if a.Hi < b.Hi {
			i++
		} else {
			j++
		}
	}
	return NewSet(out...)
}

// LenByBytes returns the numbers of members with 1, 2, 3 and 4 bytes in UTF-8.
func (s Set) LenByBytes() [4]int {
	var out [4]int
	limits := [4]rune{0x7f, 0x7ff, 0xffff, utf8.MaxRune}
	for _, r := range s.ranges {
		lo := r.Lo
		for i, hi := range limits {
			if lo <= min(r.Hi, hi) {
				out[i] += int(min(r.Hi, hi)-lo) + 1
				lo = min(r.Hi, hi) + 1
			}
		}
		if lo := max(r.Lo, rawbyte.First); lo <= r.Hi { // the other members are ASCII, see rawbyte
			out[0] += int(r.Hi-lo) + 1
		}
	}
	return out
}
