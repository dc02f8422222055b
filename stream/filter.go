package stream

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"math/big"
	"sync"
	"sync/atomic"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/base/random"
	"github.com/gramfuzz/gramfuzz/parse"
	"github.com/gramfuzz/gramfuzz/sample"
)

// defaultBudget is the number of sentences tried for one accepted sentence.
const defaultBudget = 10_000

// Filter returns the stream of the sentences whose trees a function accepts. It tries at most
// budget sentences for one, 10,000 where budget is 0. On average it takes 1/p tries, where p is
// the accepted fraction. The distribution is that of s given acceptance: uniform over the
// accepted derivations if s is uniform. So a filter draws from sets that cannot be counted.
//
// Sentence i is the first accepted one of number i and others far off, so accepted sentences keep
// their numbers. Of a stream with a known length it is the i-th accepted one; to find it, all
// sentences before it are tried.
//
// accept must depend on the tree alone. Several goroutines may call it at once.
func (s *Stream) Filter(accept func(*derive.Tree) bool, budget int) *Stream {
	if budget <= 0 {
		budget = defaultBudget
	}
	f := filter{
		budget: budget, apart: random.Gamma,
		accept: func() accepter {
			return func(_ context.Context, t *derive.Tree) (bool, error) { return accept(t), nil }
		},
		none: func(accepted, tried int64) error {
			if accepted == 0 { // none of n accepted: with 95 % confidence the rate is below 3/n
				return fmt.Errorf("none of %d derivations was accepted: fewer than 3 in %d are, with 95 %% confidence; give a larger budget or another bound",
					tried, tried)
			}
			return fmt.Errorf("none of %d derivations in a row was accepted, and %d of %d in all; give a larger budget or another bound",
				budget, accepted, tried)
		},
	}
	return s.filtered(f)
}

// settled returns the stream of the sentences of g whose texts keep a tree when precedences
// settle the conflicts of the parser.
func (s *Stream) settled(ctx context.Context, g *grammar.Grammar, memory int64) (*Stream, error) {
	p, err := parse.New(ctx, g, parse.Options{Settled: true, MaxMemory: memory})
	if err != nil {
		return nil, err
	}
	return s.filtered(filter{
		budget: defaultBudget, apart: random.Gamma,
		accept: func() accepter {
			p := p.Clone(0)
			return func(ctx context.Context, t *derive.Tree) (bool, error) {
				_, err := p.Parse(ctx, "a sentence", t.Text())
				if errors.As(err, new(*parse.Error)) {
					return false, nil
				}
				return err == nil, err
			}
		},
		none: func(int64, int64) error {
			return fmt.Errorf("of %d sentences in a row precedences leave none a tree; take another bound or start rule", defaultBudget)
		},
	}), nil
}

// accepter decides about one tree, on one goroutine.
type accepter func(context.Context, *derive.Tree) (bool, error)

// filter decides which sentences of a stream are kept.
type filter struct {
	accept func() accepter // for each goroutine
	budget int             // the limit of sentences tried for one
	apart  uint64          // the distance of the numbers that are tried for one sentence
	own    bool            // kept sentences get new numbers
	none   func(accepted, tried int64) error
}

func (s *Stream) filtered(f filter) *Stream {
	if s.len != nil {
		accept := f.accept()
		return s.inOrder(f.budget, func(ctx context.Context, src source, i uint64) (bool, error) {
			_, t, err := src.Draw(ctx, nil, i)
			if err != nil {
				return false, err
			}
			return accept(ctx, t)
		}, f.none)
	}
	rate := &rate{}
	return s.with(func() source { return &filtered{filter: f, src: s.open(), rate: rate, ok: f.accept()} })
}

// rate counts the tries of all sources of a filter.
type rate struct{ accepted, tried atomic.Int64 }

// filtered tries other numbers of an endless stream until a sentence is accepted.
type filtered struct {
	filter
	src  source
	rate *rate
	ok   accepter

	found bool         // the last sentence:
	i, at uint64       // its number here and in src
	text  []byte       // as drawn by src
	tree  *derive.Tree // the tree, owned by src
}

