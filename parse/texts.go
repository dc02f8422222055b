package parse

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"

	gctx "github.com/gramfuzz/gramfuzz/context"
	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
)

// Trees is a stream of trees: tree i is a function of i alone.
type Trees interface {
	Tree(ctx context.Context, i uint64) (*derive.Tree, error)
}

// Texts makes a stream of trees one of texts. It keeps a tree if it is the canonical
// one of its text within the bound. Where every tree within the bound is equally
// likely, so is every distinct text, exactly. It is for one goroutine.
//
// Text i is the first that is kept of the trees i, i + 2^40, i + 2·2^40, …, and so a
// function of i alone.
type Texts struct {
	MaxTries int // trees tried for one text; 0 is DefaultTries

	// Names are those that the trees were drawn with; nil: none. The canonical tree of
	// a text is the first within the bound that obeys them.
	Names *gctx.Names

	trees Trees
	p     *Parser
	bound count.Bound
	facts *grammar.Facts
}

// DefaultTries is the number of trees tried for one text where Texts.MaxTries is 0.
const DefaultTries = 10_000

const triesApart = 1 << 40 // between the trees that are tried for one text

// Texts returns the texts of a stream of trees within the bound. The facts are those
// that the trees were drawn with, of measure exact (nil: nothing masked).
func (p *Parser) Texts(trees Trees, b count.Bound, facts *grammar.Facts) *Texts {
	if facts == nil {
		facts = p.g.Facts(nil, grammar.Exact)
	}
	return &Texts{trees: trees, p: p, bound: b, facts: facts}
}

// tooAmbiguous says that no tree of those that were tried is the canonical one of
// its text: there are too many trees to a text.
func tooAmbiguous(tried int) error {
	return fmt.Errorf("of %d trees none is the canonical one of its text: the grammar is too ambiguous within this bound; "+
		"take a smaller bound or draw over trees", tried)
}

// Tree returns the canonical tree of text i. It fails after MaxTries trees, and with
// the errors of the stream and of [Parser.Parse].
func (t *Texts) Tree(ctx context.Context, i uint64) (*derive.Tree, error) {
	most := t.MaxTries
	if most == 0 {
		most = DefaultTries
	}
	for n := range most {
		tree, err := t.trees.Tree(ctx, i+uint64(n)*triesApart)
		if err != nil {
			return nil, err
		}
		ok, err := t.canonical(ctx, tree)
		if err != nil {
			return nil, err
		}
		if ok {
			return tree, nil
		}
	}
	return nil, tooAmbiguous(most)
}

// Append appends text i to dst.
func (t *Texts) Append(ctx context.Context, dst []byte, i uint64) ([]byte, error) {
	tree, err := t.Tree(ctx, i)
	if err != nil {
		return dst, err
	}
	return tree.AppendText(dst), nil
}

// Estimate tries n trees and returns the part of them that is kept: 1 for an
// unambiguous grammar. A text costs 1/Estimate trees on average. It is an error if
// none is kept.
func (t *Texts) Estimate(ctx context.Context, n int) (float64, error) {
	return t.estimate(ctx, 1<<63, n) // far from the trees that make texts, so that these stay independent
}

func (t *Texts) estimate(ctx context.Context, first uint64, n int) (float64, error) {
	kept := 0
	for i := range uint64(n) {
		tree, err := t.trees.Tree(ctx, first+i)
		if err != nil {
			return 0, err
		}
		ok, err := t.canonical(ctx, tree)
		if err != nil {
			return 0, err
		}
		if ok {
			kept++
		}
	}
	if kept == 0 {
		return 0, tooAmbiguous(n)
	}
	return float64(kept) / float64(n), nil
}

// ErrExhausted is the error of a [DistinctTexts] that has given every text.
var ErrExhausted = errors.New("there are no more texts")

// DistinctTexts is a stream in which every text comes once. It is for one goroutine,
// and gives texts 0, 1, 2, … in this order alone: the next is found by trying the
// trees after the last.
type DistinctTexts struct {
	t    *Texts
	len  *big.Int // of the trees
	at   *big.Int // the next tree
	next uint64   // the next text
	most int      // trees tried for one text
}

// DefaultWalk is the number of trees tried in order, for the next of [DistinctTexts]
// where Texts.MaxTries is 0, and for a number of a [TextTable].
const DefaultWalk = 1_000_000

// Distinct returns the texts of a stream of len trees without repetition, in which no
// text repeats either. A shard of the stream gives a shard of the texts.
func (t *Texts) Distinct(len *big.Int) *DistinctTexts {
	most := t.MaxTries
	if most == 0 {
		most = DefaultWalk
	}
	return &DistinctTexts{t: t, len: len, at: new(big.Int), most: most}
}

