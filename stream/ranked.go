package stream

import (
	"context"
	"math/big"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/internal/core"
	"github.com/gramfuzz/gramfuzz/internal/core/scope"
	"github.com/gramfuzz/gramfuzz/sample"
)

// Ranked returns the stream of all derivations within the table's bound, each once: sentence i
// has rank i. layout separates the tokens; nil is tight. A sentence costs a [count.Table.Unrank].
func Ranked(t *count.Table, layout *derive.Layout) *Stream {
	p := (*core.Table)(t).Program()
	s := New(p.Grammar, t.Bound(), t.Total(), func() Source {
		m, err := scope.Machine(p.Grammar, scope.NamesOf(p), derive.Options{Facts: p.Facts})
		return &ranked{table: t, layout: layout, machine: m, err: err}
	})
	s.facts = t.Facts()
	return s
}

type ranked struct {
	table   *count.Table
	layout  *derive.Layout
	machine *derive.Machine
	err     error // the error of making the machine
	rank    big.Int
}

// draft makes the tree of a rank, which the next one overwrites.
func (r *ranked) draft(ctx context.Context, i uint64) (*derive.Tree, error) {
	if r.err != nil {
		return nil, r.err
	}
	if r.rank.SetUint64(i).Cmp(r.table.Total()) >= 0 {
		return nil, sample.ErrExhausted
	}
	choices, err := r.table.UnrankChoices(&r.rank)
	if err != nil {
		return nil, err
	}
	t, err := r.machine.Draft(ctx, derive.Strict(choices))
	if err != nil || r.layout == nil {
		return t, err
	}
	return r.layout.Tree(t, nil)
}

func (r *ranked) Append(ctx context.Context, dst []byte, i uint64) ([]byte, error) {
	dst, _, err := r.Draw(ctx, dst, i)
	return dst, err
}

func (r *ranked) Tree(ctx context.Context, i uint64) (*derive.Tree, error) {
	t, err := r.draft(ctx, i)
	if err != nil {
		return nil, err
	}
	return t.Clone(), nil
}

func (r *ranked) Draw(ctx context.Context, dst []byte, i uint64) ([]byte, *derive.Tree, error) {
	t, err := r.draft(ctx, i)
	if err != nil {
		return dst, nil, err
	}
	return t.AppendText(dst), t, nil
}

func (r *ranked) Place(_ context.Context, i uint64) (Place, error) {
	return Place{Index: i, Rank: new(big.Int).SetUint64(i)}, nil
}
