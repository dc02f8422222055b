package fastdraw

import (
	"math"
	"math/big"
	"math/bits"
	"slices"
	"sync/atomic"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/core"
)

// state is a slot as far as it is compiled. Exactly one of its four forms is in use: ops
// with their branches and buckets, parts, the table, or the class.
type state struct {
	ops      []op
	buckets  *[1 << bucketBits]bucket // by the first bits of a draw
	tables   [][opTexts]*table        // of the ops
	branches []branch

	parts []part // the outcomes that were drawn

	table *table // finished texts

	class   *grammar.Expr // a class too large for a table
	members grammar.Set   // of which one is drawn

	slot    *slot
	only    int                     // the one outcome that the ops are of, -1: all
	records atomic.Pointer[records] // made when first needed
}

// part is one outcome of a slot: that of draws from ... to.
type part struct {
	from, to uint64
	state    *state
}

// branch is the outcome of a draw of 64 bits u from the hi of the branch before to below
// lo. Between lo and hi the known numbers leave the outcome open, and the draw is
// settled exactly. So is the greatest draw of all, since hi cannot be 2^64.
type branch struct {
	hi, lo uint64
	start  uint32 // its first op
}

// op is a part of an outcome as the loop runs it: one text of each of a few tables, one
// after the other, and then a draw at a slot. It has the size of a line of the
// processor's cache.
type op struct {
	// batch is the number of combinations of this op's texts and those of the ops up to
	// the next batch or slot, where one draw decides them all. It is 0 in ops that do
	// not begin such a draw.
	batch uint64

	texts [opTexts]uint32 // of the tables; 1 where there is none
	cells [opTexts]cells  // of the tables, once known

	need  cells  // the length of the program's cells from which on all of these are in it
	stays uint32 // 0: the outcome ends here, no need to return; else 1

	slot *slot                 // nil: none
	to   atomic.Pointer[state] // of the slot, once it is complete
}

// opTexts is the number of tables of an op. The loop takes that many texts in any case:
// an empty text costs less than a branch on their number.
const opTexts = 4

// opPlaces is the number of places of an op: its tables and, last, its slot.
const opPlaces = opTexts + 1

// unknown is the need of an op as long as some of its tables have no cells.
const unknown = math.MaxUint32

// batchMost bounds the combinations of texts that one draw decides, so that the rest of
// its 64 bits almost always tells whether further bits matter.
const batchMost = 1 << 44

// findsBefore is how often the outcomes of a slot are found for one draw each, before
// all are compiled.
const findsBefore = 3

var one = big.NewInt(1)

// begin returns the state of a slot that was never met.
func (c *compiled) begin(sl *slot) *state {
	c.mu.Lock()
	defer c.mu.Unlock()
	st := sl.state.Load()
	if st != nil {
		return st
	}
	st = &state{slot: sl, only: -1}
	if it := sl.item; sl.token == nil {
		node := &it.sp.prog.Nodes[it.id]
		switch _, small := c.limits.small(it); {
		case small:
			st.table = c.table([]item{it})
		case node.Op == core.Leaf && node.Effect != core.NoEffect:
			st.table = &table{items: []item{it}, n: node.Ways[0].N}
		case node.Op == core.Leaf && node.Expr.Op == grammar.Class:
			st.class, st.members = node.Expr, classMembers(it.sp.prog, node.Expr, it.step)
			sl.mark = string(it.sp.w.append(nil, node.Expr))
		}
	}
	sl.state.Store(st)
	c.add(stateSize)
	return st
}

// classMembers returns the members of a class that have the size of the step.
func classMembers(p *core.Program, e *grammar.Expr, step int) grammar.Set {
	gen := p.Facts.Mask.Gen(e)
	if p.Unit != grammar.Bytes || p.ByDepth() {
		return gen
	}
	limits := [5]rune{0, 0x80, 0x800, 0x10000, 0x110000}
	return gen.Intersect(grammar.NewSet(grammar.Range{Lo: limits[step-1], Hi: limits[step] - 1}))
}

// complete reports whether the state will never be replaced.
func (st *state) complete() bool { return st.buckets != nil || st.table != nil || st.class != nil }

