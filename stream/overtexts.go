package stream

import (
	"cmp"
	"context"
	"math"

	gctx "github.com/gramfuzz/gramfuzz/context"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/parse"
	"github.com/gramfuzz/gramfuzz/texts"
)

// estimateTries is the number of trees that the cost of a text is estimated from.
const estimateTries = 500

// maxWork bounds the parts of forests that are looked at for one text, as in package texts.
const maxWork = 3_000_000

// perText is the part of the memory, one in so many, that the trees of one text may take:
// to fill it takes seconds.
const perText = 8

// apartOverTexts is between the trees that are tried for one text.
const apartOverTexts = 1 << 40

// overTexts returns the stream of texts, of trees that are equally likely within the
// bound: it keeps a tree if it is the first one of its text within the bound. So
// every distinct text is equally likely, too. The facts are of measure exact. tries
// bounds the trees for one text; 0 is the default of package texts. told estimates how
// many trees a text costs, for a note or an early error.
func (s *Stream) overTexts(ctx context.Context, p *parse.Parser, names *gctx.Names, tries int, told bool) (*Stream, error) {
	within := parse.Within{Bound: s.bound, Facts: s.facts, Names: names}
	canonical := func() accepter {
		p := p.Clone(0)
		tries, work := 0, 0
		return func(ctx context.Context, t *derive.Tree) (bool, error) {
			if work > maxWork {
				err := texts.TooAmbiguous(tries)
				tries, work = 0, 0 // the next sentence is another search
				return false, err
			}
			ok, more, err := p.IsFirst(ctx, t, within)
			tries, work = tries+1, work+more
			if ok {
				tries, work = 0, 0
			}
			return ok, err
		}
	}
	kept := 1.0
	if told {
		var err error
		if kept, err = s.estimate(ctx, canonical()); err != nil {
			return nil, err
		}
	}
	f := filter{accept: canonical, apart: apartOverTexts, own: true, budget: cmp.Or(tries, texts.DefaultTries)}
	if s.len != nil {
		f.budget = cmp.Or(tries, texts.DefaultWalk)
	}
	f.none = func(int64, int64) error { return texts.TooAmbiguous(f.budget) }
	t := s.filtered(f)
	if kept < 0.5 {
		t.note("a text takes about %.0f trees: the grammar is ambiguous", math.Ceil(1/kept))
	}
	return t, nil
}

// estimate returns the part of some trees that is canonical. The trees are far from
// those that make texts, so that these stay independent; of a stream with an end they
// are the first.
func (s *Stream) estimate(ctx context.Context, canonical accepter) (float64, error) {
	first, n := uint64(1)<<63, uint64(estimateTries)
	if s.len != nil {
		first = 0
		if s.len.IsUint64() {
			n = min(n, s.len.Uint64())
		}
		if n == 0 {
			return 1, nil
		}
	}
	src, kept := s.open(), 0
	for i := range n {
		t, err := src.Tree(ctx, first+i)
		if err != nil {
			return 0, err
		}
		ok, err := canonical(ctx, t)
		if err != nil {
			return 0, err
		}
		if ok {
			kept++
		}
	}
	if kept == 0 {
		return 0, texts.TooAmbiguous(int(n))
	}
	return float64(kept) / float64(n), nil
}
