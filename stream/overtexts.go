package stream

import (
	"cmp"
	"context"
	"math"

	gctx "github.com/gramfuzz/gramfuzz/context"
	"github.com/gramfuzz/gramfuzz/internal/canonical"
	"github.com/gramfuzz/gramfuzz/parse"
	"github.com/gramfuzz/gramfuzz/texts"
)

// estimateTries is the number of trees that the cost of a text is estimated from.
const estimateTries = 500

// apartOverTexts is between the trees that are tried for one text.
const apartOverTexts = 1 << 40

// overTexts returns the stream of texts, of trees that are equally likely within the
// bound: it keeps a tree if it is the first one of its text within the bound. So
// every distinct text is equally likely, too. The facts are of measure exact. tries
// bounds the trees for one text; 0 is the default of package texts. told estimates how
// many trees a text costs, for a note or an early error.
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

// estimate returns the part of some trees that is canonical. The trees are far from
// those that make texts, so that these stay independent; of a stream with an end they
// are the first.
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
