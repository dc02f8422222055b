package fastdraw

import (
	"math"
	"sort"
	"sync/atomic"
)

// The buckets of a state map a draw to the ops of its outcome without a search through the
// branches. There is a bucket for each value of the first bucketBits bits of a draw, and most
// buckets contain at most one threshold.

// bucketBits is the number of first bits of a draw that select its bucket.
const bucketBits = 7

// buckets are the buckets of a state.
type buckets [1 << bucketBits]bucket

// bucket gives the first op of a draw by the draw's first 32 bits: low below cut, high above.
// A draw at cut, or whose op is noStart, is looked up in the branches.
type bucket struct {
	cut    atomic.Uint32
	starts atomic.Uint32 // low, with high above it; noStart while an outcome is not compiled
}

// noStart is not an op.
const noStart = math.MaxUint16

// find returns the first op of the outcome of a draw, or noStart if the buckets do not
// determine it.
func (b *buckets) find(u uint64) (at int) {
	k := &b[u>>(64-bucketBits)]
	x, starts := uint32(u>>32), k.starts.Load()
	cut := k.cut.Load()
	if x > cut {
		starts >>= 16
	}
	at = int(uint16(starts))
	if x == cut {
		at = noStart
	}
	return at
}

// clear sets new buckets so that they determine nothing.
func (b *buckets) clear() {
	for i := range b {
		b[i].starts.Store(noStart | noStart<<16)
	}
}

// fill sets the buckets from outcomes. They may be read concurrently: a cut is stored before
// the ops on its sides.
func (b *buckets) fill(f *found) {
	for i := range b {
		cut, starts := f.bucket(uint64(i) << (64 - bucketBits))
		b[i].cut.Store(cut)
		b[i].starts.Store(starts)
	}
}

// update stores in the buckets the beginning of the ops of outcome i.
func (b *buckets) update(f *found, i int) {
	first := uint64(0)
	if i > 0 {
		first = f.branches[i-1].lo
	}
	for k := first >> (64 - bucketBits); k <= f.branches[i].hi>>(64-bucketBits); k++ {
		_, starts := f.bucket(k << (64 - bucketBits))
		b[k].starts.Store(starts)
	}
}

// bucket returns the contents of the bucket that begins at the draw from.
func (f *found) bucket(from uint64) (cut, starts uint32) {
	const top = 1<<(64-bucketBits) - 1
	last := len(f.branches) - 1
	i := sort.Search(last, func(i int) bool { return f.branches[i].hi > from })
	b := f.branches[i]
	both := func(low, high uint32) uint32 { return low | high<<16 }
	switch {
	case b.lo > from+top, // no draw of the bucket is at the cut
		i == last && b.lo == math.MaxUint64: // the last draw of all is at the cut
		return math.MaxUint32, both(f.start(i), f.start(i))
	case i == last || b.hi>>32 != b.lo>>32 || f.branches[i+1].lo <= from+top:
		return 0, both(noStart, noStart)
	}
	return uint32(b.lo >> 32), both(f.start(i), f.start(i+1))
}

// start returns the first op of an outcome in the form of buckets.
func (f *found) start(i int) uint32 { return min(f.starts[i].Load()-1, noStart) }

// pick returns the outcome of a draw, and whether the draw is decided.
func pick(branches []branch, u uint64) (i int, settled bool) {
	i = sort.Search(len(branches)-1, func(i int) bool { return branches[i].hi > u })
	return i, u < branches[i].lo
}
