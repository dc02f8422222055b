package fastdraw

import (
	"container/heap"
	"math/big"
	"slices"
	"sync/atomic"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/core"
)

// space is a counted program: a set of derivations for every node and step.
type space struct {
	prog  *core.Program
	nums  Numbers
	w     *writer
	pure  []bool          // by node: no token below it whose text is drawn separately
	first int             // the number of its first node among those of all spaces
	steps int             // with entries in roles
	roles []atomic.Uint32 // by node and step, four bits each
}

func (f *Program) newSpace(p *core.Program, n Numbers, most int, w *writer) *space {
	sp := &space{prog: p, nums: n, w: w, pure: make([]bool, len(p.Nodes)), first: f.nodes, steps: most + 1}
	f.nodes += len(p.Nodes)
	sp.roles = make([]atomic.Uint32, (len(p.Nodes)*sp.steps+7)/8)
	for i := range sp.pure {
		sp.pure[i] = true
	}
	for changed := true; changed; {
		changed = false
		for id := len(p.Nodes) - 1; id >= 0; id-- {
			pure := !p.Nodes[id].IsToken()
			for _, k := range p.Nodes[id].Children {
				pure = pure && sp.pure[k]
			}
			if sp.pure[id] && !pure {
				sp.pure[id], changed = false, true
			}
		}
	}
	return sp
}

// item is a set of derivations from which one is drawn.
type item struct {
	sp   *space
	id   core.NodeID
	step int
}

// count returns the number of derivations of an item that is stored in a table.
func (it item) count() int {
	n, _ := it.sp.nums.small(it.id, it.step, maxSmall)
	return n
}

// Limits bounds the sizes of the parts of the compiled program. They trade fewer draws against
// cache use. They do not change any probability. But they do change the sentences of a seed,
// since they determine which decisions are made by one draw.
type Limits struct {
	// Size is the greatest size of parts drawn at slots, which keep their thresholds. Larger
	// parts would be too many to keep: each of their decisions is made from the numbers.
	Size     int
	Outcomes int // of one slot
	Texts    int // of one table of finished texts
	Bytes    int // of one such table
}

// small returns the number of texts of an item if they can be stored in a table.
func (l Limits) small(it item) (int, bool) {
	if !it.sp.pure[it.id] {
		return 0, false
	}
	return it.sp.nums.small(it.id, it.step, l.Texts)
}

// role is the treatment of an item within outcomes.
type role uint32

const (
	unknownRole role = iota
	stands           // drawn as it is: a leaf, or an item with few texts
	unfolds          // has one way to expand it
	splits           // has several ways
)

func (l Limits) role(sp *space, id core.NodeID, step int) role {
	if step >= sp.steps {
		return l.findRole(item{sp, id, step})
	}
	at := int(id)*sp.steps + step
	word, shift := &sp.roles[at/8], at%8*4
	if r := role(word.Load() >> shift & 15); r != unknownRole {
		return r
	}
	r := l.findRole(item{sp, id, step})
	word.Or(uint32(r) << shift)
	return r
}

func (l Limits) findRole(it item) role {
	if it.id == core.Empty {
		return unfolds
	}
	if _, small := l.small(it); small {
		return stands
	}
	node := &it.sp.prog.Nodes[it.id]
	switch {
	case node.Op == core.Leaf && node.Effect != core.NoEffect:
		if node.Ways[0].N > 1 {
			return stands
		}
		return unfolds
	case node.Op == core.Leaf && node.Expr.Op == grammar.Lit:
		return unfolds
	case node.Op == core.Leaf:
		return stands
	case node.Op == core.Call, node.Op == core.Prod && it.sp.prog.ByDepth():
		return unfolds
	}
	if it.sp.ways(it.id, it.step, 2) > 1 {
		return splits
	}
	return unfolds
}

// ways returns the number of ways to expand an inner node by one step, counting up to
// most.
func (sp *space) ways(id core.NodeID, step, most int) int {
	n := 0
	for i := sp.way(id, step, 0); i >= 0 && n < most; i = sp.way(id, step, i+1) {
		n++
	}
	return n
}

