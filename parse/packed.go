package parse

import (
	"slices"
	"unsafe"
)

// packed is a shared packed parse forest. A node is a way to derive a part of
// the text by one production; other ways to derive the same part from the same
// nonterminal hang on it by next. Kids are nodes, or ^place for a terminal.
type packed struct {
	nodes []node
	kids  []int32
	many  bool // some node has a next
}

type node struct {
	prod int32
	kids uint32 // where its kids begin
	next int32  // -1 at the end
}

func (f *packed) add(prod int32, kids []int32) int32 {
	id := int32(len(f.nodes))
	f.nodes = append(room(f.nodes), node{prod, uint32(len(f.kids)), -1})
	if len(f.kids)+len(kids) > cap(f.kids) {
		f.kids = slices.Grow(f.kids, len(f.kids)+len(kids))
	}
	f.kids = append(f.kids, kids...)
	return id
}

func (f *packed) memory() int64 {
	return int64(cap(f.nodes))*int64(unsafe.Sizeof(node{})) + int64(cap(f.kids))*4
}

func (f *packed) reset() {
	f.nodes, f.kids, f.many = f.nodes[:0], f.kids[:0], false
}
