package grammar

import (
	"math/rand/v2"
	"slices"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestNewSet(t *testing.T) {
	tests := []struct {
		name string
		in   []Range
		want []Range
		n    int
	}{
		{"nothing", nil, nil, 0},
		{"one", []Range{{'a', 'a'}}, []Range{{'a', 'a'}}, 1},
		{"touching ranges join", []Range{{'d', 'f'}, {'a', 'c'}}, []Range{{'a', 'f'}}, 6},
		{"overlapping ranges join", []Range{{'a', 'e'}, {'c', 'd'}, {'d', 'g'}}, []Range{{'a', 'g'}}, 7},
		{"apart", []Range{{'x', 'z'}, {'a', 'b'}}, []Range{{'a', 'b'}, {'x', 'z'}}, 5},
		{"reversed is empty", []Range{{'b', 'a'}}, nil, 0},
		{"surrogates are cut out", []Range{{0xD7FF, 0xE000}}, []Range{{0xD7FF, 0xD7FF}, {0xE000, 0xE000}}, 2},
		{"surrogates alone", []Range{{0xD800, 0xDFFF}}, nil, 0},
		{"from within the surrogates", []Range{{0xDC00, 0xE001}}, []Range{{0xE000, 0xE001}}, 2},
		{"beyond Unicode", []Range{{-5, 1}, {utf8.MaxRune, utf8.MaxRune + 9}}, []Range{{0, 1}, {utf8.MaxRune, utf8.MaxRune}}, 3},
	}
	for _, test := range tests {
		s := NewSet(test.in...)
		if d := cmp.Diff(test.want, s.Ranges()); d != "" || s.Len() != test.n {
			t.Errorf("%s: %d members, want %d; -want +got\n%s", test.name, s.Len(), test.n, d)
		}
	}
	if n := allScalars().Len(); n != 0x110000-0x800 {
		t.Errorf("%d scalar values", n)
	}
}

// TestSetAlgebra compares every operation with plain maps over a small range, placed in turn
// across the limits of UTF-8 lengths and the surrogates.
func TestSetAlgebra(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		base := []rune{0, 0x70, 0x7f0, 0xD7F0, 0xDFF0, 0xFFF0, utf8.MaxRune - 32}[rng.IntN(7)]
		random := func() (Set, map[rune]bool) {
			var rs []Range
			in := make(map[rune]bool)
			for range rng.IntN(5) {
				lo := base + rune(rng.IntN(32))
				hi := lo + rune(rng.IntN(6)) - 1
				rs = append(rs, Range{lo, hi})
				for r := lo; r <= hi; r++ {
					if utf8.ValidRune(r) {
						in[r] = true
					}
				}
			}
			return NewSet(rs...), in
		}
		s, inS := random()
		u, inU := random()
		sets := []struct {
			name string
			set  Set
			want func(r rune) bool
		}{
			{"itself", s, func(r rune) bool { return inS[r] }},
			{"intersection", s.Intersect(u), func(r rune) bool { return inS[r] && inU[r] }},
			{"minus", s.Intersect(u.Complement()), func(r rune) bool { return inS[r] && !inU[r] }},
			{"complement", s.Complement(), func(r rune) bool { return utf8.ValidRune(r) && !inS[r] }},
		}
		for _, op := range sets {
			for r := base - 2; r < base+40; r++ {
				if op.set.Has(r) != op.want(r) {
					t.Fatalf("%s of %v and %v: %U is a member: %v", op.name, s.Ranges(), u.Ranges(), r, op.set.Has(r))
				}
			}
		}
		if !slices.Equal(s.Complement().Complement().ranges, s.ranges) {
			t.Fatalf("%v: the complement's complement differs", s.Ranges())
		}
		var lens [4]int
		for i := range s.Len() {
			r := s.At(i)
			if s.Index(r) != i || !inS[r] {
				t.Fatalf("%v: member %d is %U, whose index is %d", s.Ranges(), i, r, s.Index(r))
			}
			lens[utf8.RuneLen(r)-1]++
		}
		if got := s.LenByBytes(); got != lens || len(inS) != s.Len() {
			t.Fatalf("%v: by bytes %v, want %v", s.Ranges(), got, lens)
		}
	}
}
