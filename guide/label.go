package guide

import (
	"math/bits"

	"github.com/cespare/xxhash/v2"
)

// Label names something that a run of an input showed: an edge with its bucketed
// count, an exit status, a name that the test gave. It is a hash: two things
// have the same label with probability 2^-64.
type Label uint64

// Named returns the label of a name.
func Named(name string) Label { return Label(xxhash.Sum64String(name)) }

// Edge returns the label of a counter that a run raised to hits, bucketed as AFL
// does: 1, 2, 3, 4-7, 8-15, 16-31, 32-127 and 128 or more are different labels.
// hits is at least 1; an edge with 0 hits shows nothing.
func Edge(index int, hits uint8) Label {
	return Label(mix(uint64(index)<<8|uint64(bucket(hits))) | 1)
}

// bucket returns the bit that AFL's classification gives a count.
func bucket(hits uint8) uint8 {
	switch {
	case hits <= 2:
		return hits
	case hits == 3:
		return 4
	case hits >= 128:
		return 128
	case hits >= 32:
		return 64
	}
	return 1 << bits.Len8(hits) // 4-7, 8-15, 16-31
}

// AppendEdges appends the labels of a map of counters, one for each that is not 0.
func AppendEdges(labels []Label, counters []byte) []Label {
	for i, n := range counters {
		if n != 0 {
			labels = append(labels, Edge(i, n))
		}
	}
	return labels
}

// mix is the finalizer of SplitMix64 (Steele, Lea & Flood 2014).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x ^= x >> 30
	x *= 0xbf58476d1ce4e5b9
	x ^= x >> 27
	x *= 0x94d049bb133111eb
	return x ^ x>>31
}
