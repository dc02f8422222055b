package fastdraw

import (
	"encoding/binary"
	"math"
	"math/bits"
	"slices"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/core"
)

// visit is an op that the loop executed, with the draw that chose its texts. For a state
// without ops, it is the rank of a text or the member of a class.
type visit struct {
	st *state
	u  uint64
	at int
}

// Recording is the choices and sizes of a sentence while it is drawn. A nil one records
// nothing.
type Recording struct {
	Depth     int // rules nested
	Terminals int

	numbers []byte // the choices, as numbers of variable length
}

// Reset empties the recording; its memory is reused.
func (m *Recording) Reset() { *m = Recording{numbers: m.numbers[:0]} }

// Choose records a choice.
func (m *Recording) Choose(v int) {
	if m != nil {
		m.numbers = binary.AppendUvarint(m.numbers, uint64(v))
	}
}

// Deepen records a nesting level of rules.
func (m *Recording) Deepen(level int) {
	if m != nil {
		m.Depth = max(m.Depth, level)
	}
}

// leaf records one way of a leaf that is not a token.
func (m *Recording) leaf(p *core.Program, node *core.Node, size, way int) {
	if m == nil {
		return
	}
	m.Terminals += leafTerms(node)
	if v := p.Choice(node, size, way); v >= 0 {
		m.Choose(v)
	}
}

// leafTerms returns the number of terminals of a leaf that is not a token.
func leafTerms(node *core.Node) int {
	if node.Effect > core.OwnLeaf || node.Expr == nil ||
		node.Effect == core.NoEffect && node.Expr.Op == grammar.Lit && node.Expr.Text == "" {
		return 0
	}
	return 1
}

// inToken is the level inside a token, which is one terminal whatever its text. It is so low
// that nothing inside makes the sentence deeper.
const inToken = math.MinInt32

// records are the fixed parts of a state's outcomes. They lie close together, since fetching
// them takes the most time.
type records struct {
	depths  []int32  // by first op of an outcome: depth of the rules unfolded in it
	places  []uint32 // by place of an op: its first part; one more at the end
	parts   []recordPart
	choices []byte // of the parts, as numbers of variable length

	ops, outcomes int // numbers of them covered
	short         int // number of parts whose choices fit in few
}

// recordPart is a fixed part of an outcome, followed by an item.
type recordPart struct {
	table   *table          // of the texts of the item; nil: none, or it is drawn at the op's slot
	place   uint32          // of the item's rank in that of the op
	level   int32           // of the item
	terms   uint32          // fixed number of terminals
	from, n uint32          // range of the fixed choices in choices
	few     [copyBlock]byte // these choices, if they fit
}

// textRecords is the records of the finished texts of a table: for each its depth, its
// terminals and its choices, as numbers of variable length.
type textRecords struct {
	bytes  []byte
	starts []uint32
}

// fillRecords makes the records of the texts unless they take too much memory.
func (t *table) fillRecords(c *compiled) {
	b := &textRecords{starts: make([]uint32, 1, t.n+1)}
	var w writing
	var text []byte
	var m Recording
	for r := range t.n {
		m.Reset()
		text = w.append(text[:0], &m, t.items, r, 0)
		b.bytes = binary.AppendUvarint(b.bytes, uint64(m.Depth))
		b.bytes = append(binary.AppendUvarint(b.bytes, uint64(m.Terminals)), m.numbers...)
		if len(b.bytes) > c.limits.Bytes {
			return // never retried: asked has passed fillAfter
		}
		b.starts = append(b.starts, uint32(len(b.bytes)))
	}
	b.bytes = append(b.bytes, make([]byte, copyBlock)...)
	t.records.Store(b)
	c.add(int64(cap(b.bytes) + 4*cap(b.starts)))
}

// add adds the choices from[at:end]. from has copyBlock more bytes after them: usually that
// many are copied, as for a text.
func (m *Recording) add(from []byte, at, end uint32) {
	to, n := m.numbers, int(end-at)
	if last := len(to); n <= copyBlock && cap(to)-last >= copyBlock {
		*(*[copyBlock]byte)(to[last : last+copyBlock]) = *(*[copyBlock]byte)(from[at:])
		m.numbers = to[:last+n]
		return
	}
	m.numbers = append(to, from[at:end]...)
}

