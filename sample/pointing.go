package sample

import (
	"context"
	"iter"
	"sync/atomic"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/internal/core"
	"github.com/gramfuzz/gramfuzz/internal/core/marks"
	"github.com/gramfuzz/gramfuzz/internal/core/scope"
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
	largest int // by size: the greatest size of compiled parts
	parents [][]core.Parent
	kinds   int             // number of parts
	places  [][]core.NodeID // by kind: those after the chain
	placeOf []int32         // by node: the kind of place that it is; 0: none
	nums    pointedNumbers
	draws   *fastdraw.Program
	cache   atomic.Pointer[contexts]
}

// stratum is the set of derivations that have a part.
type stratum struct {
	part  marks.Part // without an expression: all derivations
	kind  int32      // the number of the part, from 1
	steps []int      // sizes, or the depth, with at least one of them

	marked []atomic.Pointer[marked] // by index in steps, then of all; made when first drawn from
}

// marked holds the derivations of some steps as options of a draw: first the plain ones, then
// those with a marked place.
type marked struct {
	steps         []int
	options       []option
	plain, places shares
	mean          float64 // places in a plain derivation
}

func newStratum(part marks.Part, kind int32, steps []int) stratum {
	return stratum{part, kind, steps, make([]atomic.Pointer[marked], len(steps)+1)}
}

// newPointing makes the tables for the parts after a chain.
func newPointing(ctx context.Context, s *Sampler, chain marks.Chain) (*pointing, error) {
	p := &pointing{s: s, chain: chain, most: s.o.Bound.Steps()}
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
	p.findPlaces()
	p.parents = p.prog.Parents()
	draw := s.drawOptions()
	draw.Places, p.largest = p.placeOf, draw.Limits.Size
	p.cache.Store(newContexts(p))
	if bound.ByDepth() {
		t, err := count.NewTable(ctx, (*count.Program)(p.prog), bound, s.countOptions())
		if err != nil {
			return nil, err
		}
		p.nums.table = (*core.Table)(t)
		p.draws = fastdraw.New(p.prog, fastdraw.Exact(p.nums.table), draw)
		p.nums.out, err = core.NewOutside(ctx, p.nums.table)
		return p, err
	}
	if err := plain.Occurs(bound); err != nil {
		return nil, err
	}
	if p.nums.f, err = core.NewFloats(ctx, p.prog, bound.Max, s.o.Progress); err != nil {
		return nil, err
	}
	p.draws = fastdraw.New(p.prog, fastdraw.Approximate(p.nums.f, s.o.numberBits), draw)
	p.nums.fo, err = core.NewFloatsOutside(ctx, p.nums.f)
	return p, err
}

// findPlaces finds the places of the parts after the chain. A part's kind is its number, from 1.
func (p *pointing) findPlaces() {
	kinds := map[int]int32{} // by Expr.ID
	for i, part := range marks.Parts(p.s.g) {
		kinds[part.Expr.ID] = int32(i + 1)
	}
	p.kinds = len(kinds)
	p.places = make([][]core.NodeID, p.kinds+1)
	p.placeOf = make([]int32, len(p.prog.Nodes))
	marked := p.prog.Automaton.Space().Len() - 1
	for _, w := range p.prog.WrapNodes() {
		if w.Wrap.Component == marked && int(w.In) == len(p.chain) {
			kind := kinds[w.Expr]
			p.places[kind] = append(p.places[kind], w.ID)
			p.placeOf[w.ID] = kind
		}
	}
}

// all returns the stratum of all derivations.
func (p *pointing) all() stratum {
	return newStratum(marks.Part{}, 0, p.s.steps(func(n int) bool { return p.nums.has(p.prog.Root, n) }))
}

// strata returns the strata of those of all parts that some derivation within the bound has.
func (p *pointing) strata(parts []marks.Part) []stratum {
	var list []stratum
	for i, part := range parts {
		kind := int32(i + 1)
		steps := p.s.steps(func(n int) bool { return p.occurs(kind, n) })
		if len(steps) > 0 {
			list = append(list, newStratum(part, kind, steps))
		}
	}
	return list
}

// pointed appends the places of a kind in derivations of a step.
func (p *pointing) pointed(dst []option, kind int32, step, consumed int) []option {
	for o := range p.options(kind, step) {
		o.consumed = consumed
		dst = append(dst, o)
	}
	return dst
}

// occurs reports whether derivations of a step have a place of a kind.
func (p *pointing) occurs(kind int32, step int) bool {
	for range p.options(kind, step) {
		return true
	}
	return false
}

// options yields the places of a kind in derivations of a step.
func (p *pointing) options(kind int32, step int) iter.Seq[option] {
	return func(yield func(option) bool) {
		for _, id := range p.places[kind] {
			least, most := p.nums.steps(id, step)
			for n := least; n <= most; n++ {
				o := option{first: id, step: n, around: id, context: step - n}
				if p.prog.ByDepth() {
					o.context = n
				}
				if p.nums.has(id, n) && p.nums.hasContext(id, o.context) && !yield(o) {
					return
				}
			}
		}
	}
}
