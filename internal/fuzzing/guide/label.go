package guide

import (
	"encoding/binary"
	"math/bits"

	"github.com/cespare/xxhash/v2"
)

// Label identifies an event of a run: an edge with its bucketed count, an exit status, or a
// name given by the test. The lower 4 bits hold the bucket of the count. The other bits hold
// the number of an edge or, with the highest bit set, the hash of a name. Two names collide
// with probability 2^-59.
type Label uint64

const (
	countBits = 4 // bits of a label for the count
	named     = Label(1) << 63
)

// Named returns the label of a name.
func Named(name string) Label { return named | Label(xxhash.Sum64String(name)).subject() }

// Edge returns the label of a counter with the value hits, bucketed as AFL does: 1, 2, 3, 4-7,
// 8-15, 16-31, 32-127 and 128 or more are different labels. hits is at least 1; an edge with 0
// hits has no label.
func Edge(index int, hits uint8) Label {
	return Label(index)<<countBits | Label(buckets[hits])
}

// buckets maps every count to the number of its bucket in AFL's classification.
var buckets = func() (of [256]uint8) {
	for n, begins := 0, []int{2, 3, 4, 8, 16, 32, 128}; n < 256; n++ {
		for _, b := range begins {
			if n >= b {
				of[n]++
			}
		}
	}
	return of
}()

// times returns the label of the same edge or name, seen n times, n > 0.
func (l Label) times(n uint8) Label { return l.subject() | Label(buckets[n]) }

// subject returns the label without the count: an edge or a name.
func (l Label) subject() Label { return l >> countBits << countBits }

// AppendEdges appends the labels of an array of edge counters, one for each that is not 0.
func AppendEdges(labels []Label, counters []byte) []Label {
	for at, word := nextEdges(counters, 0); word != 0; at, word = nextEdges(counters, at+8) {
		for word != 0 {
			k := bits.TrailingZeros64(word) &^ 7
			labels = append(labels, Edge(at+k/8, uint8(word>>k)))
			word &^= 0xff << k
		}
	}
	return labels
}

// nextEdges returns the first eight counters from at on, in steps of eight, that are not all 0, and
// where they begin. They are one number, the first in the lowest byte; it is 0 at the end. Most
// counters of a run are 0.
func nextEdges(counters []byte, at int) (int, uint64) {
	le := binary.LittleEndian
	for at+8 <= len(counters) {
		if w := le.Uint64(counters[at:]); w != 0 {
			return at, w
		}
		for at += 8; at+32 <= len(counters); at += 32 {
			if c := counters[at : at+32]; le.Uint64(c)|le.Uint64(c[8:])|le.Uint64(c[16:])|le.Uint64(c[24:]) != 0 {
				break
			}
		}
	}
	var last [8]byte
	copy(last[:], counters[min(at, len(counters)):])
	return at, le.Uint64(last[:])
}
