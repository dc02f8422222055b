// Package ways finds the shortest ways from expressions of a grammar down to targets.
//
//	up := ways.New(g)
//	var f ways.Field
//	f.Fill(up, nil, targets...)
//	f.Steps[e.ID] // the number of steps from e down to the nearest target
package ways

import (
	"math"

	"github.com/gramfuzz/gramfuzz/grammar"
)

// Unreachable is the distance of an expression that leads to no target.
const Unreachable = math.MaxUint16

// Up holds, for every expression of a grammar, the expressions that contain it or reference its
// rule. It is immutable.
type Up struct{ steps [][]step }

// step leads from an expression to its parent, in which it is child number child.
type step struct {
	from  *grammar.Expr
	child int
}

// New finds the steps of a frozen grammar, in time linear in it.
func New(g *grammar.Grammar) *Up {
	u := &Up{make([][]step, len(g.Exprs))}
	for _, e := range g.Exprs {
		if e.Op == grammar.Ref && e.Rule != nil {
			body := e.Rule.Body.ID
			u.steps[body] = append(u.steps[body], step{from: e})
		}
		for i, k := range e.Children {
			u.steps[k.ID] = append(u.steps[k.ID], step{e, i})
		}
	}
	return u
}

// Field holds the distances to some targets. It belongs to one goroutine, and can be filled
// again.
type Field struct {
	Steps   []uint16 // by Expr.ID: the steps down to the nearest target, or Unreachable
	Levels  []uint16 // by Expr.ID: the references among these steps
	Nearest []int32  // by Expr.ID: the index of the nearest target

	queue []*grammar.Expr
}

// Fill finds the distances to targets, under a mask (nil: everything is on), in time
// linear in the grammar.
func (f *Field) Fill(u *Up, mask *grammar.Mask, targets ...*grammar.Expr) {
	if f.Steps == nil {
		f.Steps, f.Levels, f.Nearest = make([]uint16, len(u.steps)), make([]uint16, len(u.steps)), make([]int32, len(u.steps))
	}
	for i := range f.Steps {
		f.Steps[i] = Unreachable
	}
	f.queue = append(f.queue[:0], targets...)
	for i, e := range targets {
		f.Steps[e.ID], f.Levels[e.ID], f.Nearest[e.ID] = 0, 0, int32(i)
	}
	for i := 0; i < len(f.queue); i++ {
		at := f.queue[i].ID
		d := f.Steps[at]
		for _, up := range u.steps[at] {
			e := up.from
			if f.Steps[e.ID] != Unreachable || d == Unreachable-1 || e.Op == grammar.Choice && !mask.On(e, up.child) {
				continue
			}
			f.Steps[e.ID], f.Levels[e.ID], f.Nearest[e.ID] = d+1, f.Levels[at], f.Nearest[at]
			if e.Op == grammar.Ref {
				f.Levels[e.ID]++
			}
			f.queue = append(f.queue, e)
		}
	}
}
