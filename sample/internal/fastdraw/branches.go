package fastdraw

import (
	"math"
	"sort"
)

// The buckets of a state lead from a draw to the ops of its outcome without a search
// through the branches. There is a bucket for each value of the first bucketBits bits
// of a draw, and most buckets contain no threshold or one.

// bucketBits is the number of first bits of a draw that select its bucket.
const bucketBits = 7

// bucket is the first op of a draw by the draw's first 32 bits: low below cut, high
// above. A draw at cut, or whose op is noStart, is looked up in the branches.
type bucket struct {
	cut       uint32
	low, high uint16
}

// noStart is no op.
const noStart = math.MaxUint16

// find returns the first op of the outcome of a draw, if the buckets tell.
func (st *state) find(u uint64) (at int, ok bool) {
	b := &st.buckets[u>>(64-bucketBits)]
	x := uint32(u >> 32)
	at = int(b.low)
	if x > b.cut {
		at = int(b.high)
	}
	return at, x != b.cut && at != noStart
}

// setBuckets fills the buckets.
func (st *state) setBuckets() {
	st.buckets = new([1 << bucketBits]bucket)
	for i := range st.buckets {
		st.buckets[i] = st.bucket(uint64(i) << (64 - bucketBits))
	}
}

// bucket returns the bucket of the draws from the given one on.
func (st *state) bucket(from uint64) bucket {
	const top = 1<<(64-bucketBits) - 1
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

// pick returns the outcome of a draw, and whether the draw is settled.
func pick(branches []branch, u uint64) (i int, settled bool) {
	i = sort.Search(len(branches)-1, func(i int) bool { return branches[i].hi > u })
	return i, u < branches[i].lo
}
