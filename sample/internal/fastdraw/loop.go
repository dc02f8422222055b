package fastdraw

import (
	"context"
	"math/big"
	"math/bits"
	"slices"
	"unsafe"

	"github.com/gramfuzz/gramfuzz/internal/base/rawbyte"
	"github.com/gramfuzz/gramfuzz/sample/internal/randombits"
)

// checkEvery is the number of draws between looks at the context.
const checkEvery = 1 << 12

// copyBlock is the number of bytes copied at once for a text of at most that length: copying a
// fixed number of bytes is cheaper than copying exactly n.
const copyBlock = 16

// ret is a return address: the op after one with a slot.
type ret struct {
	st *state
	at int
}

// text draws the text of a slot, and records its steps if r.traced is set. It allocates
// nothing once the slots on its way are compiled and dst has enough capacity.
//
// Mispredicted branches cost the most time here. So an op takes opTexts texts regardless of
// their number or length, and the stack moves by op.stays, which compiles to no branch. Variables
// beyond the registers cost the next most. So the seldom needed ones are fields of r.
func (r *Runner) text(ctx context.Context, dst []byte, sl *slot) ([]byte, error) {
	r.look = r.Bits.N + checkEvery
	buf, all := r.room(dst)
	end, g := len(dst), r.Bits.PCG
	top := 0
	if len(r.queue) != 0 {
		top = r.enqueue()
	}
	st := sl.state.Load()
	if st == nil {
		st, r.look = r.c.begin(sl), 0
	}
	for {
		if r.Bits.N >= r.look {
			if err := ctx.Err(); err != nil {
				return r.end(buf[:end], g), err
			}
			r.look = r.Bits.N + checkEvery
		}
		r.Bits.N++
		g = g.Advance()
		u := g.Output()
		at := st.buckets.find(u)
		if at == noStart {
			if st.table != nil || st.class != nil {
				dst = r.textOf(buf[:end], st, u)
				buf, all = r.room(dst)
				end = len(dst)
				st, at = r.stack[top].st, r.stack[top].at
				if st == nil {
					return r.end(buf[:end], g), nil
				}
				top--
			} else {
				var err error
				if at, err = r.first(st, u); err != nil {
					return r.end(buf[:end], g), err
				}
			}
		}
		for {
			o := st.op(at)
			if o.batch != 0 {
				r.Bits.N++
				g = g.Advance()
				u = g.Output()
				if u*o.batch > -o.batch {
					u = r.settleBatch(u, o.batch)
				}
			}
			if uint(o.need.load()) <= uint(len(all)) && len(buf)-end >= opTexts*copyBlock {
				to, from := unsafe.Pointer(unsafe.SliceData(buf)), unsafe.Pointer(unsafe.SliceData(all))
				var rank uint64
				rank, u = bits.Mul64(u, uint64(o.texts[0]))
				end = cell(to, end, from, o.cells[0].load(), rank)
				rank, u = bits.Mul64(u, uint64(o.texts[1]))
				end = cell(to, end, from, o.cells[1].load(), rank)
				rank, u = bits.Mul64(u, uint64(o.texts[2]))
				end = cell(to, end, from, o.cells[2].load(), rank)
				rank, u = bits.Mul64(u, uint64(o.texts[3]))
				end = cell(to, end, from, o.cells[3].load(), rank)
			} else {
				var err error
				if dst, u, err = r.texts(buf[:end], st, at, u); err != nil {
					return r.end(dst, g), err
				}
				buf, all = r.room(dst)
				end = len(dst)
			}
			stays := int(o.stays)
			if o.slot != nil {
				if top+1 >= len(r.stack) {
					r.deepen()
				}
				r.stack[top+1] = ret{st, at + 1}
				top += stays
				st = o.to.Load()
				if st == nil {
					st = r.enter(o)
				}
				break
			}
			next := &r.stack[top]
			at++
			if stays == 0 {
				at = next.at
			}
			if stays == 0 {
				st = next.st
			}
			top += stays - 1
			if st == nil {
				return r.end(buf[:end], g), nil
			}
		}
	}
}

// deepen enlarges the stack. It is not inlined: that would take registers.
//
//go:noinline
func (r *Runner) deepen() {
	r.stack = append(r.stack, ret{})
	r.stack = r.stack[:cap(r.stack)]
}

// enqueue puts the returns of the sequences on the empty stack and returns its top.
func (r *Runner) enqueue() int {
	for len(r.stack) <= len(r.queue) {
		r.deepen()
	}
	copy(r.stack[1:], r.queue)
	return len(r.queue)
}

// enter returns the state of an op's slot, where the op does not have it yet.
func (r *Runner) enter(o *op) *state {
	st := o.slot.state.Load()
	if st == nil {
		st = r.c.begin(o.slot)
		r.look = 0 // compiling takes time
	}
	o.to.Store(st)
	return st
}

