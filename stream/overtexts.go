package stream

import (
	"cmp"
	"context"
	"math"

	gctx "github.com/gramfuzz/gramfuzz/context"
	"github.com/gramfuzz/gramfuzz/internal/records/canonical"
	"github.com/gramfuzz/gramfuzz/parse"
	"github.com/gramfuzz/gramfuzz/texts"
)

// estimateTries is the number of trees from which the cost of a text is estimated.
const estimateTries = 500

// apartOverTexts is the distance of the numbers of trees that are tried for one text.
const apartOverTexts = 1 << 40

// overTexts returns a stream of texts, made from trees that are equally likely within the bound:
// it keeps a tree if it is the first one of its text within the bound. So every distinct text is
// equally likely. The facts have measure exact. tries bounds the trees for one text; 0 is the
// default of package texts. told estimates the number of trees per text, for a note or an early
// error.
func (s *Stream) overTexts(ctx context.Context, p *parse.Parser, names *gctx.Names, tries int, told bool) (*Stream, error) {
	within := parse.Within{Bound: s.bound, Facts: s.facts, Names: names}
	first := func() accepter {
		search := canonical.Search{Parser: p.Clone(0), Within: within}
		return search.Accept
	}
	kept := 1.0
	if told {
		var err error
		if kept, err = s.estimate(ctx, first()); err != nil {
			return nil, err
		}
	}
	f := filter{accept: first, apart: apartOverTexts, own: true, budget: cmp.Or(tries, texts.DefaultTries)}
	if s.len != nil {
		f.budget = cmp.Or(tries, texts.DefaultWalk)
	}
	f.none = func(int64, int64) error { return canonical.TooAmbiguous(f.budget) }
	t := s.filtered(f)
	if kept < 0.5 {
		t.note("a text takes about %.0f trees: the grammar is ambiguous", math.Ceil(1/kept))
	}
	return t, nil
}

// estimate returns the canonical fraction of some trees. These trees are far from those that
// become texts, so that the texts stay independent. In a finite stream they are the first trees.
func (s *Stream) estimate(ctx context.Context, isFirst accepter) (float64, error) {
	from, n := uint64(1)<<63, uint64(estimateTries)
	if s.len != nil {
		from = 0
		if s.len.IsUint64() {
			n = min(n, s.len.Uint64())
		}
		if n == 0 {
			return 1, nil
		}
	}
	src, kept := s.open(), 0
	for i := range n {
		t, err := src.Tree(ctx, from+i)
		if err != nil {
			return 0, err
		}
		ok, err := isFirst(ctx, t)
		if err != nil {
			return 0, err
		}
		if ok {
			kept++
		}
	}
	if kept == 0 {
		return 0, canonical.TooAmbiguous(int(n))
	}
	return float64(kept) / float64(n), nil
}
