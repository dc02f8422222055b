package count

import (
	"context"
	"math/big"

	gctx "github.com/gramfuzz/gramfuzz/context"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/scope"
)

// DefaultMaxMemory is what exact tables may take where Options.MaxMemory is 0.
const DefaultMaxMemory = 2 << 30

// Options tells New how to count. The zero value is valid.
type Options struct {
	Mask      *grammar.Mask   // what is switched off; nil: nothing
	Measure   grammar.Measure // structure: a token is one leaf
	Names     gctx.Options    // how the names of an annotated grammar are taken
	MaxMemory int64           // bytes that exact tables may take; 0 is DefaultMaxMemory

	// Progress is called now and then with the part of the work that is done,
	// 0 to 1; nil for silence.
	Progress func(done float64)
}

// Table holds exact numbers of derivations below every decision, for every
// depth or size up to a bound.
//
// What it counts are derivations (trees), not texts: in an ambiguous grammar a
// text counts once for each of its trees. The element of an unbounded
// repetition beyond the least number derives a text that is not empty.
//
// By depth, a node's number at d counts its derivations of height at most d;
// unbounded repetitions are cut at max(min, repeat) elements. By size, its
// number at n counts the derivations of exactly n of the unit.
//
// Building costs, with P products in the grammar, P·depth multiplications by
// depth and P·n²/2 by size, of numbers as long as the counts themselves; memory
// is the number of nodes times the bound times the length of a count, and is
// estimated before.
//
// A Table is immutable and may be used by any number of goroutines.
type Table struct {
	Bound   Bound
	Program *Program
	counts  [][]*big.Int // [step][node]; nil is 0
	total   *big.Int
}

var one = big.NewInt(1)
var zero = new(big.Int)

// New counts the derivations of the start rule of g within the bound. Errors:
// [EmptyError] where there is none, [MemoryError] where the tables would not
// fit (before they are made), the context's.
func New(ctx context.Context, g *grammar.Grammar, b Bound, o Options) (*Table, error) {
	p, err := NewProgram(g, b, o)
	if err != nil {
		return nil, err
	}
	return NewTable(ctx, p, b, o)
}

// NewProgram prepares g for counting; see [Program].
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
	return lower(g, g.Root, names, facts, b.Unit, b.ByDepth(), b.repeat())
}

// NewTable fills a table for a program made for a bound of the same kind.
func NewTable(ctx context.Context, p *Program, b Bound, o Options) (*Table, error) {
	if o.MaxMemory == 0 {
		o.MaxMemory = DefaultMaxMemory
	}
	if err := p.checkMemory(ctx, b, o.MaxMemory); err != nil {
		return nil, err
	}
	t := &Table{Bound: b, Program: p}
	fill := t.fillSizes
	if b.ByDepth() {
		fill = t.fillDepths
	}
	if err := fill(ctx, o.Progress); err != nil {
		return nil, err
	}
	t.total = new(big.Int)
	if b.ByDepth() {
		t.total.Set(t.At(b.Depth))
	} else {
		for n := b.Min; n <= b.Max; n++ {
			t.total.Add(t.total, t.At(n))
		}
	}
	if t.total.Sign() == 0 {
		return nil, p.EmptyError(b)
	}
	return t, nil
}

// EmptyError says which sizes are near a bound that has no sentence.
func (p *Program) EmptyError(b Bound) error {
	e := &EmptyError{Rule: p.Grammar.Start.Name, Bound: b, Needs: p.Facts.Depth(p.Grammar.Root, grammar.Any)}
	if b.ByDepth() {
		return e
	}
	// A feasible size above may lie far off; twice the bound and some is far enough.
	feasible := p.feasible(2*b.Max + 64)
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

// Total returns the number of derivations within the bound. The caller must not
// change it.
func (t *Table) Total() *big.Int { return t.total }

// At returns the number of derivations of height at most step, or of size
// exactly step; 0 beyond the table. The caller must not change it.
func (t *Table) At(step int) *big.Int { return t.Count(t.Program.Root, step) }

// Count returns the number of derivations of a node at a depth or size; 0
// beyond the table. The caller must not change it.
func (t *Table) Count(id NodeID, step int) *big.Int {
	if step < 0 || step >= len(t.counts) {
		return zero
	}
	if c := t.counts[step][id]; c != nil {
		return c
	}
	return zero
}
