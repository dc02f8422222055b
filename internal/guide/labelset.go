package guide

// labelSet is a set of labels: they are hashes already, so a table with open
// addressing is several times as fast as a map, and a run may show thousands.
type labelSet struct {
	slots []Label // 0: free
	n     int
	zero  bool // label 0 is in the set
}

// add puts a label into the set and reports whether it was new.
func (s *labelSet) add(l Label) bool {
	if l == 0 {
		old := s.zero
		s.zero = true
		return !old
	}
	if 4*s.n >= 3*len(s.slots) {
		s.resize(max(1<<10, 2*len(s.slots)))
	}
	if !s.put(l) {
		return false
	}
	s.n++
	return true
}

// put is add where there is room.
func (s *labelSet) put(l Label) bool {
	mask := len(s.slots) - 1
	for i := int(uint32(l>>countBits)+uint32(l)*0x9e3779b9) & mask; ; i = (i + 1) & mask {
		switch s.slots[i] {
		case l:
			return false
		case 0:
			s.slots[i] = l
			return true
		}
	}
}

func (s *labelSet) resize(n int) {
	old := s.slots
	s.slots = make([]Label, n)
	for _, l := range old {
		if l != 0 {
			s.put(l)
		}
	}
}

// len returns how many labels the set has.
func (s *labelSet) len() int {
	if s.zero {
		return s.n + 1
	}
	return s.n
}

// clear empties the set.
func (s *labelSet) clear() {
	clear(s.slots)
	s.n, s.zero = 0, false
}
