package fastdraw

import (
	"context"
	"math"
	"slices"
	"sync/atomic"

	"github.com/gramfuzz/gramfuzz/internal/core"
)

// Sequence is a list of parts that are drawn one after the other, and of choices made before
// and between them. Once complete it is safe for concurrent use.
type Sequence struct {
	pieces []piece
	depth  int32
	placed atomic.Pointer[placed]
}

// placed is the first op of a sequence in a compiled program.
type placed struct {
	c  *compiled
	at int
}

// Empty reports whether a sequence is to be left out.
func (s *Sequence) Empty() bool { return len(s.pieces) == 0 && s.depth == 0 }

// Choose adds the choice that leads from a union to one of its children. A union that stands
// for no choice adds nothing.
func (s *Sequence) Choose(p *core.Program, id core.NodeID, child int) {
	if p.Nodes[id].Values != nil {
		s.pieces = append(s.pieces, piece{id: id, step: int32(child), kind: pieceChoice})
	}
}

// Deepen adds a nesting level of rules, relative to that of the sequence.
func (s *Sequence) Deepen(level int) { s.depth = max(s.depth, int32(level)) }

// Add adds a derivation of a node at a step, which must have some, level rules deep. By size, the
// step is at most Limits.Size.
func (s *Sequence) Add(id core.NodeID, step, level int) {
	s.pieces = append(s.pieces, piece{id: id, step: int32(step), level: int32(level)})
}

// Nested is a sequence and the number of rules around it.
type Nested struct {
	*Sequence
	Level int
}

// Sequences appends derivations of sequences, at least one, one after the other, as Node does.
// They are executed as returns of the loop, so each but the first costs little more than its
// ops.
func (r *Runner) Sequences(ctx context.Context, dst []byte, m *Recording, list []Nested) ([]byte, error) {
	r.queue, r.queueLevels = r.queue[:0], r.queueLevels[:0]
	for _, s := range slices.Backward(list) {
		r.queue = append(r.queue, ret{r.c.sequences, r.place(s.Sequence)})
		r.queueLevels = append(r.queueLevels, s.Level)
	}
	dst, err := r.atSlot(ctx, dst, m, r.c.sequences.slot, list[0].Level)
	r.queue, r.queueLevels = r.queue[:0], r.queueLevels[:0]
	return dst, err
}

// place returns the first op of a sequence.
func (r *Runner) place(s *Sequence) int {
	c := r.c
	if p := s.placed.Load(); p != nil && p.c == c {
		return p.at
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if p := s.placed.Load(); p != nil && p.c == c {
		return p.at
	}
	at := c.sequence(&r.outcomes, s)
	s.placed.Store(&placed{c, at})
	return at
}

// sequence compiles a sequence and returns its first op; c.mu is held.
func (c *compiled) sequence(e *outcomes, s *Sequence) (at int) {
	st := c.sequences
	c.listed = append(c.listed, s)
	b := batcher{c: c, base: st.n, ops: c.ops[:0], tables: c.opTables[:0]}
	e.sequence(c, s)
	b.add(e, &e.list[0])
	c.ops, c.opTables = b.ops, b.tables
	at = st.n
	st.grow(c, b.ops, b.tables)
	st.compiled = append(st.compiled, int32(len(c.listed)-1))
	return at
}

// sequence finds the only outcome of a sequence.
func (e *outcomes) sequence(c *compiled, s *Sequence) {
	e.sp, e.limits, e.pieces, e.mark = c.p.space, c.limits, e.pieces[:0], ""
	e.todo = append(e.todo[:0], s.pieces...)
	slices.Reverse(e.todo)
	e.list = append(e.list[:0], e.complete(outcome{depth: s.depth}, 0, 0))
}

// newSequences returns the state that all sequences share. Every draw at its slot leads to its
// first op, which is empty and returns to the first sequence.
func newSequences(c *compiled) *state {
	st := &state{slot: &slot{}}
	st.slot.state.Store(st)
	st.buckets[0].cut.Store(math.MaxUint32) // no draw of a bucket is at its cut
	c.sequences = st
	c.sequence(&outcomes{}, &Sequence{})
	return st
}
