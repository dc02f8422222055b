package reduce

import "hash/maphash"

// change identifies a change of a text: the deleted and the inserted bytes, and a few on either
// side.
type change uint64

// besideChange is the number of bytes on either side of a change that identify it.
const besideChange = 8

var changeSeed = maphash.MakeSeed()

// changeOf returns the change from one text to another.
func changeOf(from, to []byte) change {
	a := 0
	for a < len(from) && a < len(to) && from[a] == to[a] {
		a++
	}
	b := 0
	for b < len(from)-a && b < len(to)-a && from[len(from)-1-b] == to[len(to)-1-b] {
		b++
	}
	var h maphash.Hash
	h.SetSeed(changeSeed)
	h.Write(from[max(a-besideChange, 0) : len(from)-max(b-besideChange, 0)])
	h.WriteByte(0)
	h.Write(to[a : len(to)-b])
	return change(h.Sum64())
}

// postponedBytes bounds the savings of a postponed change. A larger one that failed is not tried
// again: it deletes something that is needed.
const postponedBytes = 12

// postponed reports whether the same change failed on an earlier best. It will mostly
// fail again, so it is left for the last round of a fixed point.
func (s *search) postponed(c change, best *candidate) bool {
	on := s.failed[c]
	return on != nil && on != best && !s.certifying
}

// unpostpone forgets the failed changes, and reports whether any was postponed.
func (s *search) unpostpone() bool {
	skipped := s.skipped
	s.skipped = false
	clear(s.failed)
	return skipped
}
