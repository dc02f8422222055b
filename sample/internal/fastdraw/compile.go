package fastdraw

import (
	"math"
	"math/big"
	"math/bits"
	"slices"
	"sync/atomic"
	"unsafe"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/core"
)

// state is the compiled part of a slot. Exactly one of its three forms is in use: outcomes
// with their ops, the table, or the class.
type state struct {
	ops    atomic.Pointer[op]    // the first op of the outcomes compiled so far
	found  atomic.Pointer[found] // nil: never drawn
	tables atomic.Pointer[[][opTexts]*table]
	slow   atomic.Int32 // draws that the buckets did not decide
	full   atomic.Bool  // the buckets are filled

	table *table // finished texts

	class   *grammar.Expr // a class too large for a table
	members grammar.Set   // the characters to draw from

	slot    *slot
	records atomic.Pointer[records] // made when first needed
	tally   atomic.Pointer[tally]   // likewise

	// Under the mutex of the program:
	n, room  int     // ops, and their capacity
	compiled []int32 // outcomes, in the order of their ops

	// Indexed by the first bits of a draw. They are stored inline, because a pointer would
	// cost one more memory access.
	buckets buckets
}

// found is the outcomes of a slot. Most outcomes of a large grammar are never drawn, so each
// is compiled when first drawn.
type found struct {
	branches []branch
	starts   []atomic.Uint32 // by outcome, 1 + its first op; 0: not compiled
	splits   []split         // that made the outcomes; none for a token
	last     []int32         // by outcome: the last of its splits
}

// branch is the outcome of the 64-bit draws u from the previous branch's hi to below lo.
// Between lo and hi the approximate numbers leave the outcome open, and the draw is decided
// exactly. So is the greatest draw of all, since hi cannot be 2^64.
type branch struct{ hi, lo uint64 }

// op is a part of an outcome in the form that the loop executes: one text from each of a few
// tables, in order, and then a draw at a slot. It has the size of a cache line.
type op struct {
	// batch is the number of combinations of texts of this op and the ops up to the next batch
	// or slot, where one draw decides them all. It is 0 in ops that do not begin such a draw.
	batch uint64

	texts [opTexts]uint32 // of the tables; 1 for none
	cells [opTexts]cells  // of the tables, once known

	need  cells  // the length of the program's cells from which on all of these are included
	stays uint32 // 0: the outcome ends here and needs no return; else 1

	slot *slot                 // nil: none
	to   atomic.Pointer[state] // the state of slot, once it has one
}

// set makes a new op, not executed yet, a copy of another, which may be executing. Its need is
// read first: it is set when all cells are.
func (o *op) set(from *op) {
	o.batch, o.texts, o.stays, o.slot = from.batch, from.texts, from.stays, from.slot
	o.need.v = from.need.load()
	for i := range o.cells {
		o.cells[i].v = from.cells[i].load()
	}
	if to := from.to.Load(); to != nil {
		o.to.Store(to)
	}
}

// opTexts is the number of tables of an op. The loop always takes that many texts: an empty
// text costs less than a branch on their number.
const opTexts = 4

// opPlaces is the number of places of an op: its tables and, last, its slot.
const opPlaces = opTexts + 1

// unknown is the need of an op while some of its tables have no cells.
const unknown = math.MaxUint32

// batchMost bounds the combinations of texts that one draw decides, so that the rest of its 64
// bits almost always shows whether further bits matter.
const batchMost = 1 << 44

// slowBefore is the number of draws at a slot that are looked up in the branches before the
// slot gets buckets.
const slowBefore = 3

var one = big.NewInt(1)

