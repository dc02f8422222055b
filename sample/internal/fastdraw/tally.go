package fastdraw

import (
	"math/bits"
	"slices"

	"github.com/gramfuzz/gramfuzz/internal/core"
)

// A tally counts the places of each kind (Options.Places) that derivations have. Like records,
// it is made from the trace of the ops that the loop executed, and the places fixed by an
// outcome are kept with its state.

// tally is the places of a state's outcomes.
type tally struct {
	ops      []tallied
	kinds    []int32
	outcomes int // number of them covered
}

// tallied is the places that come with an op.
type tallied struct {
	from, to uint32 // range of the kinds of the fixed ones
	tables   uint8  // bits: tables of the op whose texts have some
}

// textTally is the places of the finished texts of a table.
type textTally struct {
	kinds  []int32
	starts []uint32
}

// reaches returns for each node whether it or a node below it is a place.
func (f *Program) reaches(p *core.Program) []bool {
	if f.o.Places == nil {
		return nil
	}
	reach, parents := make([]bool, len(p.Nodes)), p.Parents()
	var todo []core.NodeID
	add := func(id core.NodeID) {
		if !reach[id] {
			reach[id] = true
			todo = append(todo, id)
		}
	}
	for id, kind := range f.o.Places {
		if kind != 0 {
			add(core.NodeID(id))
		}
	}
	for len(todo) > 0 {
		id := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, up := range parents[id] {
			add(up.ID)
		}
	}
	return reach
}

// meet notes a place that is unfolded in an outcome.
func (e *outcomes) meet(id core.NodeID) {
	if e.places != nil && e.places[id] != 0 {
		e.met = append(e.met, e.places[id])
	}
}

// count adds the places of the last draw to r.Counts.
func (r *Runner) count() {
	for i := range r.trace {
		s := &r.trace[i]
		st := s.st
		switch {
		case st.table != nil:
			if r.placed(st.table) {
				r.countText(st.table, int(s.u))
			}
			continue
		case st.class != nil || st != r.c.sequences && st.slot.item.sp != r.p.space: // inside tokens
			continue
		}
		all := st.tally.Load()
		if all == nil || s.at >= len(all.ops) {
			all = r.tallyOf(st)
		}
		o := &all.ops[s.at]
		for _, kind := range all.kinds[o.from:o.to] {
			r.Counts[kind]++
		}
		if o.tables != 0 {
			u, texts := s.u, &st.op(s.at).texts
			for i, t := range (*st.tables.Load())[s.at] {
				var rank uint64
				rank, u = bits.Mul64(u, uint64(texts[i]))
				if o.tables>>i&1 != 0 {
					r.countText(t, int(rank))
				}
			}
		}
	}
}

// placed reports whether texts of a table may have places.
func (r *Runner) placed(t *table) bool {
	return slices.ContainsFunc(t.items, func(it item) bool { return it.sp == r.p.space && r.p.reach[it.id] })
}

// countText adds the places of a text of a table.
func (r *Runner) countText(t *table, rank int) {
	if b := t.tally.Load(); b != nil {
		for _, kind := range b.kinds[b.starts[rank]:b.starts[rank+1]] {
			r.Counts[kind]++
		}
		return
	}
	if t.counted.Add(1) == fillAfter(t.n) {
		b := &textTally{starts: make([]uint32, 1, t.n+1)}
		for i := range t.n {
			b.kinds = append(b.kinds, r.placesOf(t, i)...)
			b.starts = append(b.starts, uint32(len(b.kinds)))
		}
		if len(b.kinds) <= r.c.limits.Bytes {
			b.kinds = slices.Clip(b.kinds)
			t.tally.Store(b)
			r.c.add(int64(4 * (len(b.kinds) + len(b.starts))))
		}
	}
	for _, kind := range r.placesOf(t, rank) {
		r.Counts[kind]++
	}
}

// placesOf returns the kinds of the places of a text of a table, valid until the next call.
func (r *Runner) placesOf(t *table, rank int) []int32 {
	w := &r.writing
	w.places, w.met = r.p.o.Places, w.met[:0]
	r.scratch = w.append(r.scratch[:0], nil, t.items, rank, 0)
	w.places = nil
	return w.met
}

// tallyOf makes the missing places of a state. Those visible to other goroutines are not
// changed.
func (r *Runner) tallyOf(st *state) *tally {
	r.c.mu.Lock()
	defer r.c.mu.Unlock()
	all := &tally{}
	if old := st.tally.Load(); old != nil {
		*all = *old
	}
	e := &r.outcomes
	for _, i := range st.compiled[all.outcomes:] {
		b := batcher{c: r.c} // the same ops as st, not kept
		e.places, e.met = r.p.o.Places, e.met[:0]
		err := b.again(e, st, st.found.Load(), int(i))
		e.places = nil
		if err != nil {
			panic(err) // only tokens, which have no places, may fail
		}
		for k, tables := range b.tables {
			o := tallied{from: uint32(len(all.kinds))}
			if k == 0 {
				all.kinds = append(all.kinds, e.met...)
			}
			for at, t := range tables {
				switch {
				case t == nil || !r.placed(t):
				case t.n == 1:
					all.kinds = append(all.kinds, r.placesOf(t, 0)...)
				default:
					o.tables |= 1 << at
				}
			}
			o.to = uint32(len(all.kinds))
			all.ops = append(all.ops, o)
		}
	}
	all.outcomes = len(st.compiled)
	st.tally.Store(all)
	return all
}
