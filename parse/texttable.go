package parse

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/big"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/derive"
)

// TextTable numbers the distinct texts within a bound, from 0, in the order of the
// ranks of their canonical trees. To number a text it looks at every tree before its
// own, and refuses if these are more than MaxTries. It is for one goroutine.
type TextTable struct {
	MaxTries int // trees looked at for a number; 0 is DefaultWalk

	table *count.Table
	texts *Texts
}

// tooFar says that a number over texts takes too many trees.
func tooFar(trees *big.Int, most int) error {
	return fmt.Errorf("texts are numbered by looking at every tree before them: %v trees, which is more than %d; "+
		"allow more tries, take a smaller bound, or number trees", trees, most)
}

// TextTable returns the numbered texts of the trees that a table of measure exact
// counts, laid out by layout (nil: not).
func (p *Parser) TextTable(table *count.Table, layout *derive.Layout) *TextTable {
	texts := p.Texts(&ranked{table, layout, new(big.Int), 1}, table.Bound(), table.Facts())
	texts.Names = table.Names()
	return &TextTable{table: table, texts: texts}
}

// ranked is the trees of a table in the order of their ranks, every so many.
type ranked struct {
	table  *count.Table
	layout *derive.Layout
	first  *big.Int
	apart  uint64
}

func (r *ranked) Tree(_ context.Context, i uint64) (*derive.Tree, error) {
	rank := new(big.Int).SetUint64(i)
	rank.Mul(rank, new(big.Int).SetUint64(r.apart)).Add(rank, r.first)
	tree, err := r.table.Unrank(rank)
	if err != nil {
		return nil, err
	}
	return r.layout.Tree(tree, nil)
}

// Shard returns part i of k of the texts, 0 ≤ i < k, in order: those whose canonical
// tree has a rank that is i modulo k. The k shards have nothing in common, are
// together all texts, and look at their own trees only.
func (t *TextTable) Shard(i, k int) *DistinctTexts {
	part := *t.texts
	trees := *t.texts.trees.(*ranked)
	trees.first, trees.apart = big.NewInt(int64(i)), uint64(k)
	part.trees, part.MaxTries = &trees, t.MaxTries
	n := new(big.Int).Sub(t.table.Total(), big.NewInt(int64(i)))
	n.Add(n, big.NewInt(int64(k-1)))
	return part.Distinct(n.Div(n, big.NewInt(int64(k))))
}

// Estimate looks at n trees, evenly apart by rank, and returns the part of them that
// are canonical. A text takes 1/Estimate trees on average.
func (t *TextTable) Estimate(ctx context.Context, n int) (float64, error) {
	if total := t.table.Total(); total.Cmp(big.NewInt(int64(n))) < 0 {
		n = int(total.Int64())
	}
	kept := 0
	for i := range n {
		rank := new(big.Int).Mul(t.table.Total(), big.NewInt(int64(i)))
		trees := &ranked{t.table, t.texts.trees.(*ranked).layout, rank.Div(rank, big.NewInt(int64(n))), 1}
		tree, err := trees.Tree(ctx, 0)
		if err != nil {
			return 0, err
		}
		ok, err := t.texts.canonical(ctx, tree)
		if err != nil {
			return 0, err
		}
		if ok {
			kept++
		}
	}
	return float64(kept) / float64(max(n, 1)), nil
}

func (t *TextTable) maxTries() int { return cmp.Or(t.MaxTries, DefaultWalk) }

// Count returns the number of texts.
func (t *TextTable) Count(ctx context.Context) (uint64, error) {
	return t.before(ctx, t.table.Total())
}

// before counts the texts whose canonical tree has a lesser rank.
func (t *TextTable) before(ctx context.Context, rank *big.Int) (uint64, error) {
	most := t.maxTries()
	if rank.Cmp(big.NewInt(int64(most))) > 0 {
		return 0, tooFar(rank, most)
	}
	d := t.texts.Distinct(rank)
	d.most = most + 1
	for n := uint64(0); ; n++ {
		if _, err := d.Tree(ctx, n); errors.Is(err, ErrExhausted) {
			return n, nil
		} else if err != nil {
			return 0, err
		}
	}
}

// Rank returns the number of a text. It fails with an *[Error] where text is not a
// sentence, with [count.ErrOutside] where it has no tree within the bound, and where
// there are more than MaxTries trees before it.
func (t *TextTable) Rank(ctx context.Context, name, text string) (uint64, error) {
	first, err := t.texts.first(ctx, name, text)
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

// Unrank returns the canonical tree of text number i. It fails where there are not so
// many texts, and where there are more than MaxTries trees before it.
func (t *TextTable) Unrank(ctx context.Context, i *big.Int) (*derive.Tree, error) {
	most := t.maxTries()
	if i.Cmp(big.NewInt(int64(most))) >= 0 && i.Cmp(t.table.Total()) < 0 {
		return nil, tooFar(new(big.Int).Add(i, one), most)
	}
	total := t.table.Total()
	if total.Cmp(big.NewInt(int64(most))) > 0 {
		total = big.NewInt(int64(most))
	}
	d := t.texts.Distinct(total)
	d.most = most + 1
	for n := uint64(0); ; n++ {
		tree, err := d.Tree(ctx, n)
		switch {
		case err == nil && i.Cmp(new(big.Int).SetUint64(n)) == 0:
			return tree, nil
		case errors.Is(err, ErrExhausted) && total.Cmp(t.table.Total()) < 0:
			return nil, tooFar(t.table.Total(), most)
		case errors.Is(err, ErrExhausted):
			return nil, fmt.Errorf("text %v is out of range: there are %d texts within %v, numbered from 0", i, n, t.table.Bound())
		case err != nil:
			return nil, err
		}
	}
}
