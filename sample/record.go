package sample

import (
	"context"
	"encoding/binary"
	"math"
	"math/bits"
	"slices"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
)

// made is what is recorded of a sentence besides its text. A nil one records
// nothing.
type made struct {
	choices []int
	depth   int // rules nested
	terms   int // terminals
}

func (m *made) choose(v int) {
	if m != nil {
		m.choices = append(m.choices, v)
	}
}

func (m *made) deepen(level int) {
	if m != nil {
		m.depth = max(m.depth, level)
	}
}

// leaf records one of the ways of a leaf that is no token.
func (m *made) leaf(p *count.Program, node *count.Node, size, way int) {
	if m == nil {
		return
	}
	m.terms += leafTerms(node)
	switch {
	case node.Expr == nil:
	case node.Act != count.NoAct:
		m.choices = leafChoices(m.choices, p.Names, node, way)
	case node.Expr.Op == grammar.Class:
		m.choices = append(m.choices, p.Member(node.Expr, size, way))
	}
}

// inToken is the level inside a token, which is one terminal whatever its text
// is: so far down that nothing there makes the sentence deeper.
const inToken = math.MinInt32

// records are the outcomes of a slot for the recording loop. They lie close
// together, since what costs time is fetching them.
type records struct {
	depths  []int32  // by the op that an outcome begins at: of the rules unfolded in it
	places  []uint32 // by place of an op of the slot's state: its first part; one more at the end
	parts   []recordPart
	choices []byte // of the parts, as numbers of variable length
	deep    int    // where there are no ops: how deep what is certain is
}

// recordPart is what is certain, and then an item.
type recordPart struct {
	table     *table // of the texts of the item; nil: none, or it is drawn at the op's slot
	place     uint32 // of the item's rank in that of the op
	level     int32  // of the item
	from, end uint32 // of the choices that are certain
	terms     uint32 // that are certain
}

// behind is what is to be recorded of the finished texts of a table: for each
// its depth, its terminals and its choices, as numbers of variable length.
type behind struct {
	bytes  []byte
	starts []uint32
}

// fillBehind makes what is behind the texts, if it does not take too much.
func (t *table) fillBehind() {
	b := &behind{starts: make([]uint32, 1, t.n+1)}
	var w writing
	var text []byte
	var m made
	for r := range t.n {
		m = made{choices: m.choices[:0]}
		text = w.append(text[:0], &m, t.items, r, 0)
		b.bytes = binary.AppendUvarint(b.bytes, uint64(m.depth))
		b.bytes = appendNumbers(binary.AppendUvarint(b.bytes, uint64(m.terms)), m.choices)
		if len(b.bytes) > t.most {
			return // and never again: asked has passed fillAfter
		}
		b.starts = append(b.starts, uint32(len(b.bytes)))
	}
	t.behind.Store(b)
}

// appendNumbers appends choices as numbers of variable length.
func appendNumbers(dst []byte, choices []int) []byte {
	for _, c := range choices {
		dst = binary.AppendUvarint(dst, uint64(c))
	}
	return dst
}

// add adds choices written by appendNumbers.
func (m *made) add(numbers []byte) {
	n := len(m.choices)
	if cap(m.choices)-n < len(numbers) {
		m.choices = slices.Grow(m.choices, len(numbers))
	}
	to := m.choices[n : n+len(numbers)] // most are of one byte
	for i, c := range numbers {
		if c >= 0x80 {
			m.choices = m.choices[:n+i]
			m.addLong(numbers[i:])
			return
		}
		to[i] = int(c)
	}
	m.choices = m.choices[:n+len(numbers)]
}

// addLong is add for numbers of any length.
func (m *made) addLong(numbers []byte) {
	for len(numbers) > 0 {
		c, n := binary.Uvarint(numbers)
		m.choices, numbers = append(m.choices, int(c)), numbers[n:]
	}
}

// recordsOf returns the outcomes of a compiled slot; of finished texts, one that
// is not an outcome but all of them.
func (r *runner) recordsOf(sl *slot, st *state) (*records, error) {
	if recs := sl.records.Load(); recs != nil {
		return recs, nil
	}
	s := r.slots
	s.mu.Lock()
	defer s.mu.Unlock()
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
		_, d, err := s.makeState(sl) // not kept: it is large
		if err != nil {
			return nil, err
		}
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
	sl.records.Store(recs)
	return recs, nil
}