// find draws the accepted sentence with number i.
func (c *filtered) find(ctx context.Context, i uint64) (err error) {
	if c.found && c.i == i {
		return nil
	}
	c.found = false
	for try := range uint64(c.budget) {
		c.i, c.at = i, i+try*c.apart
		if c.text, c.tree, err = c.src.Draw(ctx, c.text[:0], c.at); err != nil {
			return err
		}
		if c.found, err = c.ok(ctx, c.tree); err != nil {
			return err
		}
		c.rate.tried.Add(1)
		if c.found {
			c.rate.accepted.Add(1)
			return nil
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return c.none(c.rate.accepted.Load(), c.rate.tried.Load())
}

func (c *filtered) Append(ctx context.Context, dst []byte, i uint64) ([]byte, error) {
	if err := c.find(ctx, i); err != nil {
		return dst, err
	}
	return append(dst, c.text...), nil
}

func (c *filtered) Tree(ctx context.Context, i uint64) (*derive.Tree, error) {
	if err := c.find(ctx, i); err != nil {
		return nil, err
	}
	return c.tree.Clone(), nil
}

func (c *filtered) Draw(ctx context.Context, dst []byte, i uint64) ([]byte, *derive.Tree, error) {
	dst, err := c.Append(ctx, dst, i)
	return dst, c.tree, err
}

func (c *filtered) Sentence(ctx context.Context, to *sample.Sentence, i uint64) error {
	if err := c.find(ctx, i); err != nil {
		return err
	}
	c.found = false // the next sentence of src overwrites the tree
	return c.src.Sentence(ctx, to, c.at)
}

func (c *filtered) Place(ctx context.Context, i uint64) (Place, error) {
	if c.own {
		return Place{Index: i}, nil
	}
	if err := c.find(ctx, i); err != nil {
		return Place{}, err
	}
	return c.src.Place(ctx, c.at)
}

// inOrder returns the stream of the kept sentences of s, in their order. keep is asked about one
// sentence after the other, never concurrently. The stream ends with an error after budget
// sentences in a row that are not kept.
func (s *Stream) inOrder(budget int, keep func(context.Context, source, uint64) (bool, error), none func(accepted, tried int64) error) *Stream {
	k := &kept{src: s.open(), budget: budget, keep: keep, none: none}
	if s.len != nil {
		k.len = s.len
	}
	r := s.with(func() source {
		src := s.open()
		return routed{func(ctx context.Context, i uint64) (source, uint64, error) {
			at, err := k.number(ctx, i)
			return src, at, err
		}}
	})
	r.len = nil
	return r
}

// kept finds the numbers of kept sentences, for all sources of a stream.
type kept struct {
	budget int
	keep   func(context.Context, source, uint64) (bool, error)
	none   func(accepted, tried int64) error
	len    *big.Int // of the stream; nil: it has no end

	mu      sync.Mutex
	src     source
	next    uint64   // the first number that is not decided
	numbers []uint64 // the numbers of kept sentences
}

// number returns the number of kept sentence i.
func (k *kept) number(ctx context.Context, i uint64) (uint64, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for tries := 0; uint64(len(k.numbers)) <= i; tries++ {
		if k.len != nil && k.len.Cmp(new(big.Int).SetUint64(k.next)) <= 0 {
			return 0, sample.ErrExhausted
		}
		if tries == k.budget {
			return 0, k.none(int64(len(k.numbers)), int64(k.next))
		}
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		ok, err := k.keep(ctx, k.src, k.next)
		if err != nil {
			return 0, err
		}
		if ok {
			k.numbers = append(k.numbers, k.next)
			tries = -1
		}
		k.next++
	}
	return k.numbers[i], nil
}

// mostRepeats is the number of repeats in a row after which a stream without
// repeats ends.
const mostRepeats = 10_000

// NoRepeats returns s without sentences whose text came before. It remembers 24 bytes of each
// text and draws every sentence twice, so that any goroutine may ask for any sentence. After
// 10,000 repeats in a row the stream ends with an [sample.ErrExhausted] that says so, since there
// may be more texts.
func (s *Stream) NoRepeats() *Stream {
	seen := map[[16]byte]bool{}
	var text []byte
	return s.inOrder(mostRepeats, func(ctx context.Context, src source, i uint64) (bool, error) {
		var err error
		if text, err = src.Append(ctx, text[:0], i); err != nil {
			return false, err
		}
		sum := sha256.Sum256(text)
		key := [16]byte(sum[:16])
		known := seen[key]
		seen[key] = true
		return !known, nil
	}, func(accepted, _ int64) error {
		return fmt.Errorf("%w, or nearly: after %d different sentences came %d repeats in a row", sample.ErrExhausted, accepted, mostRepeats)
	})
}
