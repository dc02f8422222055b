package sample

import (
	"math"
	"math/big"
	"math/bits"
	"slices"
	"sync/atomic"

	"github.com/gramfuzz/gramfuzz/internal/core"
	"github.com/gramfuzz/gramfuzz/sample/internal/fastdraw"
)

// contexts keeps what is needed again to draw contexts: the shares of the ways upwards, and
// the parts beside the path, compiled. It is safe for concurrent use. When it takes more than
// its memory, draws begin anew with an empty one.
type contexts struct {
	draws    rows[contextDraw]
	segments rows[segment]
	belows   rows[fastdraw.Sequence]
	used     atomic.Int64 // bytes, approximately
}

// contextsMemory bounds the contexts of one pointing, in bytes.
const contextsMemory = 64 << 20

// rows is a table by node and a small number, made as it is needed.
type rows[T any] []atomic.Pointer[[]atomic.Pointer[T]]

// contextDraw is the draw of a way upwards from a node in a context of one size. With one way,
// nothing is drawn.
type contextDraw struct {
	shares shares
	ways   []upward
}

// upward is a parent of a node, by its index among the node's parents, and the step of the
// sibling there. A negative parent is the start, which has no context.
type upward struct{ parent, step int32 }

// segment is a way upwards, together with the ways above that are the only ones in every
// context. Its parts before and after the path are sequences.
type segment struct {
	left, right *fastdraw.Sequence // nil: none
	large       core.NodeID        // sibling too large for a sequence, which is beside the path at its end; core.None: none
	before      bool               // the large sibling is before the path
	within      int                // the number of rules between the top and the large sibling
	rise        int                // and between the top and the end
	places      []int32            // kinds of the places on the path
	top         core.NodeID
	taken       int // by size: size of what is beside the path, but for the step of the way; by depth: levels
}

func newContexts(p *pointing) *contexts {
	n := len(p.prog.Nodes)
	return &contexts{draws: make(rows[contextDraw], n), segments: make(rows[segment], n), belows: make(rows[fastdraw.Sequence], n)}
}

// entry returns the entry i of a node, whose row has a length.
func entry[T any](c *contexts, p *pointing, r rows[T], id core.NodeID, i, length int) *atomic.Pointer[T] {
	row := r[id].Load()
	if row == nil {
		made := make([]atomic.Pointer[T], length)
		if r[id].CompareAndSwap(nil, &made) {
			c.add(p, 8*length)
		}
		row = r[id].Load()
	}
	return &(*row)[i]
}

// add records allocated memory, and begins anew if it is too much.
func (c *contexts) add(p *pointing, bytes int) {
	if c.used.Add(int64(bytes)) > contextsMemory {
		p.cache.CompareAndSwap(c, newContexts(p))
	}
}

// small reports whether parts of a step have slots, so that what is beside them is kept.
func (p *pointing) small(step int) bool { return p.prog.ByDepth() || step <= p.largest }

// rowLength is the number of steps for which parts are kept.
func (p *pointing) rowLength() int {
	if p.prog.ByDepth() {
		return p.most + 1
	}
	return min(p.most, p.largest) + 1
}

// upwards appends the options for a context of a node to options, and their ways to ways. An
// option is nothing, at the start, or the context of a parent and the node's sibling there.
func (p *pointing) upwards(options []option, ways []upward, id core.NodeID, at int) ([]option, []upward) {
	depth := p.prog.ByDepth()
	if id == p.prog.Root && (depth && at == p.s.o.Bound.Depth || !depth && at == 0) {
		options, ways = append(options, option{}), append(ways, upward{parent: -1})
	}
	for i, up := range p.parents[id] {
		n := &p.prog.Nodes[up.ID]
		o := option{around: up.ID, context: at}
		least, most := 0, 0
		switch {
		case n.Op == core.Call && depth:
			o.context += n.Level
		case n.Op == core.Call:
			o.context, o.consumed = at-n.Size, n.Size
		case n.Op == core.Prod && depth:
			o.first, least, most = n.Sibling(up.Child), at, at
		case n.Op == core.Prod:
			o.first = n.Sibling(up.Child)
			least, most = p.nums.steps(o.first, at)
		}
		for o.step = least; o.step <= most; o.step++ {
			if n.Op == core.Prod && !depth {
				o.context = at - o.step
			}
			if p.possible(&o) {
				options, ways = append(options, o), append(ways, upward{int32(i), int32(o.step)})
			}
		}
	}
	return options, ways
}

