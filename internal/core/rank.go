package core

import (
	"math/big"
	"slices"

	"github.com/gramfuzz/gramfuzz/derive"
)

// Rank returns the depth of the table, or the size of a derivation of the start, and the
// derivation's number among those of this step, the inverse of [Table.Unrank]. The size may be
// beyond the table; then the number is meaningless. Where tokens are leaves their texts do not
// count. The error wraps [ErrOutside] for a tree that is not counted. It costs time linear in the
// tree times the length of the numbers; by size, also in the sizes of elements.
func (t *Table) Rank(tree *derive.Tree) (step int, rank *big.Int, err error) {
	visits, err := Follow(t.program, tree, t.max)
	if err != nil {
		return 0, nil, err
	}
	size, rank := t.fold(visits)
	if t.program.ByDepth() {
		size = t.max
	}
	return size, rank, nil
}

// fold adds up the numbers of the table along the path of a derivation, from the leaves up: later
// visits are below or after earlier ones.
func (t *Table) fold(visits []Visit) (size int, rank *big.Int) {
	type value struct {
		size int
		rank *big.Int
	}
	var done []value
	for _, v := range slices.Backward(visits) {
		if v.Op == Leaf {
			done = append(done, value{v.Size, big.NewInt(int64(v.Way))})
			continue
		}
		top := &done[len(done)-1]
		switch v.Op {
		case Call:
			top.size += v.Size
			if v.ID != None {
				top.size = t.resized(v.ID, top.size, top.rank)
			}
		case Union:
			step := top.size
			if t.program.ByDepth() {
				step = v.Step
			}
			for _, k := range t.program.Nodes[v.ID].Children[:v.Child] {
				top.rank.Add(top.rank, t.Count(k, step))
			}
		case Prod:
			a, b := *top, done[len(done)-2]
			done = done[:len(done)-1]
			done[len(done)-1] = value{a.size + b.size, t.joined(&v, a.size, b.size, a.rank, b.rank)}
		}
	}
	return done[0].size, done[0].rank
}

// resized returns the size of a part with its added bytes, and adds the number of derivations of
// smaller residues to its rank.
func (t *Table) resized(id NodeID, size int, rank *big.Int) int {
	n := &t.program.Nodes[id]
	calls := []NodeID{id}
	if n.Op == Union {
		calls = n.Children
	}
	step := n.Expr.Resize.Forward(size)
	for _, call := range calls {
		if t.program.Back(&t.program.Nodes[call], step) == size {
			break
		}
		rank.Add(rank, t.Count(call, step))
	}
	return step
}

// joined returns the rank of a product of two derivations.
func (t *Table) joined(v *Visit, m, n int, x, y *big.Int) *big.Int {
	if t.program.ByDepth() {
		return x.Mul(x, t.Count(v.B, v.Step)).Add(x, y)
	}
	var part big.Int
	x.Mul(x, t.Count(v.B, n)).Add(x, y)
	for k := range m {
		x.Add(x, part.Mul(t.Count(v.A, k), t.Count(v.B, m+n-k)))
	}
	return x
}