// add adds the parts of what is drawn at once; finished says that its items stand
// in tables. It returns how deep what is certain of these is.
func (recs *records) add(s *slots, pieces []piece, finished bool) (depth int) {
	first := len(recs.parts)
	next := recordPart{from: uint32(len(recs.choices))}
	for _, p := range pieces {
		recs.choices = appendNumbers(recs.choices, p.choices)
		next.terms += uint32(p.terms)
		next.end = uint32(len(recs.choices))
		if p.it.sp == nil {
			continue
		}
		if finished {
			next.table = s.tableOf(s.slot([]item{p.it}))
			if next.table.n == 1 {
				var w writing
				var m made
				w.append(nil, &m, []item{p.it}, 0, p.level)
				recs.choices = appendNumbers(recs.choices, m.choices)
				next.terms += uint32(m.terms)
				next.end = uint32(len(recs.choices))
				next.table = nil
				depth = max(depth, m.depth)
				continue
			}
		}
		next.level = int32(p.level)
		recs.parts = append(recs.parts, next)
		next = recordPart{from: next.end}
	}
	if next.end > next.from || next.terms > 0 {
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

// record draws a slot as text does, with the same draws, and records what was
// drawn.
func (r *runner) record(ctx context.Context, dst []byte, m *made, sl *slot, level int) ([]byte, error) {
	stack := r.frames[:0]
	defer func() { r.frames = stack }()
	for draws := 0; ; draws++ {
		if draws&(checkEvery-1) == checkEvery-1 && ctx.Err() != nil {
			return dst, ctx.Err()
		}
		st, err := r.load(sl)
		if err != nil {
			return dst, err
		}
		if sl.token != nil && level >= 0 {
			m.terms++
			level = inToken
		}
		var recs *records
		if st.class == nil {
			if recs, err = r.recordsOf(sl, st); err != nil {
				return dst, err
			}
		}
		u := r.str.next()
		at := -1
		switch {
		case st.guide != nil:
			var ok bool
			if at, ok = st.find(u); !ok {
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
			m.choices = append(m.choices, derive.MemberIndex(st.class.expr, c))
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
			for i, t := range &st.tables[at] {
				if t == nil {
					break
				}
				var rank uint64
				rank, u = bits.Mul64(u, uint64(t.n))
				dst = r.tableText(dst, t, int(rank))
				r.recordParts(m, recs, recs.parts[places[i]:places[i+1]], uint32(rank), level)
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

// recordParts records the parts of an op, the texts of whose tables have
// together the given rank.
func (r *runner) recordParts(m *made, recs *records, parts []recordPart, rank uint32, level int) {
	for i := range parts {
		p := &parts[i]
		m.add(recs.choices[p.from:p.end])
		terms := int(p.terms)
		if t := p.table; t != nil {
			at := rank
			if len(parts) > 1 {
				at = rank / p.place % uint32(t.n)
			}
			if b := t.behind.Load(); b != nil {
				terms += m.addBehind(b.bytes[b.starts[at]:b.starts[at+1]], level+int(p.level))
			} else {
				terms += r.slowRecord(m, t, int(at), level+int(p.level))
			}
		}
		if level >= 0 {
			m.terms += terms
		}
	}
}

// addBehind adds what is behind a finished text, and returns its terminals.
func (m *made) addBehind(numbers []byte, level int) (terms int) {
	if len(numbers) > 1 && numbers[0]|numbers[1] < 0x80 {
		m.depth = max(m.depth, level+int(numbers[0]))
		m.add(numbers[2:])
		return int(numbers[1])
	}
	depth, n := binary.Uvarint(numbers)
	leaves, k := binary.Uvarint(numbers[n:])
	m.depth = max(m.depth, level+int(depth))
	m.add(numbers[n+k:])
	return int(leaves)
}

// slowRecord records a text of a table whose records are not finished, and
// returns how many terminals it has.
func (r *runner) slowRecord(m *made, t *table, at, level int) int {
	if t.asked.Add(1) == fillAfter(t.n) {
		t.fillBehind()
	}
	before := m.terms
	r.scratch = r.writing.append(r.scratch[:0], m, t.items, at, level)
	terms := m.terms - before
	m.terms = before
	return terms
}

// leafTerms returns how many terminals a leaf is that is no token.
func leafTerms(node *count.Node) int {
	switch {
	case node.Act == count.ActName:
		return 1
	case node.Expr == nil, node.Act != count.NoAct, node.Expr.Op == grammar.Lit && node.Expr.Text == "":
		return 0
	}
	return 1
}