func (p *pointing) possible(o *option) bool {
	return o.context >= 0 && o.context <= p.most && p.nums.hasContext(o.around, o.context) &&
		(o.first == core.None || p.nums.has(o.first, o.step))
}

// context returns the context of the top of a segment that begins in the context at.
func (s *segment) context(p *pointing, w upward, at int) int {
	if p.prog.ByDepth() {
		return at + s.taken
	}
	return at - s.taken - int(w.step)
}

// segment returns the segment of a way upwards from a node in a context.
func (c *contexts) segment(p *pointing, id core.NodeID, w upward, at int) *segment {
	// Siblings that are too large share a segment without them.
	length := p.rowLength()
	i, large := int(w.step), !p.small(int(w.step))
	switch {
	case p.prog.ByDepth():
		i = at
	case large:
		i = length
	}
	slot := entry(c, p, c.segments, id, int(w.parent)*(length+1)+i, len(p.parents[id])*(length+1))
	if made := slot.Load(); made != nil {
		return made
	}
	s := p.newSegment(id, w, at, large)
	slot.Store(s)
	c.add(p, segmentSize)
	return s
}

// Sizes in bytes, approximately.
const (
	segmentSize  = 600
	sequenceSize = 150
)

// edge is an edge that a segment goes up by: the parent, and the step of the node's sibling.
type edge struct {
	core.Parent
	step int
}

func (p *pointing) newSegment(id core.NodeID, w upward, at int, large bool) *segment {
	s := &segment{large: core.None}
	edges := p.edges(s, edge{p.parents[id][w.parent], int(w.step)}, at)
	var left, right fastdraw.Sequence
	levels := make([]int, len(edges))
	level := 0
	for i, e := range slices.Backward(edges) {
		n := &p.prog.Nodes[e.ID]
		if kind := p.placeOf[e.ID]; kind > 0 {
			s.places = append(s.places, kind)
		}
		levels[i] = level
		switch {
		case n.Op == core.Call:
			level += n.Level
			left.Deepen(level)
		case n.Op == core.Union:
			left.Choose(p.prog, e.ID, e.Child)
		case large && i == 0:
			s.large, s.before, s.within = n.Sibling(e.Child), e.Child == 1, level
		case e.Child == 1:
			left.Add(n.Sibling(1), e.step, level)
		}
	}
	s.rise = level
	for i, e := range edges {
		n := &p.prog.Nodes[e.ID]
		if n.Op == core.Prod && e.Child == 0 && !(large && i == 0) {
			right.Add(n.Sibling(0), e.step, levels[i])
		}
	}
	if !left.Empty() {
		s.left = &left
	}
	if !right.Empty() {
		s.right = &right
	}
	return s
}

// edges returns the edges of a segment that begins with one, from the context at, and stores
// where they end.
func (p *pointing) edges(s *segment, first edge, at int) []edge {
	edges := []edge{first}
	depth := p.prog.ByDepth()
	for {
		last := edges[len(edges)-1]
		if n := &p.prog.Nodes[last.ID]; n.Op == core.Call && depth {
			s.taken += n.Level
		} else if n.Op == core.Call {
			s.taken += n.Size
		} else if n.Op == core.Prod && !depth && len(edges) > 1 {
			s.taken += last.step
		}
		s.top = last.ID
		if s.top == p.prog.Root || len(p.parents[s.top]) != 1 {
			return edges
		}
		e := edge{Parent: p.parents[s.top][0]}
		if n := &p.prog.Nodes[e.ID]; n.Op == core.Prod {
			e.step = at + s.taken
			if !depth {
				least, most := p.nums.steps(n.Sibling(e.Child), p.most)
				if least != most || !p.small(least) {
					return edges
				}
				e.step = least
			}
		}
		edges = append(edges, e)
	}
}

