package guide

import (
	"context"
	"encoding/binary"

	"github.com/gramfuzz/gramfuzz/derive"
)

// maxNodes bounds the nodes of the trees that a loop keeps: 32 MiB, at 64 bytes each. Trees
// take about a hundred times the memory of their texts, so a long campaign cannot keep all of
// them.
const maxNodes = 1 << 19

// kept is an input from which a loop derives others. Its trees are released when others were
// used more recently, and rebuilt from their choices with the layout that the source gives.
type kept struct {
	in    *Input
	steps candidates // its untried small steps; nil before the first

	satisfies candidates // the untried sentences that satisfy its comparisons; nil before the first

	nodes  int // of its trees
	used   bool
	closed bool // its trees were released

	// tree and base are the released choices of in.Tree and in.Base, one varint each; nil where
	// there was no tree.
	tree, base []byte
}

// trees are the inputs of a loop whose trees are in memory.
type trees struct {
	src   *Sentences
	max   int     // greatest number of nodes
	queue []*kept // those not used recently come first
	nodes int
}

// keep wraps an input from which others are to be derived.
func (t *trees) keep(in *Input) *kept {
	k := &kept{in: in}
	for _, tree := range []*derive.Tree{in.Tree, in.Base} {
		if tree != nil {
			k.nodes += len(tree.Nodes())
		}
	}
	// The tree of a longer text cannot be rebuilt.
	if len(in.Text) <= t.src.o.MaxBytes {
		t.hold(k)
	}
	return k
}

// hold records that an input's trees are in memory, and releases others beyond the bound.
func (t *trees) hold(k *kept) {
	if k.nodes == 0 {
		return
	}
	k.used = true
	t.nodes += k.nodes
	t.queue = append(t.queue, k)
	for t.nodes > t.max && len(t.queue) > 1 {
		first := t.queue[0]
		t.queue = t.queue[1:]
		if first.used {
			first.used = false
			t.queue = append(t.queue, first)
			continue
		}
		t.nodes -= first.nodes
		first.close()
	}
}

// close releases the trees and packs their choices.
func (k *kept) close() {
	in := *k.in
	k.tree, k.base = packed(in.Tree), packed(in.Base)
	in.Tree, in.Base, in.Choices = nil, nil, nil
	k.in, k.steps, k.satisfies, k.closed = &in, nil, nil, true
}

func packed(t *derive.Tree) []byte {
	if t == nil {
		return nil
	}
	b := make([]byte, 0, len(t.Choices()))
	for _, c := range t.Choices() {
		b = binary.AppendVarint(b, int64(c))
	}
	return b
}

// open returns an input with its trees, rebuilding them if needed.
func (t *trees) open(ctx context.Context, k *kept) (*Input, error) {
	k.used = true
	if !k.closed {
		return k.in, nil
	}
	in := *k.in
	var err error
	if in.Tree, err = t.again(ctx, k.tree); err != nil {
		return nil, err
	}
	if in.Base, err = t.again(ctx, k.base); err != nil {
		return nil, err
	}
	if in.Tree != nil {
		in.Choices = in.Tree.Choices()
	}
	k.in, k.closed, k.tree, k.base = &in, false, nil, nil
	t.hold(k)
	return k.in, nil
}

// again rebuilds a tree from its packed choices.
func (t *trees) again(ctx context.Context, packed []byte) (*derive.Tree, error) {
	if packed == nil {
		return nil, nil
	}
	choices := make([]int, 0, len(packed))
	for len(packed) > 0 {
		c, n := binary.Varint(packed)
		choices, packed = append(choices, int(c)), packed[n:]
	}
	return t.src.run(ctx, derive.Replay(choices))
}