// way returns the first way with a number of at least i to expand an inner node that has
// derivations, or -1 if there is none. For a union it is the child, for a product the size of
// the first part.
func (sp *space) way(id core.NodeID, step, i int) int {
	switch node := &sp.prog.Nodes[id]; {
	case node.Op == core.Union:
		for ; i < len(node.Children); i++ {
			if sp.nums.has(node.Children[i], step) {
				return i
			}
		}
	case node.Op == core.Prod && !sp.prog.ByDepth():
		first, last := sp.nums.within(node.Children[0], node.Children[1], step)
		for i = max(i, first); i <= last; i++ {
			if sp.nums.has(node.Children[0], i) && sp.nums.has(node.Children[1], step-i) {
				return i
			}
		}
	case i == 0:
		return 0
	}
	return -1
}

// piece is a part of an outcome, level rules deep within the slot.
type piece struct {
	id    core.NodeID
	step  int32 // of an item; for a choice the index of the child
	level int32
	kind  pieceKind
}

type pieceKind int32

const (
	pieceItem   pieceKind = iota // a node still to be drawn
	pieceText                    // a leaf with one text
	pieceChoice                  // a union, and the child taken
	pieceMark                    // the mark of a token
)

// outcome is one of the mutually exclusive results of a draw: the set of derivations given by
// its pieces in order.
type outcome struct {
	from, to int32
	split    int32    // the first piece that a further draw would split; -1: none
	order    int32    // its creation order, which breaks ties
	depth    int32    // of the rules unfolded in it
	weight   *big.Int // exact number of derivations; nil where numbers are approximate
}

// outcomes are the outcomes of one draw. Their memory is reused for the next.
type outcomes struct {
	sp     *space
	limits Limits
	pieces []piece
	list   []outcome

	mark     string // text of a pieceMark
	open     openOutcomes
	todo     []piece
	splits   []split // by the order of outcomes
	path     []int32
	weights  []float64
	branches []branch

	places []int32 // those of the program while they are counted, else nil
	met    []int32 // kinds of the places unfolded
}

// split is the origin of an outcome: its parent and the way taken.
type split struct{ parent, way int32 }

func (e *outcomes) of(o *outcome) []piece { return e.pieces[o.from:o.to] }

// find lists the outcomes of one draw from an item. It starts with the item itself and splits
// the likeliest outcome as long as there are few enough. As in Tunstall's code (1967), that
// gives the most text per draw. If numbers are approximate, it splits the first outcome
// instead: the draws must not depend on precision.
func (e *outcomes) find(it item, l Limits) error {
	_, exact := it.sp.nums.(tableNumbers)
	e.sp, e.limits = it.sp, l
	e.pieces, e.list, e.open = e.pieces[:0], e.list[:0], e.open[:0]
	e.splits = append(e.splits[:0], split{})
	if err := e.put(e.root(it), exact); err != nil {
		return err
	}
	for next := int32(1); len(e.open) > 0; {
		o := e.open[0]
		p := e.pieces[o.from+o.split]
		room := l.Outcomes + 1 - len(e.open) - len(e.list)
		if next > 1 && e.sp.ways(p.id, int(p.step), room+1) > room {
			break
		}
		heap.Pop(&e.open)
		for i := e.sp.way(p.id, int(p.step), 0); i >= 0; i = e.sp.way(p.id, int(p.step), i+1) {
			c := e.child(&o, p, i)
			c.order = next
			next++
			e.splits = append(e.splits, split{o.order, int32(i)})
			if err := e.put(c, exact); err != nil {
				return err
			}
		}
	}
	e.list = append(e.list, e.open...)
	return nil
}

// again rebuilds the outcome of an item that the last of some splits made. It equals the
// result of find, except for its weight.
func (e *outcomes) again(it item, l Limits, splits []split, last int32) {
	e.sp, e.limits, e.pieces = it.sp, l, e.pieces[:0]
	e.path = e.path[:0]
	for ; last > 0; last = splits[last].parent {
		e.path = append(e.path, splits[last].way)
	}
	o := e.root(it)
	for _, way := range slices.Backward(e.path) {
		o = e.child(&o, e.pieces[o.from+o.split], int(way))
	}
	e.list = append(e.list[:0], o)
}

// root returns the outcome that consists of an item only.
func (e *outcomes) root(it item) outcome {
	e.todo = append(e.todo[:0], piece{id: it.id, step: int32(it.step)})
	return e.complete(outcome{}, 0, 0)
}

