package guide

import (
	"fmt"
	"math/rand/v2"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/seen"
)

// store holds subtrees of sentences from elsewhere as choice sequences, by the rule that they
// derive. An inserted subtree uses the names that are visible in its new place.
type store struct{ parts map[*grammar.Rule][][]int }

// maxStored bounds the choices of all stored subtrees; subtrees of later seeds are left out.
const maxStored = 1 << 22

// storedShare is the share of drawn sentences that get a stored subtree.
const storedShare = 0.25

// newStore returns the store of some sentences; nil if there are none.
func newStore(seeds []*derive.Tree) *store {
	if len(seeds) == 0 {
		return nil
	}
	st, known, stored := &store{map[*grammar.Rule][][]int{}}, seen.NewTexts(), 0
	for _, t := range seeds {
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

// graft replaces a subtree by a stored one of the same rule; nil where there is none.
func (st *store) graft(rng *rand.Rand, t *derive.Tree) []int {
	for range tries {
		i := someNode(rng, t)
		if i < 0 {
			return nil
		}
		n := &t.Nodes()[i]
		if n.Expr.Op != grammar.Ref || n.Name {
			continue
		}
		if parts := st.parts[n.Expr.Rule]; len(parts) > 0 {
			return edit{n.From, n.To, parts[rng.IntN(len(parts))]}.apply(t.Choices())
		}
	}
	return nil
}
