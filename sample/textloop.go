package sample

import (
	"context"
	"math/big"
	"math/bits"
	"slices"
	"unicode/utf8"
	"unsafe"

	"github.com/gramfuzz/gramfuzz/internal/core"
)

// runner draws sentences from a compiled program; one for each goroutine.
type runner struct {
	slots     *slots
	str       stream
	stack     []ret
	writing   writing
	scratch   []byte
	recording recording
	frames    []frame
	sized     sizedDraw
	parts     core.Expansion[nested]
	cells     []byte // those of the slots, as far as this runner knows
}

// checkEvery is the number of draws between looks at the context.
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

// settle returns the op that a draw at a slot leads to, where the buckets do not tell.
func (r *runner) settle(sl *slot, st *state, u uint64) (int, error) {
	i, settled := st.pick(u)
	if !settled {
		d, err := r.detail(sl)
		if err != nil {
			return 0, err
		}
		if i, err = d.settle(&r.str, u); err != nil {
			return 0, err
		}
	}
	return int(st.branches[i].start), nil
}

// copyBlock is the number of bytes copied at once for a text that is no longer: a fixed
// number of bytes is cheaper to copy than exactly n.
const copyBlock = 16

// ret is a return address: the op after one that drew at a slot.
type ret struct {
	st *state
	at int
}

// text draws the text of a slot. It allocates nothing once the slots that it
// passes are compiled and dst has room.
//
// Branches that the processor cannot predict cost the most time here. So an op takes
// opTexts texts without asking for their number or length, and the stack moves by
// op.stays: the compiler makes no branch of that.
func (r *runner) text(ctx context.Context, dst []byte, sl *slot) ([]byte, error) {
	all, g := r.cells, r.str.pcg
	buf, end := dst[:cap(dst)], len(dst)
	stack := append(r.stack[:0], ret{}) // below all is the end
	stack = stack[:cap(stack)]
	top := 0
	st := sl.state.Load()
	for draws := 1; ; draws++ {
		if st == nil || draws&(checkEvery-1) == 0 {
			var err error
			if st, err = r.load(sl); err == nil {
				err = ctx.Err()
			}
			if err != nil {
				return r.end(buf[:end], stack, g), err
			}
		}
		r.str.n++
		g = g.advance()
		u := g.output()
		at := 0
		if st.buckets == nil {
			dst = r.textOf(buf[:end], st, u)
			buf, end, all = dst[:cap(dst)], len(dst), r.cells
			if st, at = stack[top].st, stack[top].at; st == nil {
				return r.end(buf[:end], stack, g), nil
			}
			top--
		} else {
			var ok bool
			if at, ok = st.find(u); !ok {
				var err error
				if at, err = r.settle(sl, st, u); err != nil {
					return r.end(buf[:end], stack, g), err
				}
			}
		}
		for {
			o := &st.ops[at]
			if o.batch != 0 {
				r.str.n++
				g = g.advance()
				if u = g.output(); u*o.batch > -o.batch {
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
				dst, u = r.texts(buf[:end], st, at, u)
				buf, end, all = dst[:cap(dst)], len(dst), r.cells
			}
			stays := int(o.stays)
			if o.slot != nil {
				if top+1 >= len(stack) {
					stack = append(stack, ret{})
					stack = stack[:cap(stack)]
				}
				stack[top+1] = ret{st, at + 1}
				top += stays
				sl = o.slot
				st = o.to.Load()
				if st == nil {
					st = sl.state.Load()
					o.to.Store(st)
				}
				break
			}
			next := stack[top]
			at++
			if stays == 0 {
				at = next.at
			}
			if stays == 0 {
				st = next.st
			}
			top += stays - 1
			if st == nil {
				return r.end(buf[:end], stack, g), nil
			}
		}
	}
}

// end keeps the stack and the generator for the next draw.
func (r *runner) end(dst []byte, stack []ret, g pcg) []byte {
	r.stack, r.str.pcg = stack, g
	return dst
}

// textOf appends a text of a slot without ops.
func (r *runner) textOf(dst []byte, st *state, u uint64) []byte {
	if st.table == nil {
		return appendRune(dst, r.member(st.class, u))
	}
	rank, _ := bits.Mul64(r.drawn(u, uint64(st.table.n)), uint64(st.table.n))
	return r.tableText(dst, st.table, int(rank))
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

// texts appends the texts of an op, one table after the other, and remembers where
// their cells are once all have some.
func (r *runner) texts(dst []byte, st *state, at int, u uint64) (_ []byte, rest uint64) {
	o, known := &st.ops[at], true
	for i, t := range st.tables[at] {
		if t == nil {
			break
		}
		var rank uint64
		rank, u = bits.Mul64(u, uint64(t.n))
		dst = r.tableText(dst, t, int(rank))
		c := t.cells.load()
		known = known && c != 0
		o.cells[i].store(c)
	}
	if all := r.slots.cells.Load(); known && all != nil {
		r.cells = *all
		o.need.store(uint32(len(r.cells)))
	}
	return slices.Grow(dst, opTexts*copyBlock), u
}

// tableText appends a text of a table.
func (r *runner) tableText(dst []byte, t *table, rank int) []byte {
	if c := t.cells.load(); c != 0 {
		if uint(c) >= uint(len(r.cells)) {
			r.cells = *r.slots.cells.Load()
		}
		dst = slices.Grow(dst, copyBlock)
		return dst[:cell(unsafe.Pointer(unsafe.SliceData(dst)), len(dst), unsafe.Pointer(unsafe.SliceData(r.cells)), c, uint64(rank))]
	}
	if f := t.full.Load(); f != nil {
		return append(dst, f.bytes[f.starts[rank]:f.starts[rank+1]]...)
	}
	if t.used.Add(1) == fillAfter(t.n) {
		t.fill(r.slots)
	}
	return t.append(dst, &r.writing, rank)
}

func (r *runner) member(c *classDraw, u uint64) rune {
	return c.members.At(int(r.str.below(u, big.NewInt(int64(c.members.Len()))).Int64()))
}
