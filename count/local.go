package count

import (
	"math/big"

	"github.com/gramfuzz/gramfuzz/grammar"
)

// NodeOf returns the node that stands for the whole of expression e, [None]
// where nothing that the program derives has an e of its own.
func (p *Program) NodeOf(e *grammar.Expr) NodeID {
	if p.Names != nil && p.Names.Touch(e, 0) != 0 {
		return None // it has many, one for each state of the names
	}
	return p.find(spot{expr: e})
}

// UnrankAt is [Table.UnrankChoices] for the derivations of one node at one depth
// or size: rank is from 0 to below Count(id, step). The caller must leave rank
// alone afterwards.
func (t *Table) UnrankAt(id NodeID, step int, rank *big.Int) []int {
	u := unranking{t: t, stack: []task{{id, step, rank}}}
	for len(u.stack) > 0 {
		k := u.stack[len(u.stack)-1]
		u.stack = u.stack[:len(u.stack)-1]
		u.step(k)
	}
	return u.choices
}