// first returns the op that a draw at a slot leads to, where the buckets do not tell, and
// the state that it is in.
func (r *Runner) first(st *state, u uint64) (*state, int, error) {
	if st.branches != nil {
		if i, settled := pick(st.branches, u); settled {
			return st, int(st.branches[i].start), nil
		}
	}
	for i := range st.parts {
		if p := &st.parts[i]; p.from <= u && u < p.to {
			return p.state, 0, nil
		}
	}
	e, sl := &r.outcomes, st.slot
	if err := e.ofSlot(r.c, sl); err != nil {
		return nil, 0, err
	}
	branches := e.share(sl.item.step)
	i, settled := pick(branches, u)
	if !settled {
		var err error
		if i, err = e.settle(&r.Bits, u, sl.item.step); err != nil {
			return nil, 0, err
		}
	}
	if st.branches != nil {
		return st, int(st.branches[i].start), nil
	}
	return r.c.extend(sl, e, branches, i, r.traced)
}

// extend compiles outcome i of a slot whose outcomes were found. Most slots of a large
// grammar are met once or twice in a thousand sentences: so only the outcomes that are
// drawn are compiled, until they were found a few times, and then all.
func (c *compiled) extend(sl *slot, e *outcomes, branches []branch, i int, traced bool) (*state, int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	st := sl.state.Load()
	if st.branches != nil { // by another goroutine
		return st, int(st.branches[i].start), nil
	}
	for _, p := range st.parts {
		if p.state.only == i {
			return p.state, 0, nil
		}
	}
	sl.finds++
	if sl.finds > findsBefore {
		st = &state{slot: sl, only: -1, branches: slices.Clone(branches)}
		c.compile(st, e, traced)
		st.setBuckets()
		sl.state.Store(st)
		return st, int(st.branches[i].start), nil
	}
	p := part{state: &state{slot: sl, only: i}, to: branches[i].lo}
	if i > 0 {
		p.from = branches[i-1].hi
	}
	c.compile(p.state, e, traced)
	if p.from < p.to { // else it has to be settled each time
		sl.state.Store(&state{slot: sl, only: -1, parts: append(slices.Clip(st.parts), p)})
	}
	return p.state, 0, nil
}

// ofSlot finds the outcomes of a slot: of a token the lengths of its text, each being
// equally likely.
func (e *outcomes) ofSlot(c *compiled, sl *slot) error {
	e.mark = sl.mark
	if sl.token == nil {
		return e.find(sl.item, c.limits)
	}
	k := sl.token
	lengths := k.texts.Lengths
	if k.length >= 0 {
		lengths = []int{k.length}
	} else if k.want == grammar.NonEmpty && lengths[0] == 0 {
		lengths = lengths[1:]
	}
	e.sp, e.pieces, e.list = c.p.texts[k.texts], e.pieces[:0], e.list[:0]
	for _, n := range lengths {
		o := outcome{from: int32(len(e.pieces)), weight: one}
		e.pieces = append(e.pieces, piece{id: e.sp.prog.Root, step: int32(n)})
		if e.mark != "" {
			e.pieces = append(e.pieces, piece{kind: pieceMark})
		}
		o.to = int32(len(e.pieces))
		e.list = append(e.list, o)
	}
	return nil
}

// text returns the text of a piece that has one for certain.
func (e *outcomes) text(p piece) string {
	switch p.kind {
	case pieceMark:
		return e.mark
	case pieceText:
		return string(e.sp.w.leaf(nil, nil, e.sp.prog, &e.sp.prog.Nodes[p.id], int(p.step), 0))
	}
	return ""
}

// share returns where the shares of the outcomes divide 0 … 2^64, until the next call.
func (e *outcomes) share(step int) []branch {
	if len(e.list) > 0 && e.list[0].weight != nil {
		weights := make([]*big.Int, len(e.list))
		for i := range e.list {
			weights[i] = e.list[i].weight
		}
		return exactBranches(weights)
	}
	e.weights, e.branches = e.sp.nums.(*floatNumbers).branches(e, step, e.weights, e.branches)
	return e.branches
}

// exactBranches returns where the exact shares of outcomes divide 0 … 2^64.
func exactBranches(weights []*big.Int) []branch {
	total := new(big.Int)
	for _, w := range weights {
		total.Add(total, w)
	}
	cum := new(big.Int)
	q, r := new(big.Int), new(big.Int)
	list := make([]branch, 0, len(weights))
	for _, w := range weights[:len(weights)-1] {
		cum.Add(cum, w)
		q.QuoRem(r.Lsh(cum, 64), total, r)
		lo := q.Uint64()
		hi := lo
		if r.Sign() != 0 && hi != math.MaxUint64 { // the last draw is settled in any case
			hi++ // the threshold is inside the draw
		}
		list = append(list, branch{hi: hi, lo: lo})
	}
	return append(list, lastBranch)
}