// child returns the outcome for one way of expanding p, the piece of o to be split.
func (e *outcomes) child(o *outcome, p piece, way int) outcome {
	c := outcome{from: int32(len(e.pieces)), depth: o.depth}
	e.pieces = append(e.pieces, e.pieces[o.from:o.from+o.split]...)
	e.todo = e.todo[:0]
	e.expand(&c, p, way)
	return e.complete(c, o.from+o.split+1, o.to)
}

// put adds an outcome to those that can be split further or to the finished ones.
func (e *outcomes) put(o outcome, exact bool) error {
	if exact {
		o.weight = big.NewInt(1)
		for _, p := range e.of(&o) {
			if p.kind != pieceItem {
				continue
			}
			w, err := e.sp.nums.exact(p.id, int(p.step))
			if err != nil {
				return err
			}
			o.weight.Mul(o.weight, w)
		}
	}
	if o.split < 0 {
		e.list = append(e.list, o)
	} else {
		heap.Push(&e.open, &o)
	}
	return nil
}

// expand pushes the pieces of a way of expanding an item on the work stack, the first one
// last.
func (e *outcomes) expand(o *outcome, p piece, way int) {
	sp, node, step := e.sp, &e.sp.prog.Nodes[p.id], int(p.step)
	e.meet(p.id)
	add := func(id core.NodeID, step, level int) {
		e.todo = append(e.todo, piece{id: id, step: int32(step), level: p.level + int32(level)})
	}
	switch {
	case node.Op == core.Call:
		add(node.Children[0], sp.prog.Back(node, step), node.Level)
		o.depth = max(o.depth, p.level+int32(node.Level))
	case node.Op == core.Union:
		add(node.Children[way], step, 0)
		if node.Values != nil {
			e.todo = append(e.todo, piece{id: p.id, step: int32(way), level: p.level, kind: pieceChoice})
		}
	case node.Op == core.Prod && sp.prog.ByDepth():
		add(node.Children[1], step, 0)
		add(node.Children[0], step, 0)
	case node.Op == core.Prod:
		add(node.Children[1], step-way, 0)
		add(node.Children[0], way, 0)
	case p.id != core.Empty:
		e.todo = append(e.todo, piece{id: p.id, step: p.step, level: p.level, kind: pieceText})
	}
}

// complete unfolds the pieces of an outcome that need no draw, and appends those of its parent
// after the split piece, from … to.
func (e *outcomes) complete(o outcome, from, to int32) outcome {
	o.split = -1
	for len(e.todo) > 0 {
		p := e.todo[len(e.todo)-1]
		e.todo = e.todo[:len(e.todo)-1]
		r := stands
		if p.kind == pieceItem {
			r = e.limits.role(e.sp, p.id, int(p.step))
		}
		if r == unfolds {
			e.expand(&o, p, max(0, e.sp.way(p.id, int(p.step), 0)))
			continue
		}
		if r == splits && o.split < 0 {
			o.split = int32(len(e.pieces)) - o.from
		}
		e.pieces = append(e.pieces, p)
	}
	behind := int32(len(e.pieces)) - o.from
	e.pieces = append(e.pieces, e.pieces[from:to]...)
	o.to = int32(len(e.pieces))
	for i, p := range e.pieces[from:to] {
		if o.split < 0 && p.kind == pieceItem && e.limits.role(e.sp, p.id, int(p.step)) == splits {
			o.split = behind + int32(i)
		}
	}
	return o
}

// before orders the outcomes that can be split: by likelihood, or by age.
func (o *outcome) before(p *outcome) bool {
	if o.weight != nil {
		if c := o.weight.Cmp(p.weight); c != 0 {
			return c > 0
		}
	}
	return o.order < p.order
}

// openOutcomes is a heap of the outcomes that can be split. Its slice order is the order of
// the outcomes that are never split.
type openOutcomes []outcome

func (h openOutcomes) Len() int           { return len(h) }
func (h openOutcomes) Less(i, j int) bool { return h[i].before(&h[j]) }
func (h openOutcomes) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *openOutcomes) Push(o any)        { *h = append(*h, *o.(*outcome)) }
func (h *openOutcomes) Pop() any          { *h = (*h)[:len(*h)-1]; return nil }
