package sample

import (
	"context"
	"encoding/binary"
	"math"
	"math/bits"
	"slices"
	"unsafe"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/core"
)

// recording is the choices and sizes of a sentence while it is drawn. A nil one records
// nothing.
type recording struct {
	numbers []byte // the choices, as numbers of variable length
	depth   int    // rules nested
	terms   int    // terminals
}

func (m *recording) choose(v int) {
	if m != nil {
		m.numbers = binary.AppendUvarint(m.numbers, uint64(v))
	}
}

func (m *recording) deepen(level int) {
	if m != nil {
		m.depth = max(m.depth, level)
	}
}

// leaf records one of the ways of a leaf that is no token.
func (m *recording) leaf(p *core.Program, node *core.Node, size, way int) {
	if m == nil {
		return
	}
	m.terms += leafTerms(node)
	if v := p.Choice(node, size, way); v >= 0 {
		m.choose(v)
	}
}

// inToken is the level inside a token, which is one terminal whatever its text. It is so
// low that nothing there makes the sentence deeper.
const inToken = math.MinInt32

// records are the outcomes of a slot for the recording loop. They lie close
// together, since fetching them takes the most time.
type records struct {
	depths  []int32  // by the op that an outcome begins at: of the rules unfolded in it
	places  []uint32 // by place of an op of the slot's state: its first part; one more at the end
	parts   []recordPart
	choices []byte // of the parts, as numbers of variable length
	deep    int    // where there are no ops: the depth of the certain part
}

// recordPart is a certain part of an outcome, and then an item.
type recordPart struct {
	table   *table          // of the texts of the item; nil: none, or it is drawn at the op's slot
	place   uint32          // of the item's rank in that of the op
	level   int32           // of the item
	terms   uint32          // that are certain
	from, n uint32          // of the choices that are certain, in choices
	few     [copyBlock]byte // these choices, if they are no more
}

// textRecords is the records of the finished texts of a table: for each its depth, its
// terminals and its choices, as numbers of variable length.
type textRecords struct {
	bytes  []byte
	starts []uint32
}

// fillRecords makes the records of the texts, if they do not take too much.
func (t *table) fillRecords() {
	b := &textRecords{starts: make([]uint32, 1, t.n+1)}
	var w writing
	var text []byte
	var m recording
	for r := range t.n {
		m = recording{numbers: m.numbers[:0]}
		text = w.append(text[:0], &m, t.items, r, 0)
		b.bytes = binary.AppendUvarint(b.bytes, uint64(m.depth))
		b.bytes = append(binary.AppendUvarint(b.bytes, uint64(m.terms)), m.numbers...)
		if len(b.bytes) > t.most {
			return // and never again: asked has passed fillAfter
		}
		b.starts = append(b.starts, uint32(len(b.bytes)))
	}
	b.bytes = append(b.bytes, make([]byte, copyBlock)...)
	t.records.Store(b)
}

// appendNumbers appends choices as numbers of variable length.
func appendNumbers(dst []byte, choices []int) []byte {
	for _, c := range choices {
		dst = binary.AppendUvarint(dst, uint64(c))
	}
	return dst
}

// add adds choices written by appendNumbers, which are from[at:end]. Behind them
// from has copyBlock bytes more: mostly as many are copied, as of a text.
func (m *recording) add(from []byte, at, end uint32) {
	to, n := m.numbers, int(end-at)
	if last := len(to); n <= copyBlock && cap(to)-last >= copyBlock {
		*(*[copyBlock]byte)(to[last : last+copyBlock]) = *(*[copyBlock]byte)(from[at:])
		m.numbers = to[:last+n]
		return
	}
	m.numbers = append(to, from[at:end]...)
}

