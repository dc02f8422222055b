package campaign

import (
	"encoding/binary"

	"github.com/gramfuzz/gramfuzz/internal/guide"
)

// seen is what a worker has seen in its runs, in a form in which what is not new
// costs little: of each edge the counts, bucketed, as bits of a byte.
type seen struct {
	edges  []byte
	labels map[guide.Label]struct{} // the others
	fresh  []guide.Label            // of the last run
}

// buckets are those of all counts, see [guide.Bucket].
var buckets = func() (b [256]uint8) {
	for n := 1; n < len(b); n++ {
		b[n] = guide.Bucket(uint8(n))
	}
	return b
}()

// look takes note of what a run showed. The labels of edges are appended to
// labels where all are wanted; those that are new are in s.fresh.
func (s *seen) look(labels []guide.Label, counters []byte, all bool) []guide.Label {
	s.fresh = s.fresh[:0]
	for _, l := range labels {
		if _, known := s.labels[l]; !known {
			if s.labels == nil {
				s.labels = map[guide.Label]struct{}{}
			}
			s.labels[l] = struct{}{}
			s.fresh = append(s.fresh, l)
		}
	}
	if len(s.edges) < len(counters) {
		s.edges = append(s.edges, make([]byte, len(counters)-len(s.edges))...)
	}
	i := 0
	for ; i+8 <= len(counters); i += 8 {
		if binary.NativeEndian.Uint64(counters[i:]) == 0 {
			continue
		}
		for k := i; k < i+8; k++ {
			s.edge(k, counters[k])
		}
	}
	for ; i < len(counters); i++ {
		s.edge(i, counters[i])
	}
	if all {
		labels = guide.AppendEdges(labels, counters)
	}
	return labels
}

func (s *seen) edge(i int, hits byte) {
	if b := buckets[hits]; b&^s.edges[i] != 0 {
		s.edges[i] |= b
		s.fresh = append(s.fresh, guide.Edge(i, hits))
	}
}