// AppendChoices appends the choices to a slice.
func (m *Recording) AppendChoices(dst []int) []int {
	last := len(dst)
	dst = slices.Grow(dst, len(m.numbers))
	to := dst[last : last+len(m.numbers)]
	for i, c := range m.numbers {
		if c >= 0x80 { // most have one byte
			dst = dst[:last+i]
			for rest := m.numbers[i:]; len(rest) > 0; {
				c, n := binary.Uvarint(rest)
				dst, rest = append(dst, int(c)), rest[n:]
			}
			return dst
		}
		to[i] = int(c)
	}
	return dst[:last+len(m.numbers)]
}

// recordsOf makes the missing records of a state. Records visible to other goroutines are not
// changed.
func (r *Runner) recordsOf(st *state) (*records, error) {
	r.c.mu.Lock()
	defer r.c.mu.Unlock()
	recs := &records{}
	if old := st.records.Load(); old != nil {
		*recs = *old
	}
	if st.table != nil {
		recs.parts = []recordPart{{table: st.table, place: 1}}
		recs.end(1)
	} else {
		b := batcher{c: r.c, base: recs.ops, records: recs} // the same ops as st, not kept
		for _, i := range st.compiled[recs.outcomes:] {
			if err := b.again(&r.outcomes, st, st.found.Load(), int(i)); err != nil {
				return nil, err
			}
		}
		recs.outcomes = len(st.compiled)
		recs.end(st.n)
	}
	st.records.Store(recs)
	return recs, nil
}

// depth records the depth of the outcome that begins at an op.
func (recs *records) depth(op, depth int) {
	for len(recs.depths) <= op {
		recs.depths = append(recs.depths, 0)
	}
	recs.depths[op] = int32(depth)
}

// end ends the records of a state; ops is its number of ops.
func (recs *records) end(ops int) {
	recs.depth(ops, 0)
	for len(recs.places) <= ops*opPlaces {
		recs.places = append(recs.places, uint32(len(recs.parts)))
	}
	for ; recs.short < len(recs.parts); recs.short++ {
		p := &recs.parts[recs.short]
		copy(p.few[:], recs.choices[p.from:p.from+p.n])
	}
	recs.ops = ops
}

// add adds the parts of one draw, at a place of an op; finished says that its items are stored
// in tables. It returns the depth of the fixed parts. The mutex of c is held.
func (recs *records) add(c *compiled, e *outcomes, pieces []piece, place int, finished bool) (depth int) {
	for len(recs.places) <= place {
		recs.places = append(recs.places, uint32(len(recs.parts)))
	}
	first := len(recs.parts)
	var w writing
	var m Recording // of the next part
	part := func() recordPart {
		p := recordPart{from: uint32(len(recs.choices)), n: uint32(len(m.numbers)), terms: uint32(m.Terminals)}
		recs.choices = append(recs.choices, m.numbers...)
		m.numbers, m.Terminals = m.numbers[:0], 0
		return p
	}
	for _, p := range pieces {
		node := &e.sp.prog.Nodes[p.id]
		switch p.kind {
		case pieceChoice:
			m.Choose(node.Values[p.step])
			continue
		case pieceText:
			m.leaf(e.sp.prog, node, int(p.step), 0)
			continue
		case pieceMark:
			continue
		}
		var t *table
		if finished {
			items := []item{{e.sp, p.id, int(p.step)}}
			t = c.table(items)
			if t.n == 1 {
				w.append(nil, &m, items, 0, int(p.level))
				depth = max(depth, m.Depth)
				continue
			}
		}
		next := part()
		next.level, next.table = p.level, t
		recs.parts = append(recs.parts, next)
	}
	if len(m.numbers) > 0 || m.Terminals > 0 {
		recs.parts = append(recs.parts, part())
	}
	at := uint32(1)
	for i := len(recs.parts) - 1; i >= first; i-- {
		if t := recs.parts[i].table; t != nil {
			recs.parts[i].place = at
			at *= uint32(t.n)
		}
	}
	return depth
}