// Estimate is [Texts.Estimate] on the first n trees, or on all if there are fewer.
func (d *DistinctTexts) Estimate(ctx context.Context, n int) (float64, error) {
	if d.len.Sign() == 0 {
		return 1, nil
	}
	if d.len.IsInt64() {
		n = int(min(int64(n), d.len.Int64()))
	}
	return d.t.estimate(ctx, 0, n)
}

// Tree returns the canonical tree of text i. It fails with [ErrExhausted] after the
// last text, and where there are more than MaxTries trees between two texts.
func (d *DistinctTexts) Tree(ctx context.Context, i uint64) (*derive.Tree, error) {
	if i != d.next {
		return nil, fmt.Errorf("text %d was asked for, text %d is next", i, d.next)
	}
	for tries := 0; d.at.Cmp(d.len) < 0 && d.at.IsUint64(); tries++ {
		if tries == d.most {
			return nil, tooAmbiguous(tries)
		}
		at := d.at.Uint64()
		d.at.Add(d.at, one)
		tree, err := d.t.trees.Tree(ctx, at)
		if err != nil {
			return nil, err
		}
		if ok, err := d.t.canonical(ctx, tree); err != nil {
			return nil, err
		} else if ok {
			d.next++
			return tree, nil
		}
	}
	return nil, ErrExhausted
}

// Append appends text i to dst.
func (d *DistinctTexts) Append(ctx context.Context, dst []byte, i uint64) ([]byte, error) {
	tree, err := d.Tree(ctx, i)
	if err != nil {
		return dst, err
	}
	return tree.AppendText(dst), nil
}

// canonical reports whether a tree is the canonical one of its text within the
// bound: of all trees of the text within it, the one whose choices come first.
func (t *Texts) canonical(ctx context.Context, tree *derive.Tree) (bool, error) {
	forest, err := t.forest(ctx, "a sentence", tree.Text(), tree.Gaps != nil)
	if err != nil {
		return false, err
	}
	n, err := forest.Count(ctx)
	if err != nil {
		return false, err
	}
	if n.Cmp(one) == 0 && !forest.lexed {
		return true, nil
	}
	first, err := t.firstIn(ctx, forest)
	if err != nil || first == nil {
		return false, err
	}
	return slices.Equal(first.Choices(), tree.Choices()), nil
}

// forest returns the trees of a text. Without layout every derivation counts, not
// only those that the lexer would see.
func (t *Texts) forest(ctx context.Context, name, text string, layout bool) (*Forest, error) {
	p := t.p
	if p.lexer != nil && !layout {
		var err error
		if p, err = p.characters(ctx); err != nil {
			return nil, err
		}
	}
	return p.Parse(ctx, name, text)
}

// first returns the canonical tree of a text within the bound, nil if the text
// has none within it. Messages call the text name. Errors: those of
// [Parser.Parse].
func (t *Texts) first(ctx context.Context, name, text string) (*derive.Tree, error) {
	forest, err := t.p.Parse(ctx, name, text)
	if err != nil {
		return nil, err
	}
	first, err := t.firstIn(ctx, forest)
	if err != nil || !forest.lexed || first != nil && first.Gaps != nil {
		return first, err
	}
	if forest, err = t.forest(ctx, name, text, false); err != nil {
		return nil, err
	}
	return t.firstIn(ctx, forest)
}

// firstIn returns the first tree within the bound, nil if there is none.
func (t *Texts) firstIn(ctx context.Context, forest *Forest) (*derive.Tree, error) {
	if t.Names != nil {
		return t.firstObeying(ctx, forest)
	}
	within, err := forest.within(ctx, t.bound, t.facts)
	if err != nil {
		return nil, err
	}
	return within.tree(ctx)
}

// firstObeying returns the first tree of a text within the bound that obeys the
// names, nil if there is none. Trees are looked at one by one: past maxObeying the
// error is [ErrUndecided].
func (t *Texts) firstObeying(ctx context.Context, forest *Forest) (*derive.Tree, error) {
	tried := 0
	for other, err := range forest.All(ctx) {
		if err != nil {
			return nil, err
		}
		if named, err := t.Names.Convert(other); err == nil && t.holds(named) {
			return named, nil
		}
		if tried++; tried == maxObeying {
			n, err := forest.Count(ctx)
			if err != nil {
				return nil, err
			}
			return nil, undecided(n, tried)
		}
	}
	return nil, nil
}

// holds reports whether a tree is within the bound.
func (t *Texts) holds(tree *derive.Tree) bool {
	b := t.bound
	if !b.ByDepth() {
		n := derive.Size(tree, t.facts, b.Unit)
		return n >= b.Min && n <= b.Max
	}
	repeat := b.Repeat
	if repeat == 0 {
		repeat = count.DefaultRepeat
	}
	for i := range tree.Nodes {
		n := &tree.Nodes[i]
		if e := n.Expr; e.Op == grammar.Rep && e.Max < 0 && !n.Name && n.Val > max(e.Min, repeat) {
			return false
		}
	}
	return derive.Depth(tree, t.facts) <= b.Depth
}
