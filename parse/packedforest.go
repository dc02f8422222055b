package parse

import (
	"slices"
)

// packed is a shared packed parse forest. A node is a way to derive a part of the text by one
// production. Other ways to derive the same part from the same nonterminal are linked by next.
// Children are nodes, or ^place for a terminal.
type packed struct {
	nodes     []node
	children  []int32
	ambiguous bool // some node has a next
}

type node struct {
	prod     int32
	children uint32 // the index of its first child
	next     int32  // -1 at the end
}

func (f *packed) add(prod int32, children []int32) int32 {
	id := int32(len(f.nodes))
	f.nodes = append(withRoom(f.nodes), node{prod, uint32(len(f.children)), -1})
	if len(f.children)+len(children) > cap(f.children) {
		f.children = slices.Grow(f.children, len(f.children)+len(children))
	}
	f.children = append(f.children, children...)
	return id
}

func (f *packed) memory() int64 {
	return taken(f.nodes) + taken(f.children)
}

func (f *packed) reset() {
	f.nodes, f.children, f.ambiguous = f.nodes[:0], f.children[:0], false
}
