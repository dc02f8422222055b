package texts

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"iter"
	"math/big"

	gctx "github.com/gramfuzz/gramfuzz/context"
	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/internal/records/canonical"
	"github.com/gramfuzz/gramfuzz/parse"
)

// Table numbers the distinct texts within a bound, from 0, in the order of the ranks of their
// first trees, those with the lowest ranks. To number a text it looks at every tree before the first tree of that text; it
// fails if these are more than MaxTries. It is for one goroutine.
type Table struct {
	MaxTries int // the limit of trees looked at for a number; 0 is DefaultWalk

	p      *parse.Parser
	table  *count.Table
	layout *derive.Layout
	within parse.Within
	m      *derive.Machine // of the trees; nil until there is one
}

// The default limits of trees that are tried.
const (
	DefaultTries = 10_000    // for one text that is drawn
	DefaultWalk  = 1_000_000 // for the next text in order, and for the number of a [Table]
)

var one = big.NewInt(1)

// tooFar is the error that a number over texts takes too many trees.
func tooFar(trees *big.Int, most int) error {
	return fmt.Errorf("texts are numbered by looking at every tree before them: %v trees, which is more than %d; "+
		"allow more --tries, take a smaller bound, or number trees", trees, most)
}

// NewTable returns the numbered texts of the trees that a table of measure exact counts, laid out
// by layout (nil: no layout).
func NewTable(p *parse.Parser, table *count.Table, layout *derive.Layout) *Table {
	w := parse.Within{Bound: table.Bound(), Facts: table.Facts(), Names: table.Names()}
	return &Table{p: p, table: table, layout: layout, within: w}
}

// first yields the first trees of texts among n trees, in order; tree i has the rank from +
// i·apart. It ends with an error after most trees in a row without a first tree. Of all trees it keeps
// a hash of each text; of a shard, and beyond maxHashes, the first tree is the one whose choices come
// first.
func (t *Table) first(ctx context.Context, from, apart, n *big.Int, most int) iter.Seq2[*derive.Tree, error] {
	return func(yield func(*derive.Tree, error) bool) {
		rank := new(big.Int).Set(from)
		search := canonical.Search{Parser: t.p, Within: t.within, Tries: most}
		known, repeated := map[[16]byte]bool{}, 0
		var text []byte
		for i := new(big.Int); i.Cmp(n) < 0; i.Add(i, one) {
			tree, err := t.tree(ctx, rank)
			ok, hash := false, [16]byte{}
			if err == nil && apart.Cmp(one) == 0 {
				text = tree.AppendText(text[:0])
				sum := sha256.Sum256(text)
				hash = [16]byte(sum[:16])
			}
			switch {
			case err != nil:
			case known[hash]:
				repeated++
				if repeated == most {
					err = canonical.TooAmbiguous(most)
				}
			case apart.Cmp(one) == 0 && len(known) < maxHashes:
				known[hash], ok, repeated = true, true, 0
			default:
				ok, err = search.Accept(ctx, tree)
			}
			if err != nil {
				yield(nil, err)
				return
			}
			if ok && !yield(tree.Clone(), nil) {
				return
			}
			rank.Add(rank, apart)
		}
	}
}

// tree returns the tree of a rank. The next one overwrites it.
func (t *Table) tree(ctx context.Context, rank *big.Int) (*derive.Tree, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	choices, err := t.table.UnrankChoices(rank)
	if err != nil {
		return nil, err
	}
	if t.m == nil {
		if t.m, err = gctx.Machine(t.p.Grammar(), t.within.Names, derive.Options{Facts: t.within.Facts, Layout: t.layout}); err != nil {
			return nil, err
		}
	}
	return t.m.Draft(ctx, derive.Strict(choices))
}

// Shard yields the first trees of part i of k of the texts, 0 ≤ i < k, in order: those whose rank
// is i modulo k. The k shards are disjoint and together have all texts. Each looks at its own
// trees only.
func (t *Table) Shard(ctx context.Context, i, k int) iter.Seq2[*derive.Tree, error] {
	from, apart := big.NewInt(int64(i)), big.NewInt(int64(k))
	n := new(big.Int).Sub(t.table.Total(), from)
	n.Add(n, apart).Sub(n, one).Div(n, apart)
	return t.first(ctx, from, apart, n, t.maxTries())
}

// Estimate looks at n trees, evenly spaced by rank, and returns the fraction of first trees. A
// text takes 1/Estimate trees on average.
func (t *Table) Estimate(ctx context.Context, n int) (float64, error) {
	total := t.table.Total()
	if total.Cmp(big.NewInt(int64(n))) < 0 {
		n = int(total.Int64())
	}
	kept, work := 0, 0
	for i := range n {
		rank := new(big.Int).Mul(total, big.NewInt(int64(i)))
		tree, err := t.tree(ctx, rank.Div(rank, big.NewInt(int64(n))))
		if err != nil {
			return 0, err
		}
		ok, more, err := t.p.IsFirst(ctx, tree, t.within)
		if err != nil {
			return 0, err
		}
		if ok {
			kept++
		}
		work += more
		if work > canonical.MaxWork/8 {
			n = i + 1
			break
		}
	}
	return float64(kept) / float64(max(n, 1)), nil
}

func (t *Table) maxTries() int { return cmp.Or(t.MaxTries, DefaultWalk) }

// Count returns the number of texts. It keeps a hash of each.
func (t *Table) Count(ctx context.Context) (uint64, error) {
	return t.before(ctx, t.table.Total(), nil)
}

// maxHashes limits the hashes of texts that are kept, to about 80 MiB.
const maxHashes = 1 << 21

// before counts the texts of the trees with lower ranks, up to that of the given tree, which may be nil.
func (t *Table) before(ctx context.Context, rank *big.Int, of *derive.Tree) (n uint64, err error) {
	most, text := t.maxTries(), ""
	if of != nil {
		text = of.Text()
	}
	if rank.Cmp(big.NewInt(int64(most))) > 0 {
		return 0, tooFar(rank, most)
	}
	for tree, err := range t.first(ctx, new(big.Int), one, rank, most+1) {
		if err != nil || of != nil && tree.Text() == text {
			return n, err
		}
		n++
	}
	return n, nil
}

// Rank returns the number of a text. It fails with a *[parse.Error] where text is not a sentence,
// with [count.ErrOutside] where it has no tree within the bound, and where more than MaxTries
// trees come before the one whose choices come first.
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
	first, err = t.tree(ctx, rank) // as it is laid out here
	if err != nil {
		return 0, err
	}
	return t.before(ctx, rank, first.Clone())
}

// Unrank returns the first tree of text number i. It fails where there are fewer texts, and where
// more than MaxTries trees come before it.
func (t *Table) Unrank(ctx context.Context, i *big.Int) (*derive.Tree, error) {
	most, total := t.maxTries(), t.table.Total()
	if i.Cmp(big.NewInt(int64(most))) >= 0 && i.Cmp(total) < 0 {
		return nil, tooFar(new(big.Int).Add(i, one), most)
	}
	if total.Cmp(big.NewInt(int64(most))) > 0 {
		total = big.NewInt(int64(most))
	}
	n := uint64(0)
	for tree, err := range t.first(ctx, new(big.Int), one, total, most+1) {
		if err != nil || i.Cmp(new(big.Int).SetUint64(n)) == 0 {
			return tree, err
		}
		n++
	}
	if total.Cmp(t.table.Total()) < 0 {
		return nil, tooFar(t.table.Total(), most)
	}
	return nil, fmt.Errorf("text %v is out of range: there are %d texts within %v, numbered from 0", i, n, t.table.Bound())
}
