package guide

import "math/bits"

// LabelSet is a set of labels. For each edge and each name it holds the bucketed counts seen,
// as bits of a byte. The edges of a program are numbered from 0; labels without such a number
// (names, blocks of the Go toolchain) are in a map. Runs show thousands of edges, nearly all of
// them known. Add takes 6 ns for a known edge, where a map of labels takes 16 to 40 ns: over
// all edges, as long as a fast run itself. The zero value is an empty set.
type LabelSet struct {
	edges  []uint8         // by number
	others map[Label]uint8 // by label without count
	n      int             // number of labels
}

// maxEdges bounds the edge numbers kept outside the map.
const maxEdges = 1 << 24

// Add adds a label to the set. fresh reports whether the label is new; first reports whether
// its edge or name was missing from the set with any count.
func (s *LabelSet) Add(l Label) (fresh, first bool) {
	bit := uint8(1) << (l & (1<<countBits - 1))
	edge, old := uint64(l>>countBits), uint8(0)
	if edge < maxEdges {
		s.grow(int(edge) + 1)
		old = s.edges[edge]
		s.edges[edge] |= bit
	} else {
		old = s.others[l.subject()]
		if old&bit == 0 {
			if s.others == nil {
				s.others = map[Label]uint8{}
			}
			s.others[l.subject()] = old | bit
		}
	}
	if old&bit != 0 {
		return false, false
	}
	s.n++
	return true, old == 0
}

// AddEdges is Add for an array of edge counters. It appends the new labels to fresh.
func (s *LabelSet) AddEdges(fresh []Label, counters []byte) []Label {
	s.grow(min(len(counters), maxEdges))
	for at, word := nextEdges(counters, 0); word != 0; at, word = nextEdges(counters, at+8) {
		for word != 0 {
			k := bits.TrailingZeros64(word) &^ 7
			i, hits := at+k/8, uint8(word>>k)
			word &^= 0xff << k
			if i < maxEdges && s.edges[i]&(1<<buckets[hits]) != 0 {
				continue
			}
			if isNew, _ := s.Add(Edge(i, hits)); isNew {
				fresh = append(fresh, Edge(i, hits))
			}
		}
	}
	return fresh
}

// grow makes room for n edges.
func (s *LabelSet) grow(n int) {
	if more := n - len(s.edges); more > 0 {
		s.edges = append(s.edges, make([]uint8, more)...)
	}
}

// Len returns the number of labels in the set.
func (s *LabelSet) Len() int { return s.n }

// Clear empties the set.
func (s *LabelSet) Clear() {
	clear(s.edges)
	clear(s.others)
	s.n = 0
}
