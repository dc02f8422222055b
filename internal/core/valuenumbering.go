package core

import "encoding/binary"

// numbering divides the nodes of a program into classes with the same numbers, because
// they have the same formula over the same classes (value numbering): terminals of one length,
// uses of one rule, sequences with the same end. Each class is computed once.
type numbering struct {
	class []int32  // of a node
	nodes []NodeID // of a class, one of its nodes; each comes after the classes that it needs at the same depth or size
}

// numbering returns the classes of the nodes. The first call is linear in the program, and finds
// fewer equal nodes where rules are recursive.
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
	// The first node of a class in order comes after all classes that it needs.
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

// signature describes the formula of a node. If it does not have one or two children, rest
// encodes them and its ways.
type signature struct {
	op          Op
	size, level int // level by depth only
	Resize
	a, b NodeID
	rest string
}

// firstEqual returns for every node the first node of its class.
func (p *Program) firstEqual() []NodeID {
	const unseen = -1
	first := make([]NodeID, len(p.Nodes))
	for id := range first {
		first[id] = unseen
	}
	known := map[signature]NodeID{}
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
					first[k] = k // a cycle: others refer to it before its formula is known
				case first[k] == unseen:
					open[k] = true
					stack = append(stack, visit{k, 0})
				}
				continue
			}
			id := v.id
			stack = stack[:len(stack)-1]
			open[id] = false
			node := &p.Nodes[id]
			m := node.signature(first)
			if p.ByDepth() {
				m.level = node.Level
			}
			if _, ok := known[m]; !ok {
				known[m] = id
			}
			switch {
			case first[id] != unseen:
			case len(node.Children) == 1 && m.size == 0 && m.level == 0 && node.Rule == nil:
				first[id] = first[node.Children[0]] // the numbers of its child
			default:
				first[id] = known[m]
			}
		}
	}
	return first
}

func (node *Node) signature(first []NodeID) signature {
	m := signature{op: node.Op, size: node.Size, Resize: node.Resize}
	switch len(node.Children) {
	case 1:
		m.a = first[node.Children[0]]
	case 2:
		m.a, m.b = first[node.Children[0]], first[node.Children[1]]
	default:
		key := appendWays(nil, node)
		for _, k := range node.Children {
			key = binary.AppendVarint(key, int64(first[k]))
		}
		m.rest = string(key)
	}
	return m
}

func appendWays(key []byte, node *Node) []byte {
	for _, w := range node.Ways {
		key = binary.AppendVarint(binary.AppendVarint(key, int64(w.Size)), int64(w.N))
	}
	return key
}

// shape encodes everything that the numbers of the nodes by size depend on.
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
