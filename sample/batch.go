package sample

import "slices"

// batcher puts the outcomes of a state in ops.
type batcher struct {
	st     *state
	places []int // by call of opsOf's f: the place of its draw, op·opPlaces + place in the op
	first  int   // op of the outcome
	begin  int   // op that the batch begins in; -1: there is none
}

// opPlaces is the number of places of an op: its tables and, last, its slot.
const opPlaces = opTexts + 1

// add compiles an outcome and returns where its ops start.
func (b *batcher) add(s *slots, o *outcome) (start uint32) {
	st := b.st
	b.first, b.begin = len(st.ops), -1
	s.opsOf(o, func(text string, group []item, _ []piece) {
		if text != "" {
			b.put(s.literal(text))
		}
		place := opTexts
		if len(group) == 0 {
			b.open() // after a slot, records belong to the next op
		} else if t := s.finished(group); t != nil {
			place = b.draw(t)
		} else {
			b.open().slot = s.slot(group)
			b.begin = -1
		}
		b.places = append(b.places, (len(st.ops)-1)*opPlaces+place)
	})
	st.ops[len(st.ops)-1].stays = 0
	return uint32(b.first)
}

// open returns the op of the next text or slot.
func (b *batcher) open() *op {
	st := b.st
	if n := len(st.ops); n == b.first || st.ops[n-1].slot != nil {
		b.another()
	}
	return &st.ops[len(st.ops)-1]
}

func (b *batcher) another() {
	b.st.ops = append(b.st.ops, op{need: cells{unknown}, stays: 1})
	o := &b.st.ops[len(b.st.ops)-1]
	for i := range o.texts {
		o.texts[i], o.cells[i] = 1, cells{noText}
	}
	b.st.tables = append(b.st.tables, [opTexts]*table{})
}

// put adds a table, and returns its place in the op.
func (b *batcher) put(t *table) int {
	b.open()
	last := len(b.st.ops) - 1
	at := slices.Index(b.st.tables[last][:], nil)
	if at < 0 {
		b.another()
		last, at = last+1, 0
	}
	o := &b.st.ops[last]
	o.texts[at] = uint32(t.n)
	o.cells[at].store(t.cells.load())
	b.st.tables[last][at] = t
	return at
}

// draw adds a table whose text is drawn, together with those before it if there
// are not too many combinations. A draw begins at the first text of an op that
// depends on it.
func (b *batcher) draw(t *table) int {
	st, n := b.st, uint64(t.n)
	if b.begin >= 0 && st.ops[b.begin].batch <= batchMost/n {
		st.ops[b.begin].batch *= n
		return b.put(t)
	}
	o := b.open()
	last := len(st.ops) - 1
	if o.batch != 0 || o.texts != [opTexts]uint32{1, 1, 1, 1} || st.tables[last][opTexts-1] != nil {
		b.another()
		last++
	}
	b.begin, st.ops[last].batch = last, n
	return b.put(t)
}
