package core

import (
	"fmt"
	"slices"

	"github.com/gramfuzz/gramfuzz/internal/base/graphs"
)

// findOrder sorts the nodes so that each comes after all nodes that it needs at its own depth or
// size. It fails if nodes need each other.
func (p *Program) findOrder() error {
	nullable := p.nullableNodes()
	next := func(id NodeID) []NodeID { return p.sameStep(id, nullable) }
	for _, nodes := range graphs.Components(len(p.Nodes), next) {
		if id := nodes[0]; len(nodes) > 1 || slices.Contains(next(id), id) {
			return fmt.Errorf("%v: %w", p.Nodes[id].Expr.Pos, ErrCyclic)
		}
		p.order = append(p.order, nodes[0])
	}
	return nil
}

// sameStep returns the children whose count at the same depth or size a node needs.
func (p *Program) sameStep(id NodeID, nullable []bool) []NodeID {
	n := &p.Nodes[id]
	switch {
	case n.Op == Call && (p.ByDepth() && n.Level > 0 || n.Size > 0):
		return nil
	case n.Op == Prod && !p.ByDepth(): // a part has the size of the whole if the other one is empty
		var same []NodeID
		for i, k := range n.Children {
			if nullable[n.Sibling(i)] {
				same = append(same, k)
			}
		}
		return same
	}
	return n.Children
}

// nullableNodes finds the nodes with a derivation of size 0.
func (p *Program) nullableNodes() []bool {
	is := make([]bool, len(p.Nodes))
	if p.ByDepth() {
		return is // not needed
	}
	for changed := true; changed; {
		changed = false
		for id := len(p.Nodes) - 1; id >= 0; id-- {
			if !is[id] && p.hasSizeZero(&p.Nodes[id], is) {
				is[id], changed = true, true
			}
		}
	}
	return is
}

func (p *Program) hasSizeZero(n *Node, is []bool) bool {
	switch n.Op {
	case Leaf:
		return len(n.Ways) > 0 && n.Ways[0].Size == 0
	case Prod:
		return is[n.Children[0]] && is[n.Children[1]]
	}
	return p.Back(n, 0) == 0 && slices.ContainsFunc(n.Children, func(k NodeID) bool { return is[k] })
}
