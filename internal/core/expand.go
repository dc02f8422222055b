package core

// Picker makes the decisions of an [Expansion]. K is its knowledge of a node: a size, a rank.
type Picker[K any] interface {
	// Enter is called for each node of the derivation, in pre-order. It returns true if it has
	// made the whole derivation of the node itself, as it must at leaves.
	Enter(id NodeID, n *Node, k K) (made bool, err error)

	// Union picks a child.
	Union(id NodeID, n *Node, k K) (child int, next K, err error)

	// Choose is called with the value of the choice that a union stands for.
	Choose(value int)

	// Product divides k between the two parts.
	Product(id NodeID, n *Node, k K) (first, second K, err error)

	// Call returns the k of a rule's body.
	Call(n *Node, k K) K
}

// Expansion makes derivations of a program's nodes. It reuses its memory; the zero Expansion is
// valid. It belongs to one goroutine.
type Expansion[K any] struct{ stack []unmade[K] }

type unmade[K any] struct {
	id NodeID
	k  K
}

// Run makes a derivation of node id with the picker's decisions. The error is the picker's.
func (x *Expansion[K]) Run(p *Program, id NodeID, k K, pick Picker[K]) error {
	x.stack = append(x.stack[:0], unmade[K]{id, k})
	for len(x.stack) > 0 {
		top := x.stack[len(x.stack)-1]
		x.stack = x.stack[:len(x.stack)-1]
		n := &p.Nodes[top.id]
		made, err := pick.Enter(top.id, n, top.k)
		if err != nil {
			return err
		}
		if made {
			continue
		}
		switch n.Op {
		case Call:
			x.stack = append(x.stack, unmade[K]{n.Children[0], pick.Call(n, top.k)})
		case Prod:
			first, second, err := pick.Product(top.id, n, top.k)
			if err != nil {
				return err
			}
			x.stack = append(x.stack, unmade[K]{n.Children[1], second}, unmade[K]{n.Children[0], first})
		case Union:
			child, next, err := pick.Union(top.id, n, top.k)
			if err != nil {
				return err
			}
			if n.Values != nil {
				pick.Choose(n.Values[child])
			}
			x.stack = append(x.stack, unmade[K]{n.Children[child], next})
		}
	}
	return nil
}

// Back returns the step of a call's body for a step of the call; it is negative if there is none.
func (p *Program) Back(n *Node, step int) int {
	switch {
	case p.ByDepth():
		return step - n.Level
	case n.Rule != nil:
		return n.Rule.Back(step, n.Residue)
	}
	return step - n.Size
}
