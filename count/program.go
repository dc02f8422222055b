package count

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	gctx "github.com/gramfuzz/gramfuzz/context"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/core"
	"github.com/gramfuzz/gramfuzz/internal/core/marks"
	"github.com/gramfuzz/gramfuzz/internal/core/scope"
)

// Program is a grammar prepared for counting under one mask, measure and kind of bound: by depth,
// or by size in one unit. It serves tables for several bounds of that kind. It is immutable and
// safe for concurrent use.
type Program core.Program

func (p *Program) core() *core.Program { return (*core.Program)(p) }

// NewProgram prepares g for bounds of the same kind as b. Errors: [EmptyError] where no depth has
// a derivation, annotations that cannot be kept, [ErrCyclic], [MemoryError].
func NewProgram(g *grammar.Grammar, b Bound, o Options) (*Program, error) {
	return newProgram(g, b, o, false)
}

// newProgram is NewProgram; with within, also each derivation being larger than b allows is an
// [EmptyError], which costs little to find.
func newProgram(g *grammar.Grammar, b Bound, o Options, within bool) (*Program, error) {
	if err := b.check(); err != nil {
		return nil, err
	}
	annotations, err := gctx.New(g, o.Names)
	if err != nil {
		return nil, err
	}
	names := (*scope.Names)(annotations)
	facts := scope.Facts(g, names, o.Mask, o.Measure)
	repeat, larger := 0, within && !b.ByDepth() && facts.Productive(g.Root) && facts.Size(g.Root, b.Unit, grammar.Any) > b.Max
	if b.ByDepth() {
		repeat = cmp.Or(b.Repeat, DefaultRepeat)
	}
	empty := &EmptyError{Rule: g.Start.Name, Bound: b, Needs: facts.Size(g.Root, b.Unit, grammar.Any)}
	switch exact := names == nil && o.Containing == ""; {
	case larger && exact:
		empty.Near = []int{empty.Needs}
		return nil, empty
	case larger && empty.Needs > nearMost:
		return nil, empty
	}
	needs, err := scope.Depth(g, names, facts, repeat)
	if err != nil {
		return nil, err
	}
	if needs == grammar.Never || b.ByDepth() && needs > b.Depth {
		return nil, &EmptyError{Rule: g.Start.Name, Bound: Bound{Depth: max(b.Depth, 1), Repeat: repeat}, Needs: needs, Names: facts.Productive(g.Root)}
	}
	var parts core.Automaton
	if o.Containing != "" {
		chains, err := marks.Parse(g, o.Containing)
		if err != nil {
			return nil, err
		}
		if parts, err = marks.New(chains); err != nil {
			return nil, err
		}
	}
	p, err := scope.Program(g, names, parts, facts, b.Unit, repeat, core.Budget(o.MaxMemory))
	switch {
	case larger && err != nil:
		return nil, empty
	case larger:
		return nil, (*Program)(p).EmptyError(b)
	}
	return (*Program)(p), err
}

// NewTable fills a table for a bound of the same kind, and with the same options, as those of the
// program. Errors are those of [New].
func NewTable(ctx context.Context, p *Program, b Bound, o Options) (*Table, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	least := b.Min
	if b.ByDepth() {
		least = b.Depth
	}
	t, err := core.NewTable(ctx, p.core(), least, b.Steps(), o.Progress)
	if err != nil {
		return nil, p.withFlags(b, err)
	}
	if t.Total().Sign() == 0 {
		return nil, p.EmptyError(b)
	}
	return (*Table)(t), nil
}

// withFlags adds flags of a smaller bound to a [MemoryError] of the table for b.
func (p *Program) withFlags(b Bound, err error) error {
	if tooBig := new(MemoryError); errors.As(err, &tooBig) {
		tooBig.What, tooBig.Fits = fmt.Sprintf("exact tables for %v", b), p.flags(tooBig.Step)
	}
	return err
}

// Occurs returns an [EmptyError] where no size within the bound has a derivation. It looks at
// small sizes first, and never beyond 2¹³, since the search takes quadratic time. The other error
// is [MemoryError].
func (p *Program) Occurs(b Bound) error {
	for most := b.Min; most <= 1<<13; most = min(2*most+64, b.Max) {
		feasible, err := p.core().Feasible(most)
		if err != nil || slices.Contains(feasible[b.Min:], true) {
			return err
		}
		if most == b.Max {
			return p.EmptyError(b)
		}
	}
	return nil
}

// nearMost bounds the sizes among which the nearest one above a bound is looked for, as does twice the bound.
const nearMost = 1 << 11

// EmptyError returns the [EmptyError] of a bound without a sentence, with the sizes
// near it that have one.
func (p *Program) EmptyError(b Bound) error {
	e := &EmptyError{Rule: p.Grammar.Start.Name, Bound: b, Needs: p.Facts.Depth(p.Grammar.Root, grammar.Any)}
	if b.ByDepth() {
		return e
	}
	e.Needs = p.Facts.Size(p.Grammar.Root, b.Unit, grammar.Any)
	// A feasible size above may lie far off; twice the bound, or the least size, and 64 more is far enough.
	feasible, err := p.core().Feasible(2*max(b.Max, min(e.Needs, nearMost)) + 64)
	e.unknown = err != nil && e.Needs <= b.Max
	if err != nil {
		return e
	}
	for n, occurs := range slices.Backward(feasible[:b.Min]) {
		if occurs {
			e.Near = append(e.Near, n)
			break
		}
	}
	if more := slices.Index(feasible[b.Max+1:], true); more >= 0 {
		e.Near = append(e.Near, b.Max+1+more)
	}
	return e
}

// CheckLength refuses a bound whose sentences are longer than limit bytes on average; the error
// names a bound that works. It also refuses tables that are far too large.
func (p *Program) CheckLength(b Bound, limit int64) error {
	if b.ByDepth() && float64(b.Depth)*float64(len(p.Nodes)) > quickMeans {
		if err := p.core().Ask(b.Depth); err != nil {
			return p.withFlags(b, err)
		}
	}
	mean, fits := p.core().MeanBytes(b.Min, b.Steps(), float64(limit))
	if mean <= float64(limit) {
		return nil
	}
	would := ""
	if flags := p.flags(fits); flags != "" {
		would = "; " + flags + " would fit"
	}
	return fmt.Errorf("sentences within %v have about %s each, more than the %s allowed%s", b, core.Bytes(mean), core.Bytes(float64(limit)), would)
}

// quickMeans is the greatest number of nodes, at all depths, for which the mean length is
// computed before the check that the tables fit.
const quickMeans = 1 << 20

// flags formats a smaller bound of the same kind as command-line flags.
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
