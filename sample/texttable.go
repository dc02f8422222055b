package sample

import (
	"sync/atomic"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/core"
)

// table holds the texts of a few derivations. It is filled once it was used often enough
// to pay for that. Until then each text is made from its rank.
type table struct {
	text  string // that each begins with
	items []item
	n     int
	most  int // bytes that the finished texts may take
	used  atomic.Int32
	cells cells                 // of the texts, if none is long
	full  atomic.Pointer[texts] // or else here

	asked   atomic.Int32 // as used, for the records of the texts
	records atomic.Pointer[textRecords]
}

// texts are finished texts, one after the other.
type texts struct {
	bytes  []byte
	starts []uint32
}

func newTable(items []item, n int, l limits) *table {
	return &table{items: items, n: n, most: l.bytes}
}

// fillAfter is the number of uses after which a table of n texts is filled.
func fillAfter(n int) int32 { return int32(1 + n/16) }

// fill makes the finished texts, if they do not take too much.
func (t *table) fill(s *slots) {
	f := &texts{starts: make([]uint32, 1, t.n+1)}
	var w writing
	longest := 0
	for r := range t.n {
		f.bytes = t.append(f.bytes, &w, r)
		longest = max(longest, len(f.bytes)-int(f.starts[r]))
		f.starts = append(f.starts, uint32(len(f.bytes)))
		if len(f.bytes) > t.most {
			return // and never again: used has passed fillAfter
		}
	}
	if longest <= copyBlock {
		t.cells.store(s.storeTexts(f, longest))
		return
	}
	t.full.Store(f)
}

// append appends the text of a rank to dst.
func (t *table) append(dst []byte, w *writing, rank int) []byte {
	return w.append(append(dst, t.text...), nil, t.items, rank, 0)
}

// writing writes down a derivation by its rank, in machine integers.
type writing struct {
	stack []ranked
}

type ranked struct {
	it    item
	r     int
	level int
}

// append appends the text of derivation r of the items, level rules deep, to
// dst, and records its choices and depth in m unless that is nil.
func (w *writing) append(dst []byte, m *recording, items []item, r, level int) []byte {
	w.stack = w.stack[:0]
	for i := len(items) - 1; i >= 0; i-- {
		n, _ := items[i].sp.nums.small(items[i].id, items[i].step, maxSmall)
		w.stack = append(w.stack, ranked{items[i], r % n, level})
		r /= n
	}
	for len(w.stack) > 0 {
		k := w.stack[len(w.stack)-1]
		w.stack = w.stack[:len(w.stack)-1]
		dst = w.step(dst, m, k)
	}
	return dst
}

// maxSmall is more texts than any table has.
const maxSmall = 1 << 30

func (w *writing) step(dst []byte, m *recording, k ranked) []byte {
	it := k.it
	node := &it.sp.prog.Nodes[it.id]
	nums := it.sp.nums
	switch node.Op {
	case core.Leaf:
		m.leaf(it.sp.prog, node, it.step, k.r)
		switch {
		case node.Expr == nil:
		case node.Effect != core.NoEffect:
			dst = it.sp.syms.append(dst, node, k.r)
		case node.Expr.Op == grammar.Lit:
			dst = it.sp.syms.literal(dst, node.Expr.Text)
		default:
			dst = appendRune(dst, node.Expr.Member(it.sp.prog.Member(node.Expr, it.step, k.r)))
		}
	case core.Call:
		back := node.Size
		if it.sp.byDepth() {
			back = node.Level
		}
		w.stack = append(w.stack, ranked{item{it.sp, node.Children[0], it.step - back}, k.r, k.level + node.Level})
		m.deepen(k.level + node.Level)
	case core.Union:
		r := k.r
		for i, child := range node.Children {
			n, _ := nums.small(child, it.step, maxSmall)
			if r >= n {
				r -= n
				continue
			}
			if node.Values != nil {
				m.choose(node.Values[i])
			}
			w.stack = append(w.stack, ranked{item{it.sp, child, it.step}, r, k.level})
			break
		}
	case core.Prod:
		w.product(it, node, k.r, k.level)
	}
	return dst
}

func (w *writing) product(it item, node *core.Node, r, level int) {
	nums, a, b := it.sp.nums, node.Children[0], node.Children[1]
	if it.sp.byDepth() {
		n, _ := nums.small(b, it.step, maxSmall)
		w.stack = append(w.stack, ranked{item{it.sp, b, it.step}, r % n, level}, ranked{item{it.sp, a, it.step}, r / n, level})
		return
	}
	for size := 0; ; size++ {
		if !nums.has(a, size) || !nums.has(b, it.step-size) {
			continue
		}
		x, _ := nums.small(a, size, maxSmall)
		y, _ := nums.small(b, it.step-size, maxSmall)
		if r < x*y {
			w.stack = append(w.stack, ranked{item{it.sp, b, it.step - size}, r % y, level}, ranked{item{it.sp, a, size}, r / y, level})
			return
		}
		r -= x * y
	}
}
