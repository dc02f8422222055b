package guide

import "github.com/cespare/xxhash/v2"

// Label names something that a run of an input showed: an edge with its bucketed
// count, an exit status, a name that the test gave. The lower 4 bits say how often
// it was seen, the others what it is: the number of an edge or, with the highest bit
// set, the hash of a name. Two names have the same with probability 2^-59.
type Label uint64

const (
	countBits = 4 // the bits of a label that say how often
	named     = Label(1) << 63
)

// Named returns the label of a name.
func Named(name string) Label { return named | Label(xxhash.Sum64String(name)).subject() }

// Edge returns the label of a counter that a run raised to hits, bucketed as AFL
// does: 1, 2, 3, 4-7, 8-15, 16-31, 32-127 and 128 or more are different labels.
// hits is at least 1; an edge with 0 hits shows nothing.
func Edge(index int, hits uint8) Label {
	return Label(index)<<countBits | Label(buckets[hits])
}

// buckets has for every count the number of its bucket in AFL's classification.
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

// AppendEdges appends the labels of counters by edge, one for each that is not 0.
func AppendEdges(labels []Label, counters []byte) []Label {
	for i, n := range counters {
		if n != 0 {
			labels = append(labels, Edge(i, n))
		}
	}
	return labels
}
