package sample

import (
	"math"
	"math/big"
	"math/bits"
	"slices"
	"sort"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/grammar"
)

// state is a compiled slot. Exactly one of its three forms is in use.
type state struct {
	branches []branch
	guide    []uint16 // by the first bits of a draw: where to begin looking in branches
	ops      []op
	blob     []byte // the texts of the ops, and copyBlock bytes more

	table *table // finished texts

	class *classDraw // a class too large for a table
}

// detail is what else there is to say about a branch. It is seldom asked for and
// larger than all the rest, so slots do not keep it with their state.
type detail struct {
	parts []*outcome // by outcome: for settling and recording
	step  int
}

// branch is an outcome that holds for a draw of 64 bits u from the hi of the one
// before to below lo. Between lo and hi the numbers known leave open which side
// of the threshold U is, and it is settled; so does the last draw of all, since hi
// cannot say 2^64.
type branch struct {
	hi, lo uint64
	start  uint32 // its first op
}

// guideBits is how many of the first bits of a draw the guide goes by.
const guideBits = 6

// op is a part of an outcome as the fast loop runs it: it appends text, then one
// of the texts of the slot's table, or else draws at the slot.
type op struct {
	slot *slot

	// batch is not 0 where a draw begins that this op's table and those of the ops
	// after it, up to the next batch or slot, take their texts from together: it is
	// how many combinations of texts they have.
	batch uint64

	texts uint32 // of the table; 0: a draw at the slot, if there is one
	cells cells  // of the table, once known

	at  uint32 // of the text in the blob
	len uint32 // of the text; with lastOp: the outcome ends here, no need to return
}

const lastOp = 1 << 31

// batchMost is how many combinations of texts one draw decides. It leaves most of
// the 64 bits to tell when further bits matter.
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
	if node.Op == count.Leaf && node.Act != count.NoAct {
		return &state{table: newTable(sl.items, node.Ways[0].N, s.limits)}, nil, nil
	}
	if node.Op == count.Leaf {
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
	for i, o := range outs {
		st.branches[i].start = st.add(s, o)
	}
	st.close()
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
	for i, n := range lengths {
		it := item{s.textSpace(k.texts), k.texts.Program.Root, n}
		o := &outcome{pieces: []piece{{it: it}}, weight: bigOne}
		d.parts = append(d.parts, o)
		st.branches[i].start = st.add(s, o)
	}
	st.close()
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
func classMembers(p *count.Program, e *grammar.Expr, step int) grammar.Set {
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

// setGuide says for the first bits of a draw which outcome it may be first.
func (st *state) setGuide() {
	st.guide = make([]uint16, 1<<guideBits)
	last := len(st.branches) - 1
	for b := range st.guide {
		st.guide[b] = uint16(sort.Search(last, func(i int) bool { return st.branches[i].hi > uint64(b)<<(64-guideBits) }))
	}
}

// pick returns the outcome of a draw, and whether that is settled.
func (st *state) pick(u uint64) (i int, settled bool) {
	i = int(st.guide[u>>(64-guideBits)])
	for i < len(st.branches)-1 && u >= st.branches[i].hi {
		i++
	}
	return i, u < st.branches[i].lo
}

// settle decides a draw that lies within the error of a threshold.
func (d *detail) settle(str *stream, u uint64) (int, error) {
	return settleDraw(str, u, len(d.parts), func(i int, level precision) (bounds, error) {
		return d.parts[i].bounds(d.step, level)
	})
}

// group returns how many texts items have together if they fit in one table.
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

// add compiles an outcome, putting neighbours whose texts fit in one table
// together, and returns where its ops start.
func (st *state) add(s *slots, o *outcome) (start uint32) {
	first := len(st.ops)
	s.opsOf(o, func(text string, group []item, _ []piece) {
		st.ops = append(st.ops, op{at: uint32(len(st.blob)), len: uint32(len(text))})
		if len(group) > 0 {
			st.ops[len(st.ops)-1].slot = s.slot(group)
		}
		st.blob = append(st.blob, text...)
	})
	st.ops[len(st.ops)-1].len |= lastOp
	st.batch(first, s)
	return uint32(first)
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

// batch puts the tables of the ops from first on in their place, and the draws
// that they share.
func (st *state) batch(first int, s *slots) {
	begin := -1
	for i := first; i < len(st.ops); i++ {
		o := &st.ops[i]
		if o.slot == nil {
			continue
		}
		if _, ok := s.limits.group(o.slot.items); !ok || o.slot.token != nil {
			begin = -1
			continue
		}
		t := s.tableOf(o.slot)
		o.texts = uint32(t.n)
		o.cells.store(t.cells.load())
		if n := uint64(t.n); begin < 0 || st.ops[begin].batch > batchMost/n {
			begin, o.batch = i, n
		} else {
			st.ops[begin].batch *= n
		}
	}
}

// close ends the compilation of a branch.
func (st *state) close() {
	st.blob = append(slices.Clip(st.blob), make([]byte, copyBlock)...)
	st.ops = slices.Clip(st.ops)
	st.setGuide()
}
