package sample

import (
	"context"
	"sync/atomic"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/internal/core"
	"github.com/gramfuzz/gramfuzz/internal/marks"
	"github.com/gramfuzz/gramfuzz/internal/scope"
	"github.com/gramfuzz/gramfuzz/sample/internal/fastdraw"
)

// pointing draws derivations that have a part of the grammar, uniformly for each step. It
// draws a derivation with one place of the part marked: below the place by the numbers inside,
// around it upwards by the numbers outside ([core.Outside]). A derivation with k such places
// comes in k ways, and is accepted with probability 1/k.
//
// If a plain derivation has the part more than about once on average, plain derivations are
// drawn and accepted if they have it, because more of them are accepted. Both ways are exact.
type pointing struct {
	s       *Sampler
	chain   marks.Chain // the parts that a derivation has before
	prog    *core.Program
	most    int // the greatest step
	parents [][]core.Parent
	places  map[int][]core.NodeID // of a part, by Expr.ID: those after the chain
	placeOf []int32               // by node: the ID of the expression whose place it is; 0: none
	nums    pointedNumbers
	leaves  *fastdraw.Program // for the leaves, and by size the parts between
}

// stratum is the set of derivations that have a part.
type stratum struct {
	part  marks.Part // without an expression: all derivations
	steps []int      // sizes, or the depth, with at least one of them

	marked []atomic.Pointer[marked] // by index in steps, then of all; made when first drawn from
}

// marked holds the derivations of some steps as options of a draw: first the plain ones, then
// those with a marked place.
type marked struct {
	steps   []int
	options []option
	weights []float64
	worst   float64
	mean    float64 // places in a plain derivation
}

func newStratum(part marks.Part, steps []int) stratum {
	return stratum{part, steps, make([]atomic.Pointer[marked], len(steps)+1)}
}

// newPointing makes the tables for the parts after a chain.
func newPointing(ctx context.Context, s *Sampler, chain marks.Chain) (*pointing, error) {
	p := &pointing{s: s, chain: chain, most: s.o.Bound.Steps(), places: map[int][]core.NodeID{}}
	bound := s.o.Bound
	plain, err := count.NewProgram(s.g, bound, s.countOptions()) // it reports errors in a bound
	if err != nil {
		return nil, err
	}
	if err := s.checkLength(plain); err != nil {
		return nil, err
	}
	watch, err := marks.Watch(s.g, chain)
	if err != nil {
		return nil, err
	}
	p.prog, err = scope.Program(s.g, (*scope.Names)(s.names), watch, s.facts, bound.Unit, (*core.Program)(plain).Repeat(), core.Budget(s.o.MaxMemory))
	if err != nil {
		return nil, err
	}
	p.placeOf = make([]int32, len(p.prog.Nodes))
	marked := p.prog.Automaton.Space().Len() - 1
	for _, w := range p.prog.WrapNodes() {
		if w.Wrap.Component == marked && int(w.In) == len(chain) {
			p.places[w.Expr] = append(p.places[w.Expr], w.ID)
			p.placeOf[w.ID] = int32(w.Expr)
		}
	}
	p.parents = p.prog.Parents()
	if bound.ByDepth() {
		t, err := count.NewTable(ctx, (*count.Program)(p.prog), bound, s.countOptions())
		if err != nil {
			return nil, err
		}
		p.nums.table = (*core.Table)(t)
		p.leaves = fastdraw.New(p.prog, nil, s.drawOptions())
		p.nums.out, err = core.NewOutside(ctx, p.nums.table)
		return p, err
	}
	if err := plain.Occurs(bound); err != nil {
		return nil, err
	}
	if p.nums.f, err = core.NewFloats(ctx, p.prog, bound.Max, s.o.Progress); err != nil {
		return nil, err
	}
	p.leaves = fastdraw.New(p.prog, fastdraw.Approximate(p.nums.f, s.o.numberBits), s.drawOptions())
	p.nums.fo, err = core.NewFloatsOutside(ctx, p.nums.f)
	return p, err
}

// all returns the stratum of all derivations.
func (p *pointing) all() stratum {
	return newStratum(marks.Part{}, p.s.steps(func(n int) bool { return p.nums.has(p.prog.Root, n) }))
}

// strata returns the strata of the parts that some derivation within the bound has.
func (p *pointing) strata(parts []marks.Part) []stratum {
	var list []stratum
	for _, part := range parts {
		steps := p.s.steps(func(n int) bool { return len(p.pointed(nil, part, n, 0)) > 0 })
		if len(steps) > 0 {
			list = append(list, newStratum(part, steps))
		}
	}
	return list
}

// pointed appends the places of a part in derivations of a step.
func (p *pointing) pointed(dst []option, part marks.Part, step, consumed int) []option {
	for _, id := range p.places[part.Expr.ID] {
		least, most := p.nums.steps(id, step)
		for n := least; n <= most; n++ {
			o := option{first: id, step: n, around: id, context: step - n, consumed: consumed}
			if p.prog.ByDepth() {
				o.context = n
			}
			if p.nums.has(id, n) && p.nums.hasContext(id, o.context) {
				dst = append(dst, o)
			}
		}
	}
	return dst
}
