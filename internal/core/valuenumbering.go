package core

import "encoding/binary"

// numbering divides the nodes of a program by size into classes with the same numbers,
// because they are made in the same way from the same (value numbering): terminals of
// one length, uses of one rule, sequences that end alike. Each class is computed once.
type numbering struct {
	class []int32  // of a node
	nodes []NodeID // of a class, one of its nodes; classes that it needs at the same size stand before it
}

// numbering returns the classes of the nodes. It is linear in the program the first
// time, and finds fewer equal nodes where rules go in circles.
func (p *Program) numbering() numbering {
	p.numberOnce.Do(func() { p.numbers = p.findClasses() })
	return p.numbers
}

func (p *Program) findClasses() numbering {
	first := p.firstEqual()
	a := numbering{class: make([]int32, len(p.Nodes))}
	for id := range a.class {
		a.class[id] = -1
	}
	// Of the nodes of a class the first in order is after all that the class needs.
	for _, id := range p.order {
		f := first[id]
		if a.class[f] < 0 {
			a.class[f] = int32(len(a.nodes))
			a.nodes = append(a.nodes, f)
		}
		a.class[id] = a.class[f]
	}
	return a
}

// signature says how a node of one or two children is made.
type signature struct {
	op   Op
	size int
	Resize
	a, b NodeID
}

// firstEqual returns for every node the first node of its class.
func (p *Program) firstEqual() []NodeID {
	const unseen = -1
	first := make([]NodeID, len(p.Nodes))
	for id := range first {
		first[id] = unseen
	}
	few := map[signature]NodeID{}
	many := map[string]NodeID{}
	var key []byte
	type visit struct {
		id   NodeID
		next int
	}
	var stack []visit
	open := make([]bool, len(p.Nodes))
	for root := range p.Nodes {
		if first[root] != unseen {
			continue
		}
		stack = append(stack, visit{NodeID(root), 0})
		open[root] = true
		for len(stack) > 0 {
			v := &stack[len(stack)-1]
			children := p.Nodes[v.id].Children
			if v.next < len(children) {
				k := children[v.next]
				v.next++
				switch {
				case open[k]:
					first[k] = k // a circle: others refer to it before it is known how it is made
				case first[k] == unseen:
					open[k] = true
					stack = append(stack, visit{k, 0})
				}
				continue
			}
			id := v.id
			stack = stack[:len(stack)-1]
			open[id] = false
			was := first[id]
			if node := &p.Nodes[id]; len(node.Children) == 1 || node.Op == Prod {
				first[id] = p.firstSmall(id, first, few)
			} else {
				key = appendSignature(key[:0], node, first)
				if _, ok := many[string(key)]; !ok {
					many[string(key)] = id
				}
				first[id] = many[string(key)]
			}
			if was != unseen {
				first[id] = was
			}
		}
	}
	return first
}

// firstSmall returns the first node with the signature of one with one or two children.
func (p *Program) firstSmall(id NodeID, first []NodeID, few map[signature]NodeID) NodeID {
	node := &p.Nodes[id]
	m := signature{op: node.Op, size: node.Size, Resize: node.Resize, a: first[node.Children[0]]}
	switch {
	case node.Op == Prod:
		m.b = first[node.Children[1]]
	case m.size == 0 && m.Rule == nil:
		return m.a // the numbers of its child
	}
	if f, ok := few[m]; ok {
		return f
	}
	few[m] = id
	return id
}

// appendSignature appends how a terminal or a sum is made.
func appendSignature(key []byte, node *Node, first []NodeID) []byte {
	key = append(key, byte(node.Op))
	key = appendWays(key, node)
	for _, k := range node.Children {
		key = binary.AppendVarint(key, int64(first[k]))
	}
	return key
}

func appendWays(key []byte, node *Node) []byte {
	for _, w := range node.Ways {
		key = binary.AppendVarint(binary.AppendVarint(key, int64(w.Size)), int64(w.N))
	}
	return key
}

// shape encodes all that the numbers of the nodes by size depend on.
func (p *Program) shape() string {
	key := binary.AppendVarint(nil, int64(p.Root))
	for id := range p.Nodes {
		node := &p.Nodes[id]
		key = append(key, byte(node.Op))
		key = binary.AppendVarint(key, int64(node.Size))
		key = binary.AppendVarint(key, int64(len(node.Ways)))
		key = appendWays(key, node)
		key = binary.AppendVarint(key, int64(len(node.Children)))
		for _, k := range node.Children {
			key = binary.AppendVarint(key, int64(k))
		}
	}
	return string(key)
}
