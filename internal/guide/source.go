package guide

import (
	"context"
	"math/rand/v2"
)

// Source makes inputs: sentences of a grammar ([NewSentences]) or plain bytes
// ([NewBytes]), which are a grammar of one line. A Source belongs to one loop.
type Source interface {
	// Random draws an input by itself.
	Random(ctx context.Context, rng *rand.Rand) (*Input, error)

	// Trivial returns the least input.
	Trivial(ctx context.Context) (*Input, error)

	// keeps reports whether loops can go on from an input.
	keeps(in *Input) bool

	// expand lists larger inputs made from one, drawn ones first, then every one
	// of a kind (up to a limit), in the order in which loop labels tries them.
	expand(rng *rand.Rand, in *Input) candidates

	// steps lists what is one small change away from an input, for loop cover: what
	// expand does, and, where that only makes inputs longer, what is as long.
	steps(rng *rand.Rand, in *Input) candidates

	// shrink lists smaller inputs made from one, the smallest first.
	shrink(in *Input) candidates

	// operators are the ways in which loop cover changes an input.
	operators() []operator

	// prefixes returns every prefix of an input, the empty and the whole one
	// included, by length. extend draws an input that begins with a prefix; nil
	// where none came.
	prefixes(in *Input) []prefix
	extend(ctx context.Context, rng *rand.Rand, p prefix) (*Input, error)
}

// prefix is the beginning of an input: its text, and what choices made it.
type prefix struct {
	text    []byte
	choices []int
}

// candidates returns the next input of a list: nil and no error at the end.
type candidates func(ctx context.Context) (*Input, error)

// operator changes an input. It returns nil where it does not apply; other is
// an example to take parts from.
type operator struct {
	name string
	text bool // it changes texts, whatever they are
	make func(ctx context.Context, rng *rand.Rand, in, other *Input) (*Input, error)
}
