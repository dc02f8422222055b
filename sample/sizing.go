package sample

import (
	"context"
	"math"

	"github.com/gramfuzz/gramfuzz/count"
)

// sizing draws the sizes of sentences without the sentences: most tries of
// Boltzmann sampling are rejected for their size. What is drawn that sizes depend on
// comes from a stream of its own, so that the sentence of an accepted size can be
// made from the same draws afterwards.
type sizing struct {
	root  count.NodeID
	nodes []sizeNode
	cuts  []uint64 // where the shares of cases divide the draw, all but the last
	cases []int32  // their kids or sizes
}

// sizeNode is a node of the program; its cases are those that have a share.
type sizeNode struct {
	op    count.Op
	fixed bool  // all derivations have the size add
	add   int   // the size that is certain
	first int32 // of the cases, and of the cuts as well
	n     int32 // cases of a union or of a leaf
	kids  [2]count.NodeID
}

func newSizing(p *count.Program, o *count.Oracle) *sizing {
	z := &sizing{root: p.Root, nodes: make([]sizeNode, len(p.Nodes))}
	for id := range p.Nodes {
		node, to := &p.Nodes[id], &z.nodes[id]
		to.op, to.add = node.Op, node.Size
		switch node.Op {
		case count.Leaf:
			to.add = 0
			var weights []float64
			var sizes []int32
			for _, w := range node.Ways {
				weights = append(weights, float64(w.N)*math.Pow(o.X, float64(w.Size)))
				sizes = append(sizes, int32(w.Size))
			}
			z.setCases(to, weights, sizes)
		case count.Union:
			weights, kids := make([]float64, len(node.Kids)), make([]int32, len(node.Kids))
			for i, k := range node.Kids {
				weights[i], kids[i] = o.Value[k], int32(i)
			}
			z.setCases(to, weights, kids)
		default:
			copy(to.kids[:], node.Kids)
		}
	}
	z.findFixed(p)
	return z
}

// setCases gives a node those cases that have a share.
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

// findFixed finds the nodes whose derivations all have one size. What is known of
// a node goes from nothing to one size to several sizes, and no way back.
func (z *sizing) findFixed(p *count.Program) {
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
			case count.Leaf:
				for _, s := range z.cases[node.first : node.first+node.n] {
					now = join(now, int(s))
				}
				if p.Nodes[id].Expr == nil {
					now = 0
				}
			case count.Union:
				for _, i := range z.cases[node.first : node.first+node.n] {
					now = join(now, size[p.Nodes[id].Kids[i]])
				}
			case count.Call:
				if now = size[node.kids[0]]; now >= 0 {
					now += node.add
				}
			case count.Prod:
				if a, b := size[node.kids[0]], size[node.kids[1]]; a == several || b == several {
					now = several
				} else if a != nothing && b != nothing {
					now = a + b
				}
			}
			if now = join(size[id], now); now != size[id] {
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

// pick draws one of the cases of a node.
func (z *sizing) pick(node *sizeNode, str *stream) int {
	if node.n < 2 {
		return int(z.cases[node.first])
	}
	u := str.next()
	last := node.first + node.n - 1
	at := node.first
	for at < last && u >= z.cuts[at] {
		at++
	}
	return int(z.cases[at])
}

// draw draws a size with the draws that [boltzmannSource.make] draws with. It ends
// as soon as the size is above most, if that is not 0.
func (z *sizing) draw(ctx context.Context, p *count.Program, str *stream, stack *[]count.NodeID, most int) (int, error) {
	todo := append((*stack)[:0], z.root)
	defer func() { *stack = todo[:0] }()
	if most == 0 {
		most = math.MaxInt
	}
	size := 0
	for steps := 1; len(todo) > 0 && size <= most; steps++ {
		if steps&(checkEvery-1) == 0 && ctx.Err() != nil {
			return 0, ctx.Err()
		}
		id := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for node := &z.nodes[id]; ; node = &z.nodes[id] {
			if node.fixed {
				size += node.add
				break
			}
			if node.op == count.Leaf {
				size += z.pick(node, str)
				break
			}
			switch node.op {
			case count.Call:
				size += node.add
				id = node.kids[0]
			case count.Prod:
				todo = append(todo, node.kids[1])
				id = node.kids[0]
			case count.Union:
				id = p.Nodes[id].Kids[z.pick(node, str)]
			}
		}
	}
	return size, nil
}
