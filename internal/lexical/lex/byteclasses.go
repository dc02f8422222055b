package lex

import "unicode/utf8"

// byteClasses is the partition of the bytes into classes that no token rule tells apart.
type byteClasses struct {
	of    [256]uint8
	first [256]byte // by class: one of its bytes
	n     int
}

// asciiSet is a bit set of ASCII bytes.
type asciiSet [2]uint64

func (s *asciiSet) add(b rune)      { s[b>>6] |= 1 << (b & 63) }
func (s *asciiSet) has(b rune) bool { return s[b>>6]>>(b&63)&1 != 0 }

// newByteClasses returns the byte classes for the rules of the given modes. Each byte
// outside ASCII has a class of its own.
func newByteClasses(modes []*mode) *byteClasses {
	sets := map[asciiSet]int{} // the sets that instructions read, numbered
	for _, m := range modes {
		for i := range m.engine.code {
			var s asciiSet
			switch in := &m.engine.code[i]; {
			case in.op == opByte && in.b < utf8.RuneSelf:
				s.add(rune(in.b))
			case in.op == opSet:
				for _, r := range in.set.Ranges() {
					for b := r.Lo; b <= min(r.Hi, utf8.RuneSelf-1); b++ {
						s.add(b)
					}
				}
			}
			if _, known := sets[s]; !known {
				sets[s] = len(sets)
			}
		}
	}
	c := &byteClasses{}
	known := map[string]int{} // classes, by the sets that contain their bytes
	in := make([]byte, len(sets))
	for b := range 256 {
		class, ok := c.n, false
		if b < utf8.RuneSelf {
			for s, i := range sets {
				in[i] = 0
				if s.has(rune(b)) {
					in[i] = 1
				}
			}
			class, ok = known[string(in)]
			if !ok {
				class, known[string(in)] = c.n, c.n
			}
		}
		if !ok {
			c.first[c.n] = byte(b)
			c.n++
		}
		c.of[b] = uint8(class)
	}
	return c
}
