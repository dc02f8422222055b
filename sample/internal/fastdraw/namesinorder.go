package fastdraw

import (
	"slices"

	"github.com/gramfuzz/gramfuzz/internal/core"
	"github.com/gramfuzz/gramfuzz/internal/scope"
)

// Names of one length are numbered in the order of their definitions, the visible
// ones before the pending ones. A commit does not change that order, and the end of a
// scope only shortens it. So one list gives every symbol its meaning.

// symbolAction is the effect of a symbol on such a list. All other namespaces have doAct.
type symbolAction uint8

const (
	doByte symbolAction = iota // the byte that follows
	doKnown
	doNew
	doBegin
	doEnd
	doNothing
	doAct
)

// inOrder returns the action of symbols in a namespace whose names have one length.
func inOrder(k symbolKey) symbolAction {
	switch k.act {
	case core.OwnLeaf:
		if k.fresh && k.kind != scope.Use {
			return doNew
		}
		return doKnown
	case scope.BeginScope:
		return doBegin
	case scope.EndScope:
		return doEnd
	}
	return doNothing // a commit
}

// shortBytes is the greatest length of names that are copied as one word.
const shortBytes = 8

// namesInPlay are the names of a namespace that are in play.
type namesInPlay struct {
	texts []string
	short [][shortBytes]byte // the same; nil where they are longer
	size  int                // of each, where they are short
	order []uint16           // those in play, in the order of their definitions
	free  []uint16           // the others, in the order of the pool
	marks []int              // of scopes: the length of order at the beginning
}

func newInPlay(texts []string) namesInPlay {
	n := namesInPlay{texts: texts}
	for x, text := range texts {
		n.free = append(n.free, uint16(x))
		if n.size = len(text); n.size <= shortBytes {
			var s [shortBytes]byte
			copy(s[:], text)
			n.short = append(n.short, s)
		}
	}
	return n
}

func (n *namesInPlay) reset() {
	n.marks = n.marks[:0]
	if len(n.order) > 0 {
		n.order, n.free = n.order[:0], n.free[:len(n.texts)]
		for x := range n.free {
			n.free[x] = uint16(x)
		}
	}
}

// append appends the text of a name; dst has room for a short one.
func (n *namesInPlay) append(dst []byte, x uint16) []byte {
	if n.short == nil {
		return append(dst, n.texts[x]...)
	}
	end := len(dst)
	*(*[shortBytes]byte)(dst[end : end+shortBytes]) = n.short[x]
	return dst[:end+n.size]
}

// define puts free name number i in play.
func (n *namesInPlay) define(i int) uint16 {
	x := n.free[i]
	n.free = append(n.free[:i], n.free[i+1:]...)
	n.order = append(n.order, x)
	return x
}

// end ends a scope.
func (n *namesInPlay) end() {
	last := len(n.marks) - 1
	for _, x := range n.order[n.marks[last]:] {
		at, _ := slices.BinarySearch(n.free, x)
		n.free = slices.Insert(n.free, at, x)
	}
	n.order, n.marks = n.order[:n.marks[last]], n.marks[:last]
}
