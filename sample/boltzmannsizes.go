package sample

import (
	"context"
	"math"

	"github.com/gramfuzz/gramfuzz/internal/core"
	"github.com/gramfuzz/gramfuzz/sample/internal/randombits"
)

// sizing draws the sizes of sentences without the sentences, because most tries of Boltzmann
// sampling are rejected for their size. Draws that determine sizes have their own stream, so
// the sentence of an accepted size can be made from the same draws afterwards.
type sizing struct {
	start way
	nodes []sizeNode
	cuts  []uint64 // thresholds between the cases of a draw
	cases []int32  // children or sizes
	ways  []way    // for unions, the ways of their cases
}

// way leads past nodes without a draw to the next node with a draw or a product (none below
// 0). The passed nodes have size terminals or bytes.
type way struct {
	to   int32
	size int32
}

// sizeNode is a node of the program; its cases are those with a positive share.
type sizeNode struct {
	op       core.Op
	fixed    bool  // all derivations have the size add
	add      int   // the fixed part of the size
	first    int32 // index of its cases, and of its cuts
	n        int32 // number of cases of a union or of a leaf
	children [2]core.NodeID
	parts    [2]way // of a product; both lead to a node
}

func newSizing(p *core.Program, o *core.Oracle) *sizing {
	z := &sizing{nodes: make([]sizeNode, len(p.Nodes))}
	for id := range p.Nodes {
		node, to := &p.Nodes[id], &z.nodes[id]
		to.op, to.add = node.Op, node.Size
		switch node.Op {
		case core.Leaf:
			to.add = 0
			var weights []float64
			var sizes []int32
			for _, w := range node.Ways {
				weights = append(weights, float64(w.N)*math.Pow(o.X, float64(w.Size)))
				sizes = append(sizes, int32(w.Size))
			}
			z.setCases(to, weights, sizes)
		case core.Union:
			weights, children := make([]float64, len(node.Children)), make([]int32, len(node.Children))
			for i, k := range node.Children {
				weights[i], children[i] = o.Value[k], int32(i)
			}
			z.setCases(to, weights, children)
		default:
			copy(to.children[:], node.Children)
		}
	}
	z.findFixed(p)
	z.findWays(p)
	return z
}

// findWays computes the ways of all cases and of all parts of products.
func (z *sizing) findWays(p *core.Program) {
	z.start = z.follow(p, p.Root)
	z.ways = make([]way, len(z.cases))
	for id := range z.nodes {
		node := &z.nodes[id]
		switch {
		case node.fixed:
		case node.op == core.Union:
			for i := node.first; i < node.first+node.n; i++ {
				z.ways[i] = z.follow(p, p.Nodes[id].Children[z.cases[i]])
			}
		case node.op == core.Prod:
			node.parts = [2]way{z.follow(p, node.children[0]), z.follow(p, node.children[1])}
		}
	}
}

// follow passes nodes without a draw.
func (z *sizing) follow(p *core.Program, id core.NodeID) way {
	w := way{to: int32(id)}
	for {
		node := &z.nodes[w.to]
		switch {
		case node.fixed:
			return way{-1, w.size + int32(node.add)}
		case node.op == core.Call:
			w = way{int32(node.children[0]), w.size + int32(node.add)}
		case node.op == core.Union && node.n == 1:
			w.to = int32(p.Nodes[w.to].Children[z.cases[node.first]])
		case node.op == core.Prod && z.nodes[node.children[0]].fixed:
			w = way{int32(node.children[1]), w.size + int32(z.nodes[node.children[0]].add)}
		case node.op == core.Prod && z.nodes[node.children[1]].fixed:
			w = way{int32(node.children[0]), w.size + int32(z.nodes[node.children[1]].add)}
		default:
			return w
		}
	}
}

// setCases gives a node the cases with a positive share.
func (z *sizing) setCases(to *sizeNode, weights []float64, cases []int32) {
	to.first = int32(len(z.cases))
	total := 0.0
	for _, w := range weights {
		total += w
	}
	sum := 0.0
	for i, w := range weights {
		if w == 0 {
			continue
		}
		sum += w
		cut := uint64(math.MaxUint64)
		if share := sum / total * 0x1p64; share < 0x1p64 {
			cut = uint64(share)
		}
		z.cuts, z.cases = append(z.cuts, cut), append(z.cases, cases[i])
	}
	to.n = int32(len(z.cases)) - to.first
}

// findFixed finds the nodes whose derivations all have one size. The information about a node
// only grows: from nothing to one size to several sizes.
func (z *sizing) findFixed(p *core.Program) {
	const nothing, several = -1, -2
	size := make([]int, len(z.nodes))
	for id := range size {
		size[id] = nothing
	}
	join := func(a, b int) int {
		switch {
		case a == nothing || a == b:
			return b
		case b == nothing:
			return a
		}
		return several
	}
	for changed := true; changed; {
		changed = false
		for id := len(size) - 1; id >= 0; id-- {
			node, now := &z.nodes[id], nothing
			switch node.op {
			case core.Leaf:
				for _, s := range z.cases[node.first : node.first+node.n] {
					now = join(now, int(s))
				}
				if p.Nodes[id].Expr == nil {
					now = 0
				}
			case core.Union:
				for _, i := range z.cases[node.first : node.first+node.n] {
					now = join(now, size[p.Nodes[id].Children[i]])
				}
			case core.Call:
				now = size[node.children[0]]
				if now >= 0 {
					now += node.add
				}
			case core.Prod:
				if a, b := size[node.children[0]], size[node.children[1]]; a == several || b == several {
					now = several
				} else if a != nothing && b != nothing {
					now = a + b
				}
			}
			now = join(size[id], now)
			if now != size[id] {
				size[id], changed = now, true
			}
		}
	}
	for id, s := range size {
		if s >= 0 {
			z.nodes[id].fixed, z.nodes[id].add = true, s
		}
	}
}

// pick draws the index of one of the cases of a node.
func (z *sizing) pick(node *sizeNode, str *randombits.Stream) int32 {
	if node.n < 2 {
		return node.first
	}
	u := str.Next()
	last := node.first + node.n - 1
	at := node.first
	for at < last && u >= z.cuts[at] {
		at++
	}
	return at
}

// draw draws a size with the draws of [boltzmannSource.make]. It ends as soon as the size is
// above most. It also returns the number of steps taken.
func (z *sizing) draw(ctx context.Context, str *randombits.Stream, stack *[]int32, most int) (size, steps int, err error) {
	todo := (*stack)[:0]
	defer func() { *stack = todo[:0] }()
	next := z.start
	for steps = 1; ; steps++ {
		if steps&0xfff == 0 && ctx.Err() != nil {
			return 0, steps, ctx.Err()
		}
		size += int(next.size)
		if size > most {
			return size, steps, nil
		}
		to := next.to
		if to < 0 {
			if len(todo) == 0 {
				return size, steps, nil
			}
			to = todo[len(todo)-1]
			todo = todo[:len(todo)-1]
		}
		switch node := &z.nodes[to]; node.op {
		case core.Leaf:
			next = way{-1, z.cases[z.pick(node, str)]}
		case core.Union:
			next = z.ways[z.pick(node, str)]
		default: // a product
			next = node.parts[0]
			second := node.parts[1]
			next.size += second.size
			todo = append(todo, second.to)
		}
	}
}
