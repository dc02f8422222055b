package texts

import (
	"cmp"
	"context"
	"fmt"
	"math/big"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/parse"
	"github.com/gramfuzz/gramfuzz/sample"
)

// Trees is a stream of trees: tree i is a function of i alone.
type Trees interface {
	Tree(ctx context.Context, i uint64) (*derive.Tree, error)
}

// Stream makes a stream of trees one of texts. It keeps a tree if it is the first one
// of its text, see [parse.Parser.IsFirst]. Where every tree within the bound is equally
// likely, so is every distinct text, exactly. It is for one goroutine.
type Stream struct {
	MaxTries int // trees tried for one text; 0 is DefaultTries, with NewDistinct DefaultWalk

	trees  Trees
	p      *parse.Parser
	within parse.Within
	walk   *walk // nil: any text can be asked for
}

// walk is the place of a [Stream] that gives its texts in order.
type walk struct {
	len  *big.Int // of the trees
	at   *big.Int // the next tree
	next uint64   // the next text
}

// Numbers of trees that are tried where Stream.MaxTries is 0.
const (
	DefaultTries = 10_000    // for one text
	DefaultWalk  = 1_000_000 // for the next text in order, and for a number of a [Table]
)

const triesApart = 1 << 40 // between the trees that are tried for one text

var one = big.NewInt(1)

// New returns the texts of a stream of trees within w. Text i is the first that is kept
// of the trees i, i + 2^40, i + 2·2^40, …, and so a function of i alone.
func New(p *parse.Parser, trees Trees, w parse.Within) *Stream {
	return &Stream{trees: trees, p: p, within: w}
}

// NewDistinct returns the texts of a stream of len trees without repetition, in which
// no text repeats either. A shard of the trees gives a shard of the texts. It gives
// texts 0, 1, 2, … in this order alone: the next is found by trying the trees after the
// last. After the last text its error is [sample.ErrExhausted].
func NewDistinct(p *parse.Parser, trees Trees, len *big.Int, w parse.Within) *Stream {
	return &Stream{trees: trees, p: p, within: w, walk: &walk{len: len, at: new(big.Int)}}
}

// tooAmbiguous says that none of the trees that were tried is the first one of its
// text: there are too many trees to a text.
func tooAmbiguous(tried int) error {
	return fmt.Errorf("of %d trees none is the canonical one of its text: the grammar is too ambiguous within this bound; "+
		"take a smaller bound or draw over trees", tried)
}

// Tree returns the first tree of text i. It fails after MaxTries trees, and with the
// errors of the stream of trees and of [parse.Parser.IsFirst].
func (t *Stream) Tree(ctx context.Context, i uint64) (*derive.Tree, error) {
	if t.walk != nil {
		return t.walkTo(ctx, i)
	}
	most := cmp.Or(t.MaxTries, DefaultTries)
	for n := range most {
		if tree, kept, err := t.try(ctx, i+uint64(n)*triesApart); kept || err != nil {
			return tree, err
		}
	}
	return nil, tooAmbiguous(most)
}

// walkTo returns the first tree of text i, which is the next one.
func (t *Stream) walkTo(ctx context.Context, i uint64) (*derive.Tree, error) {
	w := t.walk
	if i != w.next {
		return nil, fmt.Errorf("text %d was asked for, text %d is next", i, w.next)
	}
	most := cmp.Or(t.MaxTries, DefaultWalk)
	for tries := 0; w.at.Cmp(w.len) < 0 && w.at.IsUint64(); tries++ {
		if tries == most {
			return nil, tooAmbiguous(tries)
		}
		at := w.at.Uint64()
		w.at.Add(w.at, one)
		tree, kept, err := t.try(ctx, at)
		if err != nil {
			return nil, err
		}
		if kept {
			w.next++
			return tree, nil
		}
	}
	return nil, sample.ErrExhausted
}

// try returns tree i, and whether it is the first one of its text.
func (t *Stream) try(ctx context.Context, i uint64) (*derive.Tree, bool, error) {
	tree, err := t.trees.Tree(ctx, i)
	if err != nil {
		return nil, false, err
	}
	first, err := t.p.IsFirst(ctx, tree, t.within)
	return tree, first, err
}

// Append appends text i to dst. Its errors are those of [Stream.Tree].
func (t *Stream) Append(ctx context.Context, dst []byte, i uint64) ([]byte, error) {
	tree, err := t.Tree(ctx, i)
	if err != nil {
		return dst, err
	}
	return tree.AppendText(dst), nil
}

// Estimate tries n trees, or all if there are fewer, and returns the part of them that
// is kept: 1 for an unambiguous grammar. A text costs 1/Estimate trees on average. It is
// an error if none is kept. Texts that are drawn are independent of it.
func (t *Stream) Estimate(ctx context.Context, n int) (float64, error) {
	first := uint64(1 << 63) // far from the trees that make texts
	if t.walk != nil {
		first = 0
		if t.walk.len.IsInt64() {
			n = int(min(int64(n), t.walk.len.Int64()))
		}
	}
	if n == 0 {
		return 1, nil
	}
	kept, err := t.kept(ctx, first, n)
	if err == nil && kept == 0 {
		err = tooAmbiguous(n)
	}
	return float64(kept) / float64(n), err
}

// kept tries n trees and returns the number of those that are kept.
func (t *Stream) kept(ctx context.Context, first uint64, n int) (kept int, err error) {
	for i := range uint64(n) {
		if _, ok, err := t.try(ctx, first+i); err != nil {
			return 0, err
		} else if ok {
			kept++
		}
	}
	return kept, nil
}
