package texts

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/big"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/parse"
	"github.com/gramfuzz/gramfuzz/sample"
)

// Table numbers the distinct texts within a bound, from 0, in the order of the ranks of
// their first trees. To number a text it looks at every tree before its own, and refuses
// if these are more than MaxTries. It is for one goroutine.
type Table struct {
	MaxTries int // trees looked at for a number; 0 is DefaultWalk

	p      *parse.Parser
	table  *count.Table
	layout *derive.Layout
	within parse.Within
}

// tooFar says that a number over texts takes too many trees.
func tooFar(trees *big.Int, most int) error {
	return fmt.Errorf("texts are numbered by looking at every tree before them: %v trees, which is more than %d; "+
		"allow more tries, take a smaller bound, or number trees", trees, most)
}

// NewTable returns the numbered texts of the trees that a table of measure exact
// counts, laid out by layout (nil: not).
func NewTable(p *parse.Parser, table *count.Table, layout *derive.Layout) *Table {
	w := parse.Within{Bound: table.Bound(), Facts: table.Facts(), Names: table.Names()}
	return &Table{p: p, table: table, layout: layout, within: w}
}

// ranked is the trees of a table in the order of their ranks: number i has the rank
// first + i·apart/per.
type ranked struct {
	*Table
	first, apart, per *big.Int
}

func (r *ranked) Tree(_ context.Context, i uint64) (*derive.Tree, error) {
	rank := new(big.Int).SetUint64(i)
	rank.Div(rank.Mul(rank, r.apart), r.per).Add(rank, r.first)
	tree, err := r.table.Unrank(rank)
	if err != nil {
		return nil, err
	}
	return r.layout.Tree(tree, nil)
}

// Shard returns part i of k of the texts, 0 ≤ i < k, in order: those whose first tree
// has a rank that is i modulo k. The k shards have nothing in common, are together all
// texts, and look at their own trees only.
func (t *Table) Shard(i, k int) *Stream {
	first, apart := big.NewInt(int64(i)), big.NewInt(int64(k))
	n := new(big.Int).Sub(t.table.Total(), first)
	n.Add(n, apart).Sub(n, one).Div(n, apart)
	d := NewDistinct(t.p, &ranked{t, first, apart, one}, n, t.within)
	d.MaxTries = t.MaxTries
	return d
}

// Estimate looks at n trees, evenly apart by rank, and returns the part of them that
// are first trees. A text takes 1/Estimate trees on average.
func (t *Table) Estimate(ctx context.Context, n int) (float64, error) {
	total := t.table.Total()
	if total.Cmp(big.NewInt(int64(n))) < 0 {
		n = int(total.Int64())
	}
	n = max(n, 1)
	kept, err := New(t.p, &ranked{t, new(big.Int), total, big.NewInt(int64(n))}, t.within).kept(ctx, 0, n)
	return float64(kept) / float64(n), err
}

func (t *Table) maxTries() int { return cmp.Or(t.MaxTries, DefaultWalk) }

// trees returns the texts of the first n trees, which all may be tried.
func (t *Table) trees(n *big.Int) *Stream {
	d := NewDistinct(t.p, &ranked{t, new(big.Int), one, one}, n, t.within)
	d.MaxTries = t.maxTries() + 1
	return d
}

// Count returns the number of texts.
func (t *Table) Count(ctx context.Context) (uint64, error) {
	return t.before(ctx, t.table.Total())
}

// before counts the texts whose first tree has a lesser rank.
func (t *Table) before(ctx context.Context, rank *big.Int) (uint64, error) {
	if most := t.maxTries(); rank.Cmp(big.NewInt(int64(most))) > 0 {
		return 0, tooFar(rank, most)
	}
	d := t.trees(rank)
	for n := uint64(0); ; n++ {
		if _, err := d.Tree(ctx, n); errors.Is(err, sample.ErrExhausted) {
			return n, nil
		} else if err != nil {
			return 0, err
		}
	}
}

// Rank returns the number of a text. It fails with a *[parse.Error] where text is not a
// sentence, with [count.ErrOutside] where it has no tree within the bound, and where
// there are more than MaxTries trees before it.
func (t *Table) Rank(ctx context.Context, name, text string) (uint64, error) {
	first, err := t.p.First(ctx, name, text, t.within)
	if err != nil {
		return 0, err
	}
	if first == nil {
		return 0, count.ErrOutside
	}
	rank, err := t.table.Rank(first)
	if err != nil {
		return 0, err
	}
	return t.before(ctx, rank)
}

// Unrank returns the first tree of text number i. It fails where there are not so many
// texts, and where there are more than MaxTries trees before it.
func (t *Table) Unrank(ctx context.Context, i *big.Int) (*derive.Tree, error) {
	most, total := t.maxTries(), t.table.Total()
	if i.Cmp(big.NewInt(int64(most))) >= 0 && i.Cmp(total) < 0 {
		return nil, tooFar(new(big.Int).Add(i, one), most)
	}
	if total.Cmp(big.NewInt(int64(most))) > 0 {
		total = big.NewInt(int64(most))
	}
	d := t.trees(total)
	for n := uint64(0); ; n++ {
		tree, err := d.Tree(ctx, n)
		switch {
		case err == nil && i.Cmp(new(big.Int).SetUint64(n)) == 0:
			return tree, nil
		case errors.Is(err, sample.ErrExhausted) && total.Cmp(t.table.Total()) < 0:
			return nil, tooFar(t.table.Total(), most)
		case errors.Is(err, sample.ErrExhausted):
			return nil, fmt.Errorf("text %v is out of range: there are %d texts within %v, numbered from 0", i, n, t.table.Bound())
		case err != nil:
			return nil, err
		}
	}
}