// begin returns the state of a new slot.
func (c *compiled) begin(sl *slot) *state {
	c.mu.Lock()
	defer c.mu.Unlock()
	st := sl.state.Load()
	if st != nil {
		return st
	}
	st = &state{slot: sl}
	st.buckets.clear()
	if it := sl.item; sl.token == nil {
		node := &it.sp.prog.Nodes[it.id]
		switch _, small := c.limits.small(it); {
		case small:
			st.table = c.table([]item{it})
		case node.Op == core.Leaf && node.Effect != core.NoEffect:
			st.table = &table{items: []item{it}, n: node.Ways[0].N}
		case node.Op == core.Leaf && node.Expr.Op == grammar.Class:
			st.class, st.members = node.Expr, classMembers(it.sp.prog, node.Expr, it.step)
			sl.mark = string(it.sp.w.append(nil, 0, node.Expr))
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

// op returns a compiled op.
func (st *state) op(at int) *op {
	return (*op)(unsafe.Add(unsafe.Pointer(st.ops.Load()), uintptr(at)*opSize))
}

const opSize = unsafe.Sizeof(op{})

// first returns the first op of a draw at a slot where the buckets do not determine it.
func (r *Runner) first(st *state, u uint64) (at int, err error) {
	e, f := &r.outcomes, st.found.Load()
	if f == nil {
		if f, err = r.find(st); err != nil {
			return 0, err
		}
	}
	i, settled := pick(f.branches, u)
	if !settled {
		if err := e.ofSlot(r.c, st.slot); err != nil {
			return 0, err
		}
		if i, err = e.settle(&r.Bits, u, st.slot.item.step); err != nil {
			return 0, err
		}
	}
	if start := f.starts[i].Load(); start > 0 && (st.full.Load() || st.slow.Add(1) != slowBefore) {
		return int(start - 1), nil
	}
	return r.c.compile(st, f, e, i)
}

// find finds the outcomes of a slot.
func (r *Runner) find(st *state) (*found, error) {
	e, c := &r.outcomes, r.c
	if err := e.ofSlot(c, st.slot); err != nil {
		return nil, err
	}
	f := &found{branches: slices.Clone(e.share(st.slot.item.step)), starts: make([]atomic.Uint32, len(e.list))}
	if st.slot.token == nil {
		f.splits, f.last = slices.Clone(e.splits), make([]int32, len(e.list))
		for i := range e.list {
			f.last[i] = e.list[i].order
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if known := st.found.Load(); known != nil { // found by another goroutine
		return known, nil
	}
	st.found.Store(f)
	const outcomeSize, splitSize = 24, 8
	c.add(int64(len(f.branches)*outcomeSize + len(f.splits)*splitSize))
	return f, nil
}

// compile makes the ops of an outcome if it has none, and buckets once they pay off. It
// returns the first op.
func (c *compiled) compile(st *state, f *found, e *outcomes, i int) (at int, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if f.starts[i].Load() == 0 {
		b := batcher{c: c, base: st.n, ops: c.ops[:0], tables: c.opTables[:0]}
		if err := b.again(e, st, f, i); err != nil {
			return 0, err
		}
		c.ops, c.opTables = b.ops, b.tables
		at := st.n
		st.grow(c, b.ops, b.tables)
		st.compiled = append(st.compiled, int32(i))
		f.starts[i].Store(uint32(at) + 1)
		if st.full.Load() {
			st.buckets.update(f, i)
		}
	}
	if !st.full.Load() && (len(f.branches) == 1 || st.slow.Load() >= slowBefore) {
		st.buckets.fill(f)
		st.full.Store(true)
	}
	return int(f.starts[i].Load() - 1), nil
}

// grow adds ops. Goroutines may be executing the existing ops, so these keep their memory as
// long as it is referenced.
func (st *state) grow(c *compiled, ops []op, tables [][opTexts]*table) {
	n := st.n + len(ops)
	if n > st.room {
		made := slices.Grow([]op(nil), max(n, st.n*2))
		made = made[:cap(made)]
		for i := range st.n {
			made[i].set(st.op(i))
		}
		all := make([][opTexts]*table, len(made))
		if old := st.tables.Load(); old != nil {
			copy(all, *old)
		}
		c.add(int64(cap(made)-st.room) * int64(opSize+8*opTexts))
		st.room = len(made)
		st.ops.Store(&made[0])
		st.tables.Store(&all)
	}
	copy((*st.tables.Load())[st.n:], tables)
	for i := range ops {
		st.op(st.n + i).set(&ops[i])
	}
	st.n = n
}

// again adds outcome i of a state.
func (b *batcher) again(e *outcomes, st *state, f *found, i int) error {
	at := 0
	if st == b.c.sequences {
		e.sequence(b.c, b.c.listed[i])
	} else if f.last != nil {
		e.mark = st.slot.mark
		e.again(st.slot.item, b.c.limits, f.splits, f.last[i])
	} else if err := e.ofSlot(b.c, st.slot); err != nil {
		return err
	} else {
		at = i
	}
	b.add(e, &e.list[at])
	return nil
}

// ofSlot finds the outcomes of a slot. For a token they are the lengths of its text, each
// equally likely.
func (e *outcomes) ofSlot(c *compiled, sl *slot) error {
	e.mark = sl.mark
	if sl.token == nil {
		return e.find(sl.item, c.limits)
	}
	k := sl.token
	lengths := k.texts.LengthsOf(k.want)
	if k.length >= 0 {
		lengths = []int{k.length}
	}
	e.sp, e.pieces, e.list = c.p.inside(k.texts), e.pieces[:0], e.list[:0]
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

// text returns the text of a piece that has only one.
func (e *outcomes) text(p piece) string {
	switch p.kind {
	case pieceMark:
		return e.mark
	case pieceText:
		return string(e.sp.w.leaf(nil, nil, e.sp.prog, &e.sp.prog.Nodes[p.id], int(p.step), 0))
	}
	return ""
}

// share returns the thresholds that divide 0 … 2^64 by the shares of the outcomes, valid until
// the next call.
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

// exactBranches returns the thresholds that divide 0 … 2^64 by the exact shares of outcomes.
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
		if r.Sign() != 0 && hi != math.MaxUint64 { // the last draw is decided exactly in any case
			hi++ // the threshold is inside the draw
		}
		list = append(list, branch{hi, lo})
	}
	return append(list, lastBranch)
}

// lastBranch ends a list of branches.
var lastBranch = branch{math.MaxUint64, math.MaxUint64}

// group returns the total number of texts of items, if they fit in one table.
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

// batcher compiles outcomes of a state into ops.
type batcher struct {
	c       *compiled
	base    int // number of ops of the state before these
	ops     []op
	tables  [][opTexts]*table // of the ops
	records *records          // nil: not wanted
	first   int               // first op of the outcome
	begin   int               // op that begins the batch; -1: none
}

// add compiles an outcome.
func (b *batcher) add(e *outcomes, o *outcome) {
	b.first, b.begin = len(b.ops), -1
	depth := int(o.depth)
	pieces := e.of(o)
	from, next := 0, 0 // the pieces since the last op, up to the last item
	text, none := "", true
	group, n := b.c.group[:0], uint64(0) // n is its number of texts; 0: too many for a table
	flush := func(to int) {
		place := b.put(text, group, n > 0)
		if b.records != nil {
			depth = max(depth, b.records.add(b.c, e, pieces[from:to], place, place%opPlaces != opTexts))
		}
		text, group, from, none = "", group[:0], to, false
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
		k, _ := b.c.limits.small(it)
		with := n * uint64(k)
		if len(group) > 0 && (with == 0 || with > uint64(b.c.limits.Texts)) {
			flush(next)
		}
		n = with
		if len(group) == 0 {
			n = uint64(k)
		}
		group, next = append(group, it), i+1
	}
	if len(group) > 0 {
		flush(next)
	}
	if from < len(pieces) || none {
		flush(len(pieces))
	}
	b.ops[len(b.ops)-1].stays = 0
	if b.records != nil {
		b.records.depth(b.base+b.first, depth)
	}
	b.c.group = group[:0]
}

// put adds a text and then items that are drawn together, from one table if they fit in one.
// It returns the place of their draw: op·opPlaces + place in the op.
func (b *batcher) put(text string, group []item, fit bool) int {
	if text != "" {
		b.table(b.c.literal(text))
	}
	place := opTexts
	if len(group) == 0 {
		b.open() // after a slot, records belong to the next op
	} else if fit {
		place = b.draw(b.c.table(group))
	} else {
		b.open().slot = b.c.slot(group[0])
		b.begin = -1
	}
	return (b.base+len(b.ops)-1)*opPlaces + place
}

// open returns the op of the next text or slot.
func (b *batcher) open() *op {
	if n := len(b.ops); n == b.first || b.ops[n-1].slot != nil {
		b.another()
	}
	return &b.ops[len(b.ops)-1]
}

func (b *batcher) another() {
	b.ops = append(b.ops, op{need: cells{unknown}, stays: 1})
	o := &b.ops[len(b.ops)-1]
	for i := range o.texts {
		o.texts[i], o.cells[i] = 1, cells{noText}
	}
	b.tables = append(b.tables, [opTexts]*table{})
}

// table adds a table and returns its place in the op.
func (b *batcher) table(t *table) int {
	b.open()
	last := len(b.ops) - 1
	at := slices.Index(b.tables[last][:], nil)
	if at < 0 {
		b.another()
		last, at = last+1, 0
	}
	o := &b.ops[last]
	o.texts[at] = uint32(t.n)
	o.cells[at].store(t.cells.load())
	b.tables[last][at] = t
	return at
}

// draw adds a table whose text is drawn, in one batch with those before it if there are not
// too many combinations. A batch begins at the first text of an op that depends on it.
func (b *batcher) draw(t *table) int {
	n := uint64(t.n)
	if b.begin >= 0 && b.ops[b.begin].batch <= batchMost/n {
		b.ops[b.begin].batch *= n
		return b.table(t)
	}
	o := b.open()
	last := len(b.ops) - 1
	if o.batch != 0 || o.texts != [opTexts]uint32{1, 1, 1, 1} || b.tables[last][opTexts-1] != nil {
		b.another()
		last++
	}
	b.begin, b.ops[last].batch = last, n
	return b.table(t)
}
