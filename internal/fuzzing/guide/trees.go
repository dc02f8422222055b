package guide

import (
	"context"
	"encoding/binary"
)

// maxNodes bounds the nodes of the trees that a loop keeps: 32 MiB, at 64 bytes each. Trees
// take about a hundred times the memory of their texts, so a long campaign cannot keep all of
// them.
const maxNodes = 1 << 19

// kept is an input from which a loop derives others. Its tree is released when others were used
// more recently, and rebuilt from its choices with the layout that the source gives.
type kept struct {
	in    *Input
	steps candidates // its untried small steps; nil before the first

	satisfies candidates // the untried sentences that satisfy its comparisons; nil before the first

	nodes int // of its tree; 0: it has none
	used  bool

	// choices are those of a released tree, one varint each; nil while the tree is there.
	choices []byte
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
	in.Own()
	k := &kept{in: in}
	if in.Tree != nil {
		k.nodes = len(in.Tree.Nodes())
	}
	// The tree of a longer text cannot be rebuilt.
	if len(in.Text) <= t.src.o.MaxBytes {
		t.hold(k)
	}
	return k
}

// hold records that an input's tree is in memory, and releases others beyond the bound.
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

// close releases the tree and packs its choices.
func (k *kept) close() {
	in := *k.in
	k.choices = packed(in.Choices)
	in.Tree, in.Choices = nil, nil
	k.in, k.steps, k.satisfies = &in, nil, nil
}

// open returns an input with its tree, rebuilding it if needed.
func (t *trees) open(ctx context.Context, k *kept) (*Input, error) {
	k.used = true
	if k.choices == nil {
		return k.in, nil
	}
	tree, err := t.src.Tree(ctx, unpacked(k.choices))
	if tree == nil || err != nil {
		return k.in, err
	}
	in := *k.in
	in.Tree, in.Choices = tree, tree.Choices()
	k.in, k.choices = &in, nil
	t.hold(k)
	return k.in, nil
}

// packed returns choices as varints.
func packed(choices []int) []byte {
	b := make([]byte, 0, len(choices)+1)
	for _, c := range choices {
		b = binary.AppendVarint(b, int64(c))
	}
	return b
}

func unpacked(b []byte) (choices []int) {
	for len(b) > 0 {
		c, n := binary.Varint(b)
		choices, b = append(choices, int(c)), b[n:]
	}
	return choices
}

// Recent has the choices of recent sentences by their texts. When there are more than Max, those
// that were not asked for since the last Max are forgotten. Its memory is some bytes for each choice.
type Recent struct {
	Max int

	young, old map[string][]byte
}

// Add notes a sentence.
func (r *Recent) Add(in *Input) { r.put(string(in.Text), packed(in.Choices)) }

func (r *Recent) put(text string, choices []byte) {
	if r.young == nil || len(r.young) >= r.Max {
		r.young, r.old = map[string][]byte{}, r.young
	}
	r.young[text] = choices
}

// Choices returns the choices of a sentence, nil if it is forgotten.
func (r *Recent) Choices(text []byte) []int {
	b, ok := r.young[string(text)]
	if !ok {
		b, ok = r.old[string(text)]
		if !ok {
			return nil
		}
		r.put(string(text), b)
	}
	return unpacked(b)
}
