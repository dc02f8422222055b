package count

import (
	"context"
	"fmt"
	"math/big"

	gctx "github.com/gramfuzz/gramfuzz/context"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/core"
	"github.com/gramfuzz/gramfuzz/internal/core/scope"
)

// DefaultMaxMemory bounds a table, in bytes, where Options.MaxMemory is 0.
const DefaultMaxMemory = core.DefaultBudget

// Options controls counting. The zero value is valid.
type Options struct {
	Mask    *grammar.Mask   // alternatives that are switched off; nil: none
	Measure grammar.Measure // structure: a token is one leaf
	Names   gctx.Options    // how names of an annotated grammar are chosen

	// Containing demands parts: alternatives ("rule/0", and "rule/1.0" of the rule's choice 1, in
	// the order written) and bodies of repetitions ("rule/*", "rule/1.*"). "a/1,b/2" counts the
	// derivations that have both. "a/1<b/2" counts those in which b/2 begins after a/1 does, and
	// "a/1<a/1" those that have a/1 twice. One part can double the table; a chain of T parts
	// makes it up to T + 1 times as large.
	Containing string

	MaxMemory int64 // the limit of a table in bytes; 0 is DefaultMaxMemory

	// Progress is called now and then with the fraction of the work that is done, 0 to 1; nil is
	// silent.
	Progress func(done float64)
}

// Table holds exact numbers of derivations below every decision, for every depth or size up to a
// bound.
//
// It counts derivations (trees), not texts: an ambiguous text counts once for each of its trees.
// An element of an unbounded repetition beyond the least number derives a text that is not empty.
//
// By depth, a node's number at d counts its derivations of height at most d; unbounded
// repetitions are cut at max(min, repeat) elements. By size, its number at n counts the
// derivations of exactly n units.
//
// With P products in the grammar, building a table costs P·depth multiplications by depth, and
// P·n²/2 by size, of numbers as long as the counts. Memory is the number of nodes times the bound
// times the length of a count; it is estimated before any is taken.
//
// A Table is immutable and safe for concurrent use.
type Table core.Table

func (t *Table) core() *core.Table { return (*core.Table)(t) }

// New counts the derivations of the start rule of g within the bound. Errors:
// [EmptyError] where there is none, [MemoryError] where the tables would not
// fit (before they are made), the context's.
func New(ctx context.Context, g *grammar.Grammar, b Bound, o Options) (*Table, error) {
	p, err := newProgram(g, b, o, true)
	if err != nil {
		return nil, err
	}
	return NewTable(ctx, p, b, o)
}

// Bound returns the bound that the table was made for.
func (t *Table) Bound() Bound {
	p := t.core().Program()
	least, most := t.core().Steps()
	if p.ByDepth() {
		return Bound{Depth: most, Repeat: p.Repeat(), Unit: p.Unit}
	}
	return Bound{Min: least, Max: most, Unit: p.Unit}
}

// Facts returns the least depths and sizes under the table's mask and measure.
func (t *Table) Facts() *grammar.Facts { return t.core().Program().Facts }

// Names returns the names of an annotated grammar, nil for others.
func (t *Table) Names() *gctx.Names { return (*gctx.Names)(scope.NamesOf(t.core().Program())) }

// Total returns the number of derivations within the bound. The caller must not
// change it.
func (t *Table) Total() *big.Int { return t.core().Total() }

// At returns the number of derivations of height at most step, or of size
// exactly step; 0 beyond the table. The caller must not change it.
func (t *Table) At(step int) *big.Int { return t.core().At(step) }

// Rank returns the number of a derivation among those within the bound, the inverse of
// [Table.Unrank]. Where tokens are leaves their texts do not count. The error wraps [ErrOutside]
// for a tree that is not counted. Rank costs time linear in the tree times the length of the
// numbers; by size, also in the sizes of elements.
func (t *Table) Rank(tree *derive.Tree) (*big.Int, error) {
	step, rank, err := t.core().Rank(tree)
	if err != nil {
		return nil, err
	}
	least, most := t.core().Steps()
	if step < least || step > most {
		return nil, fmt.Errorf("%w: it has %d %v, %v allows others", ErrOutside, step, t.Bound().Unit, t.Bound())
	}
	for n := least; n < step; n++ {
		rank.Add(rank, t.At(n))
	}
	return rank, nil
}

// Unrank returns the derivation with the given rank, 0 ≤ rank < Total. Where a token is a leaf,
// its text is the first of the least length (or, counting bytes, of the length that the rank
// implies). Errors: [RankError].
//
// Ranks by depth follow the lexicographic order of choice sequences, but for two cases: in an element that
// must have text, derivations whose first part has text come first; with names, derivations with the same
// names in play between two parts are consecutive. Ranks by size begin with the
// smaller sentences. Within one size, a sequence orders derivations by the size of the first
// element, smaller before greater, and equal sizes by choices.
func (t *Table) Unrank(rank *big.Int) (*derive.Tree, error) {
	choices, err := t.UnrankChoices(rank)
	if err != nil {
		return nil, err
	}
	p := t.core().Program()
	m, err := scope.Machine(p.Grammar, scope.NamesOf(p), derive.Options{Facts: p.Facts})
	if err != nil {
		return nil, err
	}
	return m.Run(context.Background(), derive.Strict(choices))
}

// UnrankChoices is Unrank for the choice sequence alone. It costs time linear in the derivation
// times the length of the numbers; by size, also in the sizes of elements.
func (t *Table) UnrankChoices(rank *big.Int) ([]int, error) {
	if rank.Sign() < 0 || rank.Cmp(t.Total()) >= 0 {
		return nil, &RankError{rank, t.Total()}
	}
	step, _ := t.core().Steps()
	rest := new(big.Int).Set(rank)
	for ; rest.Cmp(t.At(step)) >= 0; step++ {
		rest.Sub(rest, t.At(step))
	}
	return t.core().Unrank(t.core().Program().Root, step, rest), nil
}