// below returns the sequence of a node at a step; nil: it is too large.
func (c *contexts) below(p *pointing, id core.NodeID, step int) *fastdraw.Sequence {
	if !p.small(step) {
		return nil
	}
	slot := entry(c, p, c.belows, id, step, p.rowLength())
	s := slot.Load()
	if s == nil {
		s = &fastdraw.Sequence{}
		s.Add(id, step, 0)
		slot.Store(s)
		c.add(p, sequenceSize)
	}
	return s
}

// bytes is the approximate memory of a draw.
func (c *contextDraw) bytes() int { return 150 + 8*len(c.ways) + c.shares.bytes() }

// shares is the thresholds between options, in 64-bit draws.
type shares struct {
	cuts  []uint64 // ascending: where an option ends, but for the last
	slack uint64   // bounds the error of each; none for exact ones, which are rounded down
	guide []uint32 // by first bits of a draw: the first option that ends after all these bits' least draw
}

func (s *shares) bytes() int { return 8*len(s.cuts) + 4*len(s.guide) }

// approximate computes the shares of weights that have at most a relative error. It returns
// their sum.
func (s *shares) approximate(weights []float64, worst float64) (total float64) {
	sum := 0.0
	for _, w := range weights {
		total += w
	}
	s.cuts = s.cuts[:0]
	for _, w := range weights[:max(len(weights)-1, 0)] {
		sum += w
		s.cuts = append(s.cuts, fastdraw.ToDraw(sum/total))
	}
	// The sums carry the worst error of a weight and a rounding for each option, and a share
	// has the precision of a float64.
	s.slack = fastdraw.ToDraw(3*worst+float64(len(weights)+8)*0x1p-52) + 1<<12
	if !(worst < 0.1) || !(total > 0) || math.IsInf(total, 1) {
		s.slack = math.MaxUint64
	}
	s.lead()
	return total
}

// exact computes the shares of exact weights, whose sum is given.
func (s *shares) exact(weights []*big.Int, total *big.Int) {
	sum, cut := new(big.Int), new(big.Int)
	s.cuts, s.slack = s.cuts[:0], 0
	for _, w := range weights[:max(len(weights)-1, 0)] {
		sum.Add(sum, w)
		cut.Quo(cut.Lsh(sum, 64), total)
		if cut.IsUint64() {
			s.cuts = append(s.cuts, cut.Uint64())
		} else {
			s.cuts = append(s.cuts, math.MaxUint64) // all draws are below
		}
	}
	s.lead()
}

// lead makes the guide.
func (s *shares) lead() {
	size := 1 << min(bits.Len(uint(len(s.cuts))), 8)
	s.guide = s.guide[:0]
	at := 0
	for i := range size {
		least := uint64(i) << (64 - bits.Len(uint(size-1)))
		for at < len(s.cuts) && s.cuts[at] <= least {
			at++
		}
		s.guide = append(s.guide, uint32(at))
	}
}

// pick returns the option of a draw, and whether the draw is decided.
func (s *shares) pick(u uint64) (i int, settled bool) {
	i = int(s.guide[u>>(64-bits.Len(uint(len(s.guide)-1)))])
	for i < len(s.cuts) && s.cuts[i] <= u {
		i++
	}
	return i, (i == len(s.cuts) || s.cuts[i]-u > s.slack) && (i == 0 || u-s.cuts[i-1] > s.slack)
}
