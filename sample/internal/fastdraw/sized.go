package fastdraw

import (
	"context"

	"github.com/gramfuzz/gramfuzz/internal/core"
)

// nested is the size of a part, and the number of rules around it.
type nested struct{ size, level int }

// sizedDraw is the picker of one large part. It draws the part's text, and, unless m is nil,
// its choices and depth.
type sizedDraw struct {
	r     *Runner
	ctx   context.Context
	m     *Recording
	dst   []byte
	draws int
}

// Enter draws a part that has a slot. It implements [core.Picker], as do the other
// exported methods.
func (d *sizedDraw) Enter(id core.NodeID, n *core.Node, k nested) (made bool, err error) {
	d.draws++
	if d.draws&(checkEvery-1) == 0 && d.ctx.Err() != nil {
		return false, d.ctx.Err()
	}
	if k.size > d.r.p.o.Limits.Size && n.Op != core.Leaf {
		if d.r.Counts != nil {
			d.r.Counts[d.r.p.o.Places[id]]++
		}
		return false, nil
	}
	d.dst, err = d.r.atSlot(d.ctx, d.dst, d.m, d.r.c.entry(id, k.size), k.level)
	return true, err
}

func (d *sizedDraw) Choose(value int) { d.m.Choose(value) }

func (d *sizedDraw) Call(n *core.Node, k nested) nested {
	d.m.Deepen(k.level + n.Level)
	return nested{d.r.p.space.prog.Back(n, k.size), k.level + n.Level}
}

func (d *sizedDraw) Union(id core.NodeID, _ *core.Node, k nested) (int, nested, error) {
	i, err := d.r.Child(id, k.size)
	return i, k, err
}

func (d *sizedDraw) Product(id core.NodeID, _ *core.Node, k nested) (first, second nested, err error) {
	size, err := d.r.Split(id, k.size)
	return nested{size, k.level}, nested{k.size - size, k.level}, err
}

// Child draws one of the children of a union, of a size. The program's numbers are
// approximate.
func (r *Runner) Child(id core.NodeID, size int) (int, error) {
	sp := r.p.space
	nums, node := sp.nums.(*floatNumbers), &sp.prog.Nodes[id]
	last, many := -1, 0
	for i, k := range node.Children {
		if nums.has(k, size) {
			last = i
			many++
		}
	}
	if many == 1 {
		return last, nil // nothing to draw
	}
	total, e := nums.at(id, size)
	for _, k := range node.Children {
		if nums.has(k, size) {
			_, err := nums.at(k, size)
			e = max(e, err)
		}
	}
	u := r.Bits.Next()
	d := newCut(u, total, e+float64(len(node.Children)+8)*0x1p-52)
	cum := 0.0
	for i, k := range node.Children {
		if !nums.has(k, size) {
			continue
		}
		w, _ := nums.at(k, size)
		before := cum
		cum += w
		if d.below(cum) {
			if d.notBelow(before) {
				return i, nil
			}
			break
		}
	}
	return settleDraw(&r.Bits, u, len(node.Children), func(i int, level precision) (bounds, error) {
		return productBounds(sp, []item{{sp, node.Children[i], size}}, size, level)
	})
}

// Split draws the size of the first part of a product of size n, as Child does. It draws
// nothing for parts of fixed length. It searches from both ends at once, because the parts of
// most sentences are small or large.
func (r *Runner) Split(id core.NodeID, n int) (int, error) {
	sp := r.p.space
	nums, node := sp.nums.(*floatNumbers), &sp.prog.Nodes[id]
	a, b := node.Children[0], node.Children[1]
	u := r.Bits.Next()
	first, last := nums.f.Within(a, b, n)
	if first == last {
		return first, nil
	}
	total, _ := nums.at(id, n)
	d := newCut(u, total, nums.splitError(id, a, b, n))
	low, high := 0.0, 0.0
	for i, j := first, last; i <= j && d.known; i, j = i+1, j-1 {
		before := low
		low += nums.value(a, i) * nums.value(b, n-i)
		if low != before && d.below(low) {
			if d.notBelow(before) {
				return i, nil
			}
			break
		}
		if i == j {
			break
		}
		before = high
		high += nums.value(a, j) * nums.value(b, n-j)
		if high != before && d.reaches(high) {
			if d.falls(before) {
				return j, nil
			}
			break
		}
	}
	return settleDraw(&r.Bits, u, n+1, func(k int, level precision) (bounds, error) {
		return productBounds(sp, []item{{sp, a, k}, {sp, b, n - k}}, n, level)
	})
}

// cut compares a draw U with shares known up to a relative error. Every method returns true
// only if that is certain.
type cut struct {
	share float64 // share ≤ U < share + step
	total float64
	wide  float64 // 1 + three times the error: covers both sides and the rounding here
	known bool
}

// step is the part of a draw below the precision of a float64.
const step = 0x1p-53

func newCut(u uint64, total, e float64) cut {
	return cut{share: float64(u>>11) * step, total: total, wide: 1 + 3*e, known: e < 0.1 && total > 0}
}

// below reports that U < sum/total.
func (c cut) below(sum float64) bool {
	return c.known && (c.share+2*step)*c.total*c.wide <= sum
}

// notBelow reports that U ≥ sum/total.
func (c cut) notBelow(sum float64) bool {
	return sum == 0 || c.known && c.share*c.total >= sum*c.wide
}

// reaches reports that U ≥ 1 - sum/total.
func (c cut) reaches(sum float64) bool {
	return c.known && (1-c.share)*c.total*c.wide <= sum
}

// falls reports that U < 1 - sum/total.
func (c cut) falls(sum float64) bool {
	return sum == 0 || c.known && (1-c.share-2*step)*c.total >= sum*c.wide
}
