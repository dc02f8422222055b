package sample

import (
	"context"
	"math/big"
	"math/bits"
	"slices"
	"unicode/utf8"
)

// runner draws sentences from a compiled program; one for each goroutine.
type runner struct {
	slots   *slots
	str     stream
	stack   []ret
	writing writing
	scratch []byte
	made    made
	frames  []frame
	items   []nested
	cells   []byte // those of the slots, as far as known here
}

// checkEvery is after how many draws the context is looked at.
const checkEvery = 1 << 12

func appendRune(dst []byte, r rune) []byte { return utf8.AppendRune(dst, r) }

// load returns the state of a slot, compiling it when it is first met.
func (r *runner) load(sl *slot) (*state, error) {
	if st := sl.state.Load(); st != nil {
		return st, nil
	}
	r.slots.mu.Lock()
	defer r.slots.mu.Unlock()
	return r.slots.compile(sl)
}

func (r *runner) detail(sl *slot) (*detail, error) {
	if d := sl.detail.Load(); d != nil {
		return d, nil
	}
	r.slots.mu.Lock()
	defer r.slots.mu.Unlock()
	return r.slots.detailOf(sl)
}

// settle settles a draw at a slot.
func (r *runner) settle(sl *slot, u uint64) (int, error) {
	d, err := r.detail(sl)
	if err != nil {
		return 0, err
	}
	return d.settle(&r.str, u)
}

// copyBlock is how many bytes are copied at once where a text is no longer.
const copyBlock = 16

// put appends text[at:at+n] to dst. Most texts are short: copying a fixed number
// of bytes is cheaper than finding out how to copy just n. What follows the text
// must be at least copyBlock bytes long.
func put(dst, text []byte, at, n int) []byte {
	end := len(dst)
	if n <= copyBlock && cap(dst)-end >= copyBlock {
		dst = dst[: end+copyBlock : cap(dst)]
		*(*[copyBlock]byte)(dst[end:]) = *(*[copyBlock]byte)(text[at:])
		return dst[:end+n]
	}
	return append(dst, text[at:at+n]...)
}

// ret is where to go on: the op after one that drew at a slot.
type ret struct {
	st *state
	at int
}

// text draws the text of a slot. It allocates nothing once the slots that it
// passes are compiled and dst has room.
func (r *runner) text(ctx context.Context, dst []byte, sl *slot) ([]byte, error) {
	stack := r.stack[:0]
	defer func() { r.stack = stack }()
	for draws := 0; ; draws++ {
		if draws&(checkEvery-1) == checkEvery-1 && ctx.Err() != nil {
			return dst, ctx.Err()
		}
		st := sl.state.Load()
		if st == nil {
			var err error
			if st, err = r.load(sl); err != nil {
				return dst, err
			}
		}
		u := r.str.next()
		at := -1
		switch {
		case st.branches != nil:
			i, settled := st.pick(u)
			if !settled {
				var err error
				if i, err = r.settle(sl, u); err != nil {
					return dst, err
				}
			}
			at = int(st.branches[i].start)
		case st.table != nil:
			rank, _ := bits.Mul64(r.drawn(u, uint64(st.table.n)), uint64(st.table.n))
			dst = r.tableText(dst, st.table, int(rank))
		default:
			dst = appendRune(dst, r.member(st.class, u))
		}
		if at < 0 {
			if st, at = r.pop(&stack); st == nil {
				return dst, nil
			}
		}
		for {
			o := &st.ops[at]
			if n := int(o.len &^ lastOp); n > 0 {
				dst = put(dst, st.blob, int(o.at), n)
			}
			if o.texts != 0 {
				if o.batch != 0 {
					u = r.draw(o.batch)
				}
				var rank uint64
				rank, u = bits.Mul64(u, uint64(o.texts))
				ok := false
				if cap(dst)-len(dst) >= copyBlock { // as opText, which is not inlined
					dst, ok = cell(dst, r.cells, o.cells.load(), rank)
				}
				if !ok {
					dst = r.lookUp(dst, o, int(rank))
				}
			} else if o.slot != nil {
				if o.len&lastOp == 0 {
					stack = append(stack, ret{st, at + 1})
				}
				sl = o.slot
				break
			}
			if at++; o.len&lastOp != 0 {
				if st, at = r.pop(&stack); st == nil {
					return dst, nil
				}
			}
		}
	}
}

// pop takes off the stack where to go on; nil at the end.
func (r *runner) pop(stack *[]ret) (*state, int) {
	top := len(*stack) - 1
	if top < 0 {
		return nil, 0
	}
	to := (*stack)[top]
	*stack = (*stack)[:top]
	return to.st, to.at
}

// draw makes a draw between n equally likely things: the high half of the
// product with n is the thing, and so on with the low half where n is a product.
// Where further bits of U matter they are taken, and the draw returned is one
// that leads to the same thing.
func (r *runner) draw(n uint64) uint64 {
	return r.drawn(r.str.next(), n)
}

// drawn is draw for bits that were taken already.
func (r *runner) drawn(u, n uint64) uint64 {
	if u*n <= -n {
		return u
	}
	return r.settleBatch(u, n)
}

func (r *runner) settleBatch(u, n uint64) uint64 {
	big1 := new(big.Int).SetUint64(n)
	rank := r.str.below(u, big1)
	rank.Lsh(rank, 64).Add(rank, big1).Sub(rank, bigOne) // rounded up
	return rank.Div(rank, big1).Uint64()
}

// opText appends a text of an op's table.
func (r *runner) opText(dst []byte, o *op, rank uint64) []byte {
	if cap(dst)-len(dst) >= copyBlock {
		if to, ok := cell(dst, r.cells, o.cells.load(), rank); ok {
			return to
		}
	}
	return r.lookUp(dst, o, int(rank))
}

// lookUp appends a text of an op's table, and remembers where its cells are.
func (r *runner) lookUp(dst []byte, o *op, rank int) []byte {
	t := o.slot.table
	dst = r.tableText(dst, t, rank)
	if c := t.cells.load(); c != 0 {
		o.cells.store(c)
	}
	return dst
}

// tableText appends a text of a table.
func (r *runner) tableText(dst []byte, t *table, rank int) []byte {
	if c := t.cells.load(); c != 0 {
		dst = slices.Grow(dst, copyBlock)
		to, ok := cell(dst, r.cells, c, uint64(rank))
		if !ok {
			r.cells = *r.slots.cells.Load()
			to, _ = cell(dst, r.cells, c, uint64(rank))
		}
		return to
	}
	if f := t.full.Load(); f != nil {
		from := f.starts[rank]
		return put(dst, f.bytes, int(from), int(f.starts[rank+1]-from))
	}
	if t.used.Add(1) == fillAfter(t.n) {
		t.fill(r.slots)
	}
	return r.writing.append(dst, nil, t.items, rank, 0)
}

func (r *runner) member(c *classDraw, u uint64) rune {
	return c.members.At(int(r.str.below(u, big.NewInt(int64(c.members.Len()))).Int64()))
}
