package sample

import (
	"math"
	"sort"
)

// The guide of a state leads from a draw to the ops of its outcome without looking
// through the branches: it has a bucket for each value that the first guideBits
// bits of a draw have, and most buckets have no threshold in them or one.

// guideBits is how many of the first bits of a draw the guide goes by.
const guideBits = 7

// bucket says where the ops of draws begin by the first 32 bits of a draw: at low
// below cut, at high above. At cut, or where that is noStart, the branches are
// asked.
type bucket struct {
	cut       uint32
	low, high uint16
}

// noStart is no op.
const noStart = math.MaxUint16

// find returns the op that the ops of the outcome of a draw begin at, if the guide
// tells.
func (st *state) find(u uint64) (at int, ok bool) {
	b := &st.guide[u>>(64-guideBits)]
	x := uint32(u >> 32)
	at = int(b.low)
	if x > b.cut {
		at = int(b.high)
	}
	return at, x != b.cut && at != noStart
}

// setGuide makes the guide.
func (st *state) setGuide() {
	st.guide = new([1 << guideBits]bucket)
	for i := range st.guide {
		st.guide[i] = st.bucket(uint64(i) << (64 - guideBits))
	}
}

// bucket returns the bucket of the draws from the given one on.
func (st *state) bucket(from uint64) bucket {
	const top = 1<<(64-guideBits) - 1
	nothing := bucket{0, noStart, noStart}
	if len(st.ops) >= noStart {
		return nothing
	}
	last := len(st.branches) - 1
	i := sort.Search(last, func(i int) bool { return st.branches[i].hi > from })
	b := st.branches[i]
	start := uint16(b.start)
	switch {
	case b.lo > from+top:
		return bucket{math.MaxUint32, start, start} // no draw of the bucket is at the cut
	case i == last && b.lo == math.MaxUint64:
		return bucket{math.MaxUint32, start, start} // the last draw of all is at the cut
	case i == last || b.hi>>32 != b.lo>>32 || st.branches[i+1].lo <= from+top:
		return nothing
	}
	return bucket{uint32(b.lo >> 32), start, uint16(st.branches[i+1].start)}
}

// pick returns the outcome of a draw, and whether that is settled.
func (st *state) pick(u uint64) (i int, settled bool) {
	i = sort.Search(len(st.branches)-1, func(i int) bool { return st.branches[i].hi > u })
	return i, u < st.branches[i].lo
}
