package parse

// epochMap is a hash table that is cleared in constant time, however large it was. Its zero
// value is empty.
type epochMap struct {
	slots []slot // a power of two
	epoch uint32
	n     int
}

type slot struct {
	key   mapKey
	value int32
	epoch uint32 // the slot is free if this differs from the table's epoch
}

type mapKey struct{ a, b uint64 }

func key2(a, b int32) mapKey { return mapKey{a: uint64(uint32(a))<<32 | uint64(uint32(b))} }
func key3(a, b, c int32) mapKey {
	return mapKey{uint64(uint32(a))<<32 | uint64(uint32(b)), uint64(uint32(c))}
}

func (m *epochMap) memory() int64 { return takenBy[slot](2*m.n, len(m.slots)) }

func (m *epochMap) clear() {
	m.n = 0
	m.epoch++
	if m.epoch == 0 { // otherwise slots of the first epochs would become valid again
		clear(m.slots)
		m.epoch = 1
	}
}

// at returns the slot of a key, or the free slot for it.
func (m *epochMap) at(k mapKey) *slot {
	mask := uint64(len(m.slots) - 1)
	h := (k.a ^ k.b*0x9e3779b97f4a7c15) * 0xbf58476d1ce4e5b9
	for i := (h ^ h>>29) & mask; ; i = (i + 1) & mask {
		if s := &m.slots[i]; s.epoch != m.epoch || s.key == k {
			return s
		}
	}
}

func (m *epochMap) get(k mapKey) (value int32, ok bool) {
	if m.n == 0 {
		return 0, false
	}
	s := m.at(k)
	return s.value, s.epoch == m.epoch
}

func (m *epochMap) put(k mapKey, value int32) {
	if 2*m.n >= len(m.slots) {
		m.grow()
	}
	s := m.at(k)
	if s.epoch != m.epoch {
		m.n++
	}
	*s = slot{k, value, m.epoch}
}

func (m *epochMap) grow() {
	old := m.slots
	m.slots = make([]slot, max(64, 2*len(old)))
	if m.epoch == 0 {
		m.epoch = 1
	}
	for i := range old {
		if s := &old[i]; s.epoch == m.epoch {
			*m.at(s.key) = *s
		}
	}
}
