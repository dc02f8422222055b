package treeedit

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/base/seen"
)

// GraftShare is the share of drawn sentences that get a subtree.
const GraftShare = 0.25

// Store holds subtrees of sentences as choice sequences, by the rule that they derive. It is
// immutable.
type Store struct{ parts map[*grammar.Rule][][]int }

// maxStored bounds the choices of all subtrees; those of later trees are left out.
const maxStored = 1 << 22

// NewStore returns the store of some trees; nil if there are none.
func NewStore(trees []*derive.Tree) *Store {
	if len(trees) == 0 {
		return nil
	}
	st, known, stored := &Store{map[*grammar.Rule][][]int{}}, seen.NewTexts(), 0
	for _, t := range trees {
		for i := range t.Nodes() {
			n := &t.Nodes()[i]
			part := t.Choices()[n.From:n.To]
			if n.Expr.Op != grammar.Ref || n.Name || len(part) == 0 || stored+len(part) > maxStored {
				continue
			}
			if rule := n.Expr.Rule; known.Add(fmt.Append(nil, rule.ID, part)) {
				stored += len(part)
				st.parts[rule] = append(st.parts[rule], part)
			}
		}
	}
	return st
}

// tries is the number of nodes that are looked at for one with a subtree in the store.
const tries = 64

// Replace returns the choices of a tree with one subtree replaced by a stored one of the same
// rule; nil where none is found. A replay makes names in the subtree names that are visible in
// their new place.
func (st *Store) Replace(rng *rand.Rand, t *derive.Tree) []int {
	for range tries {
		n := &t.Nodes()[rng.IntN(len(t.Nodes()))]
		if n.Expr.Op != grammar.Ref || n.Name || n.From == n.To {
			continue
		}
		if parts := st.parts[n.Expr.Rule]; len(parts) > 0 {
			return slices.Concat(t.Choices()[:n.From], parts[rng.IntN(len(parts))], t.Choices()[n.To:])
		}
	}
	return nil
}