// watchFirst is the length of a text before its first check, and the growth before each
// further check.
const watchFirst = 8

// room returns dst with the capacity that the loop may use, and the cells that it may copy from:
// for a watched text so little capacity that the loop leaves its fast path in time, and while
// steps are recorded no cells, so that it never enters it.
func (r *Runner) room(dst []byte) (buf, all []byte) {
	buf, all = dst[:cap(dst)], r.cells
	if r.Watch != nil {
		buf = dst[:max(min(cap(dst), r.watchAt+opTexts*copyBlock), len(dst))]
	}
	if r.traced {
		all = nil
	}
	return buf, all
}

// end saves the generator for the next draw.
func (r *Runner) end(dst []byte, g randombits.PCG) []byte {
	r.Bits.PCG = g
	return dst
}

// textOf appends a text of a slot without ops.
func (r *Runner) textOf(dst []byte, st *state, u uint64) []byte {
	if st.table == nil {
		c := st.members.At(r.Bits.Pick(u, st.members.Len()))
		if r.traced {
			r.trace = append(r.trace, visit{st, uint64(c), 0})
		}
		return append(rawbyte.Append(dst, c), st.slot.mark...)
	}
	n := uint64(st.table.n)
	if u*n > -n {
		u = r.settleBatch(u, n)
	}
	rank, _ := bits.Mul64(u, n)
	if r.traced {
		r.trace = append(r.trace, visit{st, rank, 0})
	}
	return r.tableText(dst, st.table, int(rank))
}

// settleBatch draws uniformly from n where further bits of U matter. The high half of the
// product of a draw with n is the result; the low half continues where n is a product. It
// returns a draw with the same result.
func (r *Runner) settleBatch(u, n uint64) uint64 {
	big1 := new(big.Int).SetUint64(n)
	rank := r.Bits.Below(u, big1)
	rank.Lsh(rank, 64).Add(rank, big1).Sub(rank, one) // rounded up
	return rank.Div(rank, big1).Uint64()
}

// texts appends the texts of an op, one per table, records the op, and shows the texts to Watch.
func (r *Runner) texts(dst []byte, st *state, at int, u uint64) (_ []byte, rest uint64, err error) {
	if r.traced {
		r.trace = append(r.trace, visit{st, u, at})
	}
	if o := st.op(at); uint(o.need.load()) <= uint(len(r.cells)) {
		dst = slices.Grow(dst, opTexts*copyBlock)
		to, from, end := unsafe.Pointer(unsafe.SliceData(dst)), unsafe.Pointer(unsafe.SliceData(r.cells)), len(dst)
		for i := range opTexts {
			var rank uint64
			rank, u = bits.Mul64(u, uint64(o.texts[i]))
			end = cell(to, end, from, o.cells[i].load(), rank)
		}
		dst = dst[:end]
	} else {
		dst, u = r.newTexts(dst, st, at, u)
	}
	if r.Watch != nil && len(dst) > r.watchAt {
		if err := r.Watch(dst); err != nil {
			return dst, u, err
		}
		r.watchAt = len(dst) + watchFirst
	}
	return slices.Grow(dst, opTexts*copyBlock), u, nil
}

// newTexts appends the texts of an op whose cells are not known, and stores their places once all
// have some.
func (r *Runner) newTexts(dst []byte, st *state, at int, u uint64) (_ []byte, rest uint64) {
	o, known := st.op(at), true
	for i, t := range (*st.tables.Load())[at] {
		if t == nil {
			break
		}
		var rank uint64
		rank, u = bits.Mul64(u, uint64(t.n))
		dst = r.tableText(dst, t, int(rank))
		if c := t.cells.load(); c != 0 {
			o.cells[i].store(c)
		} else {
			known = false // another goroutine may know by now; its stores stay
		}
	}
	if all := r.c.cells.Load(); known && all != nil {
		r.cells = *all
		o.need.store(uint32(len(r.cells)))
	}
	return dst, u
}

// tableText appends a text of a table.
func (r *Runner) tableText(dst []byte, t *table, rank int) []byte {
	if c := t.cells.load(); c != 0 {
		if uint(c) >= uint(len(r.cells)) {
			r.cells = *r.c.cells.Load()
		}
		dst = slices.Grow(dst, copyBlock)
		return dst[:cell(unsafe.Pointer(unsafe.SliceData(dst)), len(dst), unsafe.Pointer(unsafe.SliceData(r.cells)), c, uint64(rank))]
	}
	if f := t.full.Load(); f != nil {
		return append(dst, f.bytes[f.starts[rank]:f.starts[rank+1]]...)
	}
	if t.used.Add(1) == fillAfter(t.n) {
		r.filling.fill(t, r.c)
	}
	return t.append(dst, &r.writing, rank)
}
