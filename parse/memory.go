package parse

import (
	"cmp"
	"reflect"
	"slices"

	"github.com/gramfuzz/gramfuzz/derive"
)

// withRoom returns s with capacity for one more element. It doubles the capacity, because the
// runtime's smaller steps copy large slices repeatedly.
func withRoom[T any](s []T) []T {
	if len(s) == cap(s) {
		return slices.Grow(s, max(16, len(s)))
	}
	return s
}

// taken is the memory of s, in bytes. Where s is nearly full, that includes its next copy of
// twice the capacity.
func taken[T any](s []T) int64 { return takenBy[T](len(s), cap(s)) }

func takenBy[T any](n, room int) int64 {
	bytes := int64(room) * sizeOf[T]()
	if n > room/8*7 {
		bytes *= 3
	}
	return bytes
}

const unlimited = 1<<31 - 1

// sizeOf returns the size of a T, in bytes.
func sizeOf[T any]() int64 { return int64(reflect.TypeFor[T]().Size()) }

// Sizes of the parts of a tree, in bytes.
var (
	nodeSize   = sizeOf[derive.Node]() + sizeOf[derive.Row]() // of a tree with its nodes
	choiceSize = sizeOf[int]() + sizeOf[int32]()              // of a tree with its choices
	gapSize    = sizeOf[string]() + sizeOf[int32]()
)

func (b *treeBuilder) memory() int64 {
	return int64(cap(b.rows)+b.hiddenNodes)*nodeSize + int64(cap(b.choices)+b.hiddenChoices)*choiceSize + int64(cap(b.gaps))*gapSize
}

// reserve allocates the nodes that the tree certainly has: for an unambiguous text, those of
// every node of the forest.
func (b *treeBuilder) reserve() error {
	f := b.text
	if f.ambiguous || f.root < 0 {
		return nil
	}
	own := make([]int, len(f.t.prods)) // by production
	n := 0
	for i := range f.t.prods {
		n = max(n, len(f.t.prods[i].steps)) // space asks for this many
		for _, s := range f.t.prods[i].steps {
			if s.op == opOpen || s.op == opLit || s.op == opClass || s.op == opToken {
				own[i]++
			}
		}
	}
	for i := range f.nodes {
		n += own[f.nodes[i].prod]
	}
	if err := b.p.ask(int64(n) * nodeSize); err != nil {
		return err
	}
	b.rows = make([]derive.Row, 0, n)
	return nil
}

// space reserves space for n more nodes and choices.
func (b *treeBuilder) space(n int) {
	if len(b.rows)+n > cap(b.rows) {
		b.rows = grown(b, b.rows, n, nodeSize)
	}
	if len(b.choices)+n > cap(b.choices) {
		b.choices = grown(b, b.choices, n, choiceSize)
	}
}

// guideBytes is the length of text from which the size of the rest is extrapolated.
const guideBytes = 1 << 14

// grown returns s with capacity for more elements, and for the rest of the text if that
// resembles the text so far. So large trees are neither copied often nor twice as large as
// necessary. Where the capacity exceeds the memory bound, it sets b.err.
func grown[T any](b *treeBuilder, s []T, more int, size int64) []T {
	n := 2 * int64(len(s))
	if b.done > guideBytes {
		like := int64(len(s)) * int64(len(b.text.text)) / int64(b.done)
		n = min(max(like+like/32, int64(len(s))*5/4), 64*int64(len(s)))
	}
	n = max(n, int64(len(s)+more), 64)
	if b.p.ask(b.memory()+n*size) != nil {
		n = int64(len(s))*9/8 + int64(more)
		b.err = cmp.Or(b.err, b.p.ask(b.memory()+n*size))
	}
	return slices.Grow(s, int(n)-len(s))
}