// appendTo appends the choices to a slice.
func (m *recording) appendTo(dst []int) []int {
	last := len(dst)
	dst = slices.Grow(dst, len(m.numbers))
	to := dst[last : last+len(m.numbers)]
	for i, c := range m.numbers {
		if c >= 0x80 { // most are of one byte
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

// prepare returns the state of a slot and its outcomes; of finished texts, one that
// is not an outcome but all of them, of a class nil.
func (r *runner) prepare(sl *slot) (*state, *records, error) {
	s := r.slots
	s.mu.Lock()
	defer s.mu.Unlock()
	st := sl.state.Load()
	var d *detail
	if st == nil {
		var err error
		if st, d, err = s.makeState(sl); err != nil {
			return nil, nil, err
		}
		sl.state.Store(st)
	}
	if st.class != nil {
		return st, nil, nil
	}
	if st.table == nil && d == nil {
		var err error
		if _, d, err = s.makeState(sl); err != nil { // not kept: it is large
			return nil, nil, err
		}
	}
	recs := s.recordsOf(sl, st, d)
	sl.records.Store(recs)
	return st, recs, nil
}

func (s *slots) recordsOf(sl *slot, st *state, d *detail) *records {
	recs := &records{}
	switch {
	case st.table != nil && len(sl.items) == 1:
		recs.parts = []recordPart{{table: st.table, place: 1}}
	case st.table != nil:
		var pieces []piece
		for _, it := range sl.items {
			pieces = append(pieces, piece{it: it})
		}
		recs.deep = recs.add(s, pieces, true)
	default:
		recs.depths = make([]int32, len(st.ops))
		places := d.places
		for i, o := range d.parts {
			depth := o.depth
			s.opsOf(o, func(_ string, _ []item, pieces []piece) {
				for len(recs.places) <= places[0] {
					recs.places = append(recs.places, uint32(len(recs.parts)))
				}
				depth = max(depth, recs.add(s, pieces, places[0]%opPlaces != opTexts))
				places = places[1:]
			})
			recs.depths[st.branches[i].start] = int32(depth)
		}
		for len(recs.places) <= len(st.ops)*opPlaces {
			recs.places = append(recs.places, uint32(len(recs.parts)))
		}
	}
	for i := range recs.parts {
		p := &recs.parts[i]
		copy(p.few[:], recs.choices[p.from:p.from+p.n])
	}
	return recs
}

// add adds the parts of one draw; finished says that its items stand in tables. It
// returns the depth of the certain parts.
func (recs *records) add(s *slots, pieces []piece, finished bool) (depth int) {
	first := len(recs.parts)
	next := recordPart{from: uint32(len(recs.choices))}
	for _, p := range pieces {
		recs.choices = appendNumbers(recs.choices, p.choices)
		next.terms += uint32(p.terms)
		next.n = uint32(len(recs.choices)) - next.from
		if p.it.sp == nil {
			continue
		}
		if finished {
			next.table = s.tableOf(s.slot([]item{p.it}))
			if next.table.n == 1 {
				var w writing
				var m recording
				w.append(nil, &m, []item{p.it}, 0, p.level)
				recs.choices = append(recs.choices, m.numbers...)
				next.terms += uint32(m.terms)
				next.n = uint32(len(recs.choices)) - next.from
				next.table = nil
				depth = max(depth, m.depth)
				continue
			}
		}
		next.level = int32(p.level)
		recs.parts = append(recs.parts, next)
		next = recordPart{from: uint32(len(recs.choices))}
	}
	if next.n > 0 || next.terms > 0 {
		recs.parts = append(recs.parts, next)
	}
	place := uint32(1)
	for i := len(recs.parts) - 1; i >= first; i-- {
		if t := recs.parts[i].table; t != nil {
			recs.parts[i].place = place
			place *= uint32(t.n)
		}
	}
	return depth
}

// frame is where the recording loop goes on: at an op of a slot.
type frame struct {
	st    *state
	recs  *records
	at    int
	level int
}

// record draws a slot as text does, with the same draws, and records its choices and
// depth in m.
func (r *runner) record(ctx context.Context, dst []byte, m *recording, sl *slot, level int) ([]byte, error) {
	stack := r.frames[:0]
	defer func() { r.frames = stack }()
	for draws := 0; ; draws++ {
		if draws&(checkEvery-1) == checkEvery-1 && ctx.Err() != nil {
			return dst, ctx.Err()
		}
		// Records are stored after the state that they are of: where they are seen
		// first, so is the state, whoever is storing both just now.
		recs := sl.records.Load()
		st := sl.state.Load()
		if recs == nil && (st == nil || st.class == nil) {
			var err error
			if st, recs, err = r.prepare(sl); err != nil {
				return dst, err
			}
		}
		if sl.token != nil && level >= 0 {
			m.terms++
			level = inToken
		}
		u := r.str.next()
		at := -1
		switch {
		case st.buckets != nil:
			var ok bool
			if at, ok = st.find(u); !ok {
				var err error
				if at, err = r.settle(sl, st, u); err != nil {
					return dst, err
				}
			}
			m.depth = max(m.depth, level+int(recs.depths[at]))
		case st.table != nil:
			rank, _ := bits.Mul64(r.drawn(u, uint64(st.table.n)), uint64(st.table.n))
			dst = r.tableText(dst, st.table, int(rank))
			m.depth = max(m.depth, level+recs.deep)
			r.recordParts(m, recs, recs.parts, uint32(rank), level)
		default:
			c := r.member(st.class, u)
			dst = appendRune(dst, c)
			m.choose(st.class.expr.MemberIndex(c))
			if level >= 0 {
				m.terms++
			}
		}
		for sl = nil; sl == nil; {
			if at < 0 {
				last := len(stack) - 1
				if last < 0 {
					return dst, nil
				}
				st, recs, at, level = stack[last].st, stack[last].recs, stack[last].at, stack[last].level
				stack = stack[:last]
			}
			o, places := &st.ops[at], recs.places[at*opPlaces:][:opPlaces+1]
			if o.batch != 0 {
				u = r.draw(o.batch)
			}
			was := u
			if uint(o.need.load()) <= uint(len(r.cells)) && cap(dst)-len(dst) >= opTexts*copyBlock {
				dst, u = r.cellsOf(dst, o, u)
			} else {
				dst, u = r.texts(dst, st, at, u)
			}
			for i, n := range o.texts {
				var rank uint64
				rank, was = bits.Mul64(was, uint64(n))
				if from, end := places[i], places[i+1]; from < end {
					r.recordParts(m, recs, recs.parts[from:end], uint32(rank), level)
				}
			}
			parts := recs.parts[places[opTexts]:places[opTexts+1]]
			r.recordParts(m, recs, parts, 0, level)
			if at++; o.stays == 0 {
				at = -1
			}
			if sl = o.slot; sl != nil {
				if at >= 0 {
					stack = append(stack, frame{st, recs, at, level})
				}
				level += int(parts[len(parts)-1].level)
			}
		}
	}
}

// cellsOf appends the texts of an op whose cells are known, as [runner.text] does.
func (r *runner) cellsOf(dst []byte, o *op, u uint64) (_ []byte, rest uint64) {
	to, from, end := unsafe.Pointer(unsafe.SliceData(dst)), unsafe.Pointer(unsafe.SliceData(r.cells)), len(dst)
	for i, n := range o.texts {
		var rank uint64
		rank, u = bits.Mul64(u, uint64(n))
		end = cell(to, end, from, o.cells[i].load(), rank)
	}
	return dst[:end], u
}

// recordParts records the parts of an op, the texts of whose tables have
// together the given rank.
func (r *runner) recordParts(m *recording, recs *records, parts []recordPart, rank uint32, level int) {
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
			m.terms += terms
		}
	}
}

// addText adds the record of a finished text, and returns its terminals.
func (m *recording) addText(from []byte, at, end uint32, level int) (terms int) {
	if depth, terms := from[at], from[at+1]; depth|terms < 0x80 {
		m.depth = max(m.depth, level+int(depth))
		m.add(from, at+2, end)
		return int(terms)
	}
	depth, n := binary.Uvarint(from[at:])
	leaves, k := binary.Uvarint(from[int(at)+n:])
	m.depth = max(m.depth, level+int(depth))
	m.add(from, at+uint32(n+k), end)
	return int(leaves)
}

// slowRecord records a text of a table whose records are not finished, and
// returns the number of its terminals.
func (r *runner) slowRecord(m *recording, t *table, at, level int) int {
	if t.asked.Add(1) == fillAfter(t.n) {
		t.fillRecords()
	}
	before := m.terms
	r.scratch = r.writing.append(r.scratch[:0], m, t.items, at, level)
	terms := m.terms - before
	m.terms = before
	return terms
}

// leafTerms returns the number of terminals of a leaf that is not a token.
func leafTerms(node *core.Node) int {
	if node.Effect > core.OwnLeaf || node.Expr == nil ||
		node.Effect == core.NoEffect && node.Expr.Op == grammar.Lit && node.Expr.Text == "" {
		return 0
	}
	return 1
}