// record records in m the steps of a draw that began level rules deep.
func (r *Runner) record(m *Recording, level int) error {
	levels := append(r.levels[:0], r.queueLevels...)
	for i := range r.trace {
		s := &r.trace[i]
		st := s.st
		if st.slot != nil && st.slot.token != nil && level >= 0 {
			m.Terminals++
			level = inToken
		}
		stays := false
		if st.class != nil {
			m.Choose(st.class.MemberIndex(rune(s.u)))
			if level >= 0 {
				m.Terminals++
			}
		} else {
			recs := st.records.Load()
			if recs == nil || s.at >= recs.ops {
				var err error
				if recs, err = r.recordsOf(st); err != nil {
					return err
				}
			}
			if st.table != nil {
				r.recordParts(m, recs, recs.parts, uint32(s.u), level)
			} else {
				o, places := st.op(s.at), recs.places[s.at*opPlaces:][:opPlaces+1]
				m.Depth = max(m.Depth, level+int(recs.depths[s.at]))
				u := s.u
				for i, n := range o.texts {
					var rank uint64
					rank, u = bits.Mul64(u, uint64(n))
					if from, end := places[i], places[i+1]; from < end {
						r.recordParts(m, recs, recs.parts[from:end], uint32(rank), level)
					}
				}
				parts := recs.parts[places[opTexts]:places[opTexts+1]]
				r.recordParts(m, recs, parts, 0, level)
				stays = o.stays != 0
				if o.slot != nil {
					if stays {
						levels = append(levels, level)
					}
					level += int(parts[len(parts)-1].level)
					continue
				}
			}
		}
		if last := len(levels) - 1; !stays && last >= 0 {
			level, levels = levels[last], levels[:last]
		}
	}
	r.levels = levels
	return nil
}

// recordParts records the parts of an op; rank is the combined rank of the texts of its
// tables.
func (r *Runner) recordParts(m *Recording, recs *records, parts []recordPart, rank uint32, level int) {
	for i := range parts {
		p := &parts[i]
		if to := m.numbers; p.n <= copyBlock && cap(to)-len(to) >= copyBlock {
			*(*[copyBlock]byte)(to[len(to) : len(to)+copyBlock]) = p.few
			m.numbers = to[:len(to)+int(p.n)]
		} else {
			m.numbers = append(to, recs.choices[p.from:p.from+p.n]...)
		}
		terms := int(p.terms)
		if t := p.table; t != nil {
			at := rank
			if len(parts) > 1 {
				at = rank / p.place % uint32(t.n)
			}
			if b := t.records.Load(); b != nil {
				terms += m.addText(b.bytes, b.starts[at], b.starts[at+1], level+int(p.level))
			} else {
				terms += r.slowRecord(m, t, int(at), level+int(p.level))
			}
		}
		if level >= 0 {
			m.Terminals += terms
		}
	}
}

// addText adds the record of a finished text and returns its number of terminals.
func (m *Recording) addText(from []byte, at, end uint32, level int) (terms int) {
	if depth, terms := from[at], from[at+1]; depth|terms < 0x80 {
		m.Depth = max(m.Depth, level+int(depth))
		m.add(from, at+2, end)
		return int(terms)
	}
	depth, n := binary.Uvarint(from[at:])
	leaves, k := binary.Uvarint(from[int(at)+n:])
	m.Depth = max(m.Depth, level+int(depth))
	m.add(from, at+uint32(n+k), end)
	return int(leaves)
}

// slowRecord records a text of a table whose records are not finished, and
// returns the number of its terminals.
func (r *Runner) slowRecord(m *Recording, t *table, at, level int) int {
	if t.asked.Add(1) == fillAfter(t.n) {
		t.fillRecords(r.c)
	}
	before := m.Terminals
	r.scratch = r.writing.append(r.scratch[:0], m, t.items, at, level)
	terms := m.Terminals - before
	m.Terminals = before
	return terms
}
