package fastdraw

import (
	"bytes"
	"slices"
	"sync/atomic"

	"github.com/gramfuzz/gramfuzz/internal/core"
)

// table holds the texts of a few derivations. It is filled after enough uses to pay for that.
// Until then each text is made from its rank.
type table struct {
	text  string // common prefix of the texts
	items []item
	n     int
	used  atomic.Int32
	cells cells                 // of the texts, if all are short
	full  atomic.Pointer[texts] // or here otherwise

	asked   atomic.Int32 // like used, for the records of the texts
	records atomic.Pointer[textRecords]

	counted atomic.Int32 // like used, for the places of the texts
	tally   atomic.Pointer[textTally]
}

// texts are finished texts, one after the other.
type texts struct {
	bytes  []byte
	starts []uint32
}

// fillAfter is the number of uses after which a table of n texts is filled.
func fillAfter(n int) int32 { return int32(1 + n/16) }

// filling makes the texts of tables. Its memory is reused.
type filling struct {
	most int // bytes of all texts together
	free []*texts
}

// fill makes the finished texts unless they take too much memory.
func (x *filling) fill(t *table, s *compiled) {
	x.most = max(s.limits.Bytes, len(t.text))
	f := x.take()
	defer func() { x.free = append(x.free, f) }()
	f.bytes = append(f.bytes, t.text...)
	fits := x.end(f)
	for _, it := range t.items {
		list, both := x.take(), x.take()
		fits = fits && x.all(list, it.sp, it.id, it.step) && x.pairs(both, f, list)
		x.free = append(x.free, f, list)
		f = both
	}
	if !fits {
		return // never retried: used has passed fillAfter
	}
	longest := uint32(0)
	for i := range t.n {
		longest = max(longest, f.starts[i+1]-f.starts[i])
	}
	if longest <= copyBlock {
		t.cells.store(s.storeTexts(f, int(longest)))
		return
	}
	t.full.Store(&texts{bytes.Clone(f.bytes), slices.Clone(f.starts)})
	s.add(int64(len(f.bytes) + 4*len(f.starts)))
}

// take returns an empty list of texts.
func (x *filling) take() *texts {
	last := len(x.free) - 1
	if last < 0 {
		return &texts{starts: make([]uint32, 1)}
	}
	f := x.free[last]
	x.free = x.free[:last]
	f.bytes, f.starts = f.bytes[:0], f.starts[:1]
	return f
}

// end ends a text and reports whether all texts are short enough.
func (x *filling) end(f *texts) bool {
	f.starts = append(f.starts, uint32(len(f.bytes)))
	return len(f.bytes) <= x.most
}

// pairs adds every text of a followed by every text of b.
func (x *filling) pairs(f, a, b *texts) bool {
	for i := range len(a.starts) - 1 {
		for j := range len(b.starts) - 1 {
			f.bytes = append(append(f.bytes, a.bytes[a.starts[i]:a.starts[i+1]]...), b.bytes[b.starts[j]:b.starts[j+1]]...)
			if !x.end(f) {
				return false
			}
		}
	}
	return true
}

// all adds the texts of all derivations of a node, by rank.
func (x *filling) all(f *texts, sp *space, id core.NodeID, step int) bool {
	switch n := &sp.prog.Nodes[id]; {
	case n.Op == core.Leaf:
		ways, _ := sp.nums.small(id, step, maxSmall)
		for way := range ways {
			f.bytes = sp.w.leaf(f.bytes, nil, sp.prog, n, step, way)
			if !x.end(f) {
				return false
			}
		}
	case n.Op == core.Call:
		return x.all(f, sp, n.Children[0], sp.prog.Back(n, step))
	case n.Op == core.Prod && sp.prog.ByDepth():
		return x.product(f, sp, n, step, step)
	default:
		for i := sp.way(id, step, 0); i >= 0; i = sp.way(id, step, i+1) {
			if n.Op == core.Union && !x.all(f, sp, n.Children[i], step) || n.Op == core.Prod && !x.product(f, sp, n, i, step-i) {
				return false
			}
		}
	}
	return true
}

