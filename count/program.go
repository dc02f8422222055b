package count

import (
	"context"
	"fmt"
	"math"
	"slices"

	gctx "github.com/gramfuzz/gramfuzz/context"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/core"
	"github.com/gramfuzz/gramfuzz/internal/scope"
)

// Program is a grammar prepared for counting under one mask, measure and kind of
// bound: by depth, or by size in one unit. Tables for several bounds of that kind can
// be made of it. It is immutable and may be used by any number of goroutines.
type Program core.Program

func (p *Program) core() *core.Program { return (*core.Program)(p) }

// NewProgram prepares g for bounds of the same kind as b. Errors: [EmptyError] where
// nothing is within a depth, annotations that cannot be kept, [ErrCyclic].
func NewProgram(g *grammar.Grammar, b Bound, o Options) (*Program, error) {
	if err := b.check(); err != nil {
		return nil, err
	}
	annotations, err := gctx.New(g, o.Names)
	if err != nil {
		return nil, err
	}
	names := (*scope.Names)(annotations)
	facts := scope.Facts(g, names, o.Mask, o.Measure)
	repeat := 0
	if b.ByDepth() {
		repeat = b.repeat()
	}
	needs, err := scope.Depth(g, names, facts, repeat)
	if err != nil {
		return nil, err
	}
	if needs == grammar.Never || b.ByDepth() && needs > b.Depth {
		return nil, &EmptyError{Rule: g.Start.Name, Bound: Bound{Depth: max(b.Depth, 1)}, Needs: needs}
	}
	automaton, err := names.Counted(b.Unit == grammar.Bytes && !b.ByDepth())
	if err != nil {
		return nil, err
	}
	p, err := core.New(g, automaton, facts, b.Unit, repeat)
	return (*Program)(p), err
}

// NewTable fills a table for a program made for a bound of the same kind. Errors are
// those of [New].
func NewTable(ctx context.Context, p *Program, b Bound, o Options) (*Table, error) {
	if o.MaxMemory == 0 {
		o.MaxMemory = DefaultMaxMemory
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if needs, fits := p.core().Memory(b.Steps(), float64(o.MaxMemory)); needs > float64(o.MaxMemory) {
		return nil, &MemoryError{Bound: b, Needs: int64(min(needs, math.MaxInt64/2)), Have: o.MaxMemory, Fits: p.flags(fits)}
	}
	least := b.Min
	if b.ByDepth() {
		least = b.Depth
	}
	t, err := core.NewTable(ctx, p.core(), least, b.Steps(), o.Progress)
	if err != nil {
		return nil, err
	}
	if t.Total().Sign() == 0 {
		return nil, p.EmptyError(b)
	}
	return (*Table)(t), nil
}

// Occurs reports whether some size within the bound has a derivation.
func (p *Program) Occurs(b Bound) bool {
	return slices.Contains(p.core().Feasible(b.Max)[b.Min:], true)
}

// EmptyError returns the [EmptyError] of a bound without a sentence, with the sizes
// near it that have one.
func (p *Program) EmptyError(b Bound) error {
	e := &EmptyError{Rule: p.Grammar.Start.Name, Bound: b, Needs: p.Facts.Depth(p.Grammar.Root, grammar.Any)}
	if b.ByDepth() {
		return e
	}
	// A feasible size above may lie far off; twice the bound and some is far enough.
	feasible := p.core().Feasible(2*b.Max + 64)
	for n := b.Min - 1; n >= 0; n-- {
		if feasible[n] {
			e.Near = append(e.Near, n)
			break
		}
	}
	for n := b.Max + 1; n < len(feasible); n++ {
		if feasible[n] {
			e.Near = append(e.Near, n)
			break
		}
	}
	return e
}

// CheckLength refuses a bound whose sentences are longer than limit bytes on
// average, and says one that would do.
func (p *Program) CheckLength(b Bound, limit int64) error {
	mean := p.core().MeanBytes(b.Min, b.Steps())
	if !(mean > float64(limit)) {
		return nil
	}
	return fmt.Errorf("sentences within %v have about %s each, more than the %s allowed%s",
		b, bytes(int64(min(mean, 1e18))), bytes(limit), wouldFit(p.flags(p.core().StepWithin(b.Steps(), float64(limit)))))
}

// flags says a smaller bound of the same kind as command-line flags.
func (p *Program) flags(step int) string {
	if step <= 0 {
		return ""
	}
	switch step = p.core().Below(step); {
	case step < 0:
		return ""
	case p.core().ByDepth():
		return fmt.Sprintf("--depth %d", step)
	}
	return fmt.Sprintf("--size %d", step)
}
