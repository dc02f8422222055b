package sample

import (
	"math"
	"math/big"
	"math/bits"
	"slices"
	"sync/atomic"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/core"
)

// state is a compiled slot. Exactly one of its three forms is in use.
type state struct {
	ops      []op
	buckets  *[1 << bucketBits]bucket // by the first bits of a draw
	tables   [][opTexts]*table        // of the ops
	branches []branch

	table *table // finished texts

	class *classDraw // a class too large for a table
}

// detail is the rest of a state: its outcomes. It is seldom needed and larger than the
// state, so slots keep it apart.
type detail struct {
	parts []*outcome // by outcome: for settling and recording
	step  int

	places []int // see batcher
}

// branch is the outcome of a draw of 64 bits u from the hi of the branch before to below
// lo. Between lo and hi the known numbers leave the outcome open, and the draw is
// settled exactly. So is the greatest draw of all, since hi cannot be 2^64.
type branch struct {
	hi, lo uint64
	start  uint32 // its first op
}

// op is a part of an outcome as the fast loop runs it: one text of each of a few
// tables, one after the other, and then a draw at a slot. It has the size of a
// line of the processor's cache.
type op struct {
	// batch is the number of combinations of this op's texts and those of the ops up to
	// the next batch or slot, where one draw decides them all. It is 0 in ops that do
	// not begin such a draw.
	batch uint64

	texts [opTexts]uint32 // of the tables; 1 where there is none
	cells [opTexts]cells  // of the tables, once known

	need  cells  // the length of the slots' cells from which on all of these are in it
	stays uint32 // 0: the outcome ends here, no need to return; else 1

	slot *slot                 // nil: none
	to   atomic.Pointer[state] // of the slot, once known
}

// opTexts is the number of tables of an op. The loop takes that many texts in any case:
// an empty text costs less than a branch on their number.
const opTexts = 4

// unknown is the need of an op as long as some of its tables have no cells.
const unknown = math.MaxUint32

// batchMost bounds the combinations of texts that one draw decides, so that the rest of
// its 64 bits almost always tells whether further bits matter.
const batchMost = 1 << 44

type classDraw struct {
	expr    *grammar.Expr
	members grammar.Set // of which one is drawn
}

// compile makes the state of a slot, once; s.mu is held.
func (s *slots) compile(sl *slot) (*state, error) {
	if st := sl.state.Load(); st != nil {
		return st, nil
	}
	st, _, err := s.makeState(sl)
	if err == nil {
		sl.state.Store(st)
	}
	return st, err
}

// detailOf makes the detail of a slot, once: the same that its state was made
// with. s.mu is held.
func (s *slots) detailOf(sl *slot) (*detail, error) {
	if d := sl.detail.Load(); d != nil {
		return d, nil
	}
	_, d, err := s.makeState(sl)
	if err == nil {
		sl.detail.Store(d)
	}
	return d, err
}

func (s *slots) makeState(sl *slot) (*state, *detail, error) {
	if sl.token != nil {
		st, d := s.tokenState(*sl.token)
		return st, d, nil
	}
	if _, ok := s.limits.group(sl.items); ok {
		return &state{table: s.tableOf(sl)}, nil, nil
	}
	it := sl.items[0]
	node := &it.sp.prog.Nodes[it.id]
	if node.Op == core.Leaf && node.Effect != core.NoEffect {
		return &state{table: newTable(sl.items, node.Ways[0].N, s.limits)}, nil, nil
	}
	if node.Op == core.Leaf {
		return &state{class: &classDraw{node.Expr, classMembers(it.sp.prog, node.Expr, it.step)}}, nil, nil
	}
	_, exact := it.sp.nums.(tableNumbers)
	outs, err := s.outcomesOf(it, exact)
	if err != nil {
		return nil, nil, err
	}
	st, d := &state{}, &detail{parts: outs, step: it.step}
	if exact {
		weights := make([]*big.Int, len(outs))
		for i, o := range outs {
			weights[i] = o.weight
		}
		st.branches = exactBranches(weights)
	} else {
		st.branches = it.sp.nums.(*floatNumbers).branches(outs, it.step)
	}
	d.places = st.add(s, outs)
	return st, d, nil
}

// tokenState draws the length of a token's text, each being equally likely, and
// goes on to the texts of that length.
func (s *slots) tokenState(k tokenKey) (*state, *detail) {
	lengths := k.texts.Lengths
	if k.length >= 0 {
		lengths = []int{k.length}
	} else if k.want == grammar.NonEmpty && lengths[0] == 0 {
		lengths = lengths[1:]
	}
	st, d := &state{}, &detail{}
	st.branches = exactBranches(evenWeights(len(lengths)))
	for _, n := range lengths {
		it := item{s.textSpace(k.texts), k.texts.Program.Root, n}
		o := &outcome{pieces: []piece{{it: it}}, weight: bigOne}
		d.parts = append(d.parts, o)
	}
	d.places = st.add(s, d.parts)
	return st, d
}

// evenWeights are n equal weights.
func evenWeights(n int) []*big.Int {
	weights := make([]*big.Int, n)
	for i := range weights {
		weights[i] = bigOne
	}
	return weights
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

// settle decides a draw that lies within the error of a threshold.
func (d *detail) settle(str *stream, u uint64) (int, error) {
	return settleDraw(str, u, len(d.parts), func(i int, level precision) (bounds, error) {
		return d.parts[i].bounds(d.step, level)
	})
}

// group returns the number of texts of items together, if they fit in one table.
func (l limits) group(items []item) (int, bool) {
	n := 1
	for _, it := range items {
		k, ok := l.small(it)
		if !ok {
			return 0, false
		}
		hi, lo := bits.Mul64(uint64(n), uint64(k))
		if hi != 0 || lo > uint64(l.texts) {
			return 0, false
		}
		n = int(lo)
	}
	return n, true
}

// finished returns the table of a group of items, or nil where they are drawn at
// their slot.
func (s *slots) finished(group []item) *table {
	if _, ok := s.limits.group(group); !ok {
		return nil
	}
	sl := s.slot(group)
	if sl.token != nil {
		return nil
	}
	return s.tableOf(sl)
}

// opsOf calls f for each op that an outcome is compiled to, at least once: the
// text it begins with, the items that it draws together, and the pieces that
// these are.
func (s *slots) opsOf(o *outcome, f func(text string, group []item, pieces []piece)) {
	text := ""
	var group []item
	from, next := 0, 0 // the pieces since the last op, up to the last item
	none := true
	flush := func() {
		if len(group) == 0 {
			return
		}
		f(text, group, o.pieces[from:next])
		text, group, from, none = "", nil, next, false
	}
	for i, p := range o.pieces {
		switch {
		case p.it.sp == nil && p.text == "":
		case p.it.sp == nil:
			flush()
			text += p.text
		default:
			if _, ok := s.limits.group(append(group[:len(group):len(group)], p.it)); !ok {
				flush()
			}
			group = append(group, p.it)
			next = i + 1
		}
	}
	flush()
	if from < len(o.pieces) || none {
		f(text, nil, o.pieces[from:])
	}
}

// add compiles the outcomes that the branches lead to, and ends the compilation.
func (st *state) add(s *slots, outs []*outcome) (places []int) {
	b := batcher{st: st}
	for i, o := range outs {
		st.branches[i].start = b.add(s, o)
	}
	st.ops, st.tables = slices.Clip(st.ops), slices.Clip(st.tables)
	st.setBuckets()
	return b.places
}
