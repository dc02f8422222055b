package fastdraw

import (
	"sync/atomic"

	"github.com/gramfuzz/gramfuzz/internal/core"
)

// table holds the texts of a few derivations. It is filled once it was used often enough
// to pay for that. Until then each text is made from its rank.
type table struct {
	text  string // that each begins with
	items []item
	n     int
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

// fillAfter is the number of uses after which a table of n texts is filled.
func fillAfter(n int) int32 { return int32(1 + n/16) }

// fill makes the finished texts, if they do not take too much.
func (t *table) fill(s *compiled) {
	f := &texts{starts: make([]uint32, 1, t.n+1)}
	var w writing
	longest := 0
	for r := range t.n {
		f.bytes = t.append(f.bytes, &w, r)
		longest = max(longest, len(f.bytes)-int(f.starts[r]))
		f.starts = append(f.starts, uint32(len(f.bytes)))
		if len(f.bytes) > max(s.limits.Bytes, len(t.text)) {
			return // and never again: used has passed fillAfter
		}
	}
	if longest <= copyBlock {
		t.cells.store(s.storeTexts(f, longest))
		return
	}
	t.full.Store(f)
	s.add(int64(cap(f.bytes) + 4*cap(f.starts)))
}

// append appends the text of a rank to dst.
func (t *table) append(dst []byte, w *writing, rank int) []byte {
	return w.append(append(dst, t.text...), nil, t.items, rank, 0)
}

// writing writes down a derivation by its rank, in machine integers: the picker of one.
type writing struct {
	x   core.Expansion[smallRank]
	sp  *space
	m   *Recording
	dst []byte
}

// smallRank is a derivation of a node: its step, its rank, and the number of rules
// around it.
type smallRank struct{ step, rank, level int }

// append appends the text of derivation r of the items, level rules deep, to
// dst, and records its choices and depth in m unless that is nil.
func (w *writing) append(dst []byte, m *Recording, items []item, r, level int) []byte {
	w.m, w.dst = m, dst
	behind := 1 // derivations of the items behind an item, together
	for i := len(items) - 1; i > 0; i-- {
		behind *= items[i].count()
	}
	for i, it := range items {
		if i > 0 {
			behind /= it.count()
		}
		w.sp = it.sp
		if err := w.x.Run(it.sp.prog, it.id, smallRank{it.step, r / behind, level}, w); err != nil {
			panic(err) // the rank is not below the number of the items
		}
		r %= behind
	}
	return w.dst
}

// maxSmall is more texts than any table has.
const maxSmall = 1 << 30

// Enter makes a leaf. It implements [core.Picker], as do the other exported methods.
func (w *writing) Enter(_ core.NodeID, n *core.Node, k smallRank) (made bool, err error) {
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
	for size := 0; size <= k.step; size++ {
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