// lastBranch ends a list of branches.
var lastBranch = branch{hi: math.MaxUint64, lo: math.MaxUint64}

// group returns the number of texts of items together, if they fit in one table.
func (l Limits) group(items []item) (int, bool) {
	n := 1
	for _, it := range items {
		k, ok := l.small(it)
		if !ok {
			return 0, false
		}
		hi, lo := bits.Mul64(uint64(n), uint64(k))
		if hi != 0 || lo > uint64(l.Texts) {
			return 0, false
		}
		n = int(lo)
	}
	return n, true
}

// compile makes the ops of a state, of all outcomes or of one; c.mu is held.
func (c *compiled) compile(st *state, e *outcomes, traced bool) {
	b := batcher{c: c, st: st}
	if traced {
		b.records = &records{}
	}
	for i := range e.list {
		if st.only < 0 || st.only == i {
			start := b.add(e, &e.list[i])
			if st.branches != nil {
				st.branches[i].start = start
			}
		}
	}
	st.ops, st.tables = slices.Clip(st.ops), slices.Clip(st.tables)
	if traced {
		b.records.end(len(st.ops))
		st.records.Store(b.records)
	}
	const opSize, branchSize, bucketsSize = 64 + 8*opTexts, 24, 8 << bucketBits
	size := stateSize + len(st.ops)*opSize
	if st.branches != nil {
		size += len(st.branches)*branchSize + bucketsSize
	}
	c.add(int64(size))
}

// batcher puts the outcomes of a state in ops.
type batcher struct {
	c       *compiled
	st      *state
	records *records // nil: not wanted
	first   int      // op of the outcome
	begin   int      // op that the batch begins in; -1: there is none
}

// add compiles an outcome and returns where its ops start.
func (b *batcher) add(e *outcomes, o *outcome) (start uint32) {
	b.first, b.begin = len(b.st.ops), -1
	depth := int(o.depth)
	pieces := e.of(o)
	from, next := 0, 0 // the pieces since the last op, up to the last item
	text, none := "", true
	var group []item
	flush := func(to int) {
		place := b.put(text, group)
		if b.records != nil {
			depth = max(depth, b.records.add(b.c, e, pieces[from:to], place, place%opPlaces != opTexts))
		}
		text, group, from, none = "", nil, to, false
	}
	for i, p := range pieces {
		if p.kind != pieceItem {
			if t := e.text(p); t != "" {
				if len(group) > 0 {
					flush(next)
				}
				text += t
			}
			continue
		}
		it := item{e.sp, p.id, int(p.step)}
		if _, ok := b.c.limits.group(append(group[:len(group):len(group)], it)); !ok && len(group) > 0 {
			flush(next)
		}
		group = append(group, it)
		next = i + 1
	}
	if len(group) > 0 {
		flush(next)
	}
	if from < len(pieces) || none {
		flush(len(pieces))
	}
	b.st.ops[len(b.st.ops)-1].stays = 0
	if b.records != nil {
		b.records.depth(b.first, depth)
	}
	return uint32(b.first)
}

// put adds a text and then items that are drawn together, and returns the place of their
// draw: op·opPlaces + place in the op.
func (b *batcher) put(text string, group []item) int {
	if text != "" {
		b.table(b.c.literal(text))
	}
	place := opTexts
	if len(group) == 0 {
		b.open() // after a slot, records belong to the next op
	} else if _, ok := b.c.limits.group(group); ok {
		place = b.draw(b.c.table(group))
	} else {
		b.open().slot = b.c.slot(group[0])
		b.begin = -1
	}
	return (len(b.st.ops)-1)*opPlaces + place
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

// table adds a table, and returns its place in the op.
func (b *batcher) table(t *table) int {
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
		return b.table(t)
	}
	o := b.open()
	last := len(st.ops) - 1
	if o.batch != 0 || o.texts != [opTexts]uint32{1, 1, 1, 1} || st.tables[last][opTexts-1] != nil {
		b.another()
		last++
	}
	b.begin, st.ops[last].batch = last, n
	return b.table(t)
}