// product adds the texts of a product by the steps of its parts.
func (x *filling) product(f *texts, sp *space, n *core.Node, first, second int) bool {
	a, b := x.take(), x.take()
	fits := x.all(a, sp, n.Children[0], first) && x.all(b, sp, n.Children[1], second) && x.pairs(f, a, b)
	x.free = append(x.free, a, b)
	return fits
}

// append appends the text of a rank to dst.
func (t *table) append(dst []byte, w *writing, rank int) []byte {
	return w.append(append(dst, t.text...), nil, t.items, rank, 0)
}

// writing writes a derivation by its rank, in machine integers. It is the picker of one
// derivation.
type writing struct {
	x   core.Expansion[smallRank]
	sp  *space
	m   *Recording
	dst []byte

	places []int32 // those of the program while they are counted, else nil
	met    []int32 // kinds of the places met
}

// smallRank is a derivation of a node: its step, its rank, and the number of rules
// around it.
type smallRank struct{ step, rank, level int }

// append appends the text of derivation r of the items, level rules deep, to
// dst, and records its choices and depth in m unless that is nil.
func (w *writing) append(dst []byte, m *Recording, items []item, r, level int) []byte {
	w.m, w.dst = m, dst
	behind := 1 // number of derivations of the items after an item
	for i := len(items) - 1; i > 0; i-- {
		behind *= items[i].count()
	}
	for i, it := range items {
		if i > 0 {
			behind /= it.count()
		}
		w.sp = it.sp
		if err := w.x.Run(it.sp.prog, it.id, smallRank{it.step, r / behind, level}, w); err != nil {
			panic(err) // the rank is not below the number of derivations
		}
		r %= behind
	}
	return w.dst
}

// maxSmall is greater than the number of texts of any table.
const maxSmall = 1 << 30

// Enter makes a leaf. It implements [core.Picker], as do the other exported methods.
func (w *writing) Enter(id core.NodeID, n *core.Node, k smallRank) (made bool, err error) {
	if w.places != nil && w.places[id] != 0 {
		w.met = append(w.met, w.places[id])
	}
	if n.Op != core.Leaf {
		return false, nil
	}
	w.dst = w.sp.w.leaf(w.dst, w.m, w.sp.prog, n, k.step, k.rank)
	return true, nil
}

func (w *writing) Choose(value int) { w.m.Choose(value) }

func (w *writing) Call(n *core.Node, k smallRank) smallRank {
	w.m.Deepen(k.level + n.Level)
	return smallRank{w.sp.prog.Back(n, k.step), k.rank, k.level + n.Level}
}

func (w *writing) Union(_ core.NodeID, n *core.Node, k smallRank) (child int, next smallRank, err error) {
	for i, child := range n.Children {
		c, _ := w.sp.nums.small(child, k.step, maxSmall)
		if k.rank < c {
			return i, k, nil
		}
		k.rank -= c
	}
	return 0, k, core.ErrOutside
}

func (w *writing) Product(_ core.NodeID, n *core.Node, k smallRank) (first, second smallRank, err error) {
	nums, a, b := w.sp.nums, n.Children[0], n.Children[1]
	first, second = k, k
	if w.sp.prog.ByDepth() {
		c, _ := nums.small(b, k.step, maxSmall)
		first.rank, second.rank = k.rank/c, k.rank%c
		return first, second, nil
	}
	least, most := nums.within(a, b, k.step)
	for size := least; size <= most; size++ {
		if !nums.has(a, size) || !nums.has(b, k.step-size) {
			continue
		}
		x, _ := nums.small(a, size, maxSmall)
		y, _ := nums.small(b, k.step-size, maxSmall)
		if k.rank < x*y {
			return smallRank{size, k.rank / y, k.level}, smallRank{k.step - size, k.rank % y, k.level}, nil
		}
		k.rank -= x * y
	}
	return k, k, core.ErrOutside
}
