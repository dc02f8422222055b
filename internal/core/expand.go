package core

// Picker answers at the decisions of a derivation that an [Expansion] makes. K is what it
// has to know of a node: a size, a rank.
type Picker[K any] interface {
	// Enter is told each node of the derivation, in pre-order. It returns true where it
	// has made the whole of the node's derivation itself, as it must at leaves.
	Enter(id NodeID, n *Node, k K) (made bool, err error)

	// Union picks a child.
	Union(id NodeID, n *Node, k K) (child int, next K, err error)

	// Choose is told the value of the choice that a union stands for.
	Choose(value int)

	// Product divides k between the two parts.
	Product(id NodeID, n *Node, k K) (first, second K, err error)

	// Call returns the k of a rule's body.
	Call(n *Node, k K) K
}

// Expansion makes derivations of a program's nodes. Its memory is used again; the zero
// Expansion is valid. It belongs to one goroutine.
type Expansion[K any] struct{ stack []unmade[K] }

type unmade[K any] struct {
	id NodeID
	k  K
}

// Run makes the derivation of node id that the picker picks. The error is the picker's.
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

// Back returns the step of a call's body where the call has one; it is negative where there is
// none.
func (p *Program) Back(n *Node, step int) int {
	switch {
	case p.ByDepth():
		return step - n.Level
	case n.Rule != nil:
		return n.Rule.Back(step, n.Residue)
	}
	return step - n.Size
}
