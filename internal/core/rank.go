package core

import (
	"math/big"

	"github.com/gramfuzz/gramfuzz/derive"
)

// Rank returns the depth of the table or the size of a derivation of the start, and
// the derivation's number among those of this step, the inverse of [Table.Unrank]. The
// size may be beyond the table; then the number says nothing. Where tokens are leaves
// their texts do not count. The error wraps [ErrOutside] when the tree is not one of
// those counted. It costs time linear in the tree times the length of the numbers, by
// size also in the sizes of elements.
func (t *Table) Rank(tree *derive.Tree) (step int, rank *big.Int, err error) {
	visits, err := Follow(t.program, tree, t.max)
	if err != nil {
		return 0, nil, err
	}
	r := &ranking{t, visits}
	size, rank := r.fold()
	if t.program.ByDepth() {
		size = t.max
	}
	return size, rank, nil
}

// ranking adds up the numbers of the table along the way of a derivation.
type ranking struct {
	t      *Table
	visits []Visit
}

// fold computes size and rank from the leaves up: later visits of the trace are below
// or behind earlier ones.
func (r *ranking) fold() (size int, rank *big.Int) {
	type value struct {
		size int
		rank *big.Int
	}
	var done []value
	for i := len(r.visits) - 1; i >= 0; i-- {
		v := &r.visits[i]
		if v.Op == Leaf {
			done = append(done, value{v.Size, big.NewInt(int64(v.Way))})
			continue
		}
		top := &done[len(done)-1]
		switch v.Op {
		case Call:
			top.size += v.Size
		case Union:
			for _, k := range r.t.program.Nodes[v.ID].Children[:v.Child] {
				top.rank.Add(top.rank, r.t.Count(k, r.stepOf(v, top.size)))
			}
		case Prod:
			a, b := *top, done[len(done)-2]
			done = done[:len(done)-1]
			done[len(done)-1] = value{a.size + b.size, r.joined(v, a.size, b.size, a.rank, b.rank)}
		}
	}
	return done[0].size, done[0].rank
}

// stepOf is the step of the table that a visit looks at.
func (r *ranking) stepOf(v *Visit, size int) int {
	if r.t.program.ByDepth() {
		return v.Step
	}
	return size
}

// joined returns the rank of a product of two derivations.
func (r *ranking) joined(v *Visit, m, n int, x, y *big.Int) *big.Int {
	t := r.t
	if r.t.program.ByDepth() {
		return x.Mul(x, t.Count(v.B, v.Step)).Add(x, y)
	}
	var part big.Int
	x.Mul(x, t.Count(v.B, n)).Add(x, y)
	for k := range m {
		x.Add(x, part.Mul(t.Count(v.A, k), t.Count(v.B, m+n-k)))
	}
	return x
}
