package sample

import (
	"context"
	"fmt"
	"sync/atomic"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/internal/splitmix"
)

// defaultBudget is the number of derivations tried for one sentence where the
// budget of a [Filter] is 0.
const defaultBudget = 10_000

// Filter is a stream of those sentences of a sampler that a function accepts. It tries
// until one is accepted: 1/p tries for a sentence, where p is the accepted part. The
// distribution is the sampler's, given acceptance: uniform over the accepted
// derivations if the sampler is uniform. So it samples from sets that cannot be
// counted.
//
// Sentence i depends on the seed, the function and i alone. A Filter is safe for
// concurrent use; each goroutine takes a source of its own.
type Filter struct {
	s        *Sampler
	accept   func(*derive.Tree) bool
	budget   int
	tried    atomic.Int64
	accepted atomic.Int64
}

// NewFilter returns a filter that tries at most budget derivations for a sentence,
// 10,000 where budget is 0. accept must depend on the tree alone; several goroutines
// may call it at once.
func NewFilter(s *Sampler, accept func(*derive.Tree) bool, budget int) *Filter {
	if budget <= 0 {
		budget = defaultBudget
	}
	return &Filter{s: s, accept: accept, budget: budget}
}

// Rate returns the numbers of derivations accepted and tried so far.
func (f *Filter) Rate() (accepted, tried int64) { return f.accepted.Load(), f.tried.Load() }

// Source returns a new source; all sources of a Filter draw the same sentences.
func (f *Filter) Source() *FilterSource { return &FilterSource{f: f, src: f.s.Source()} }

// FilterSource draws the sentences of a [Filter]. It belongs to one goroutine.
type FilterSource struct {
	f   *Filter
	src *Source
}

// Tree returns the derivation tree of sentence i. Where no try of the budget was
// accepted, the error says how rare accepted derivations are. Other errors are the
// sampler's.
func (c *FilterSource) Tree(ctx context.Context, i uint64) (*derive.Tree, error) {
	for try := range c.f.budget {
		t, err := c.src.Tree(ctx, tryIndex(i, try))
		if err != nil {
			return nil, err
		}
		c.f.tried.Add(1)
		if c.f.accept(t) {
			c.f.accepted.Add(1)
			return t, nil
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	return nil, c.f.noneAccepted(i)
}

// noneAccepted is the error of sentence i, whose tries were all refused. None of n
// means, with 95 % confidence, less than 3 in n.
func (f *Filter) noneAccepted(i uint64) error {
	accepted, tried := f.Rate()
	if accepted == 0 {
		return fmt.Errorf("none of %d derivations was accepted: fewer than 3 in %d are, with 95 %% confidence; give a larger budget or another bound",
			tried, tried)
	}
	return fmt.Errorf("none of %d derivations was accepted for sentence %d, and %d of %d in all; give a larger budget or another bound",
		f.budget, i, accepted, tried)
}

// tryIndex returns the sampler's sentence that is tried for sentence i: first its own,
// so that a filter leaves accepted sentences in place, then others far off. Multiples
// of the golden ratio keep all tries of all sentences apart.
func tryIndex(i uint64, try int) uint64 {
	if try == 0 {
		return i
	}
	return i + uint64(try)*splitmix.Gamma
}

// Append appends the text of sentence i to dst. Errors are those of Tree.
func (c *FilterSource) Append(ctx context.Context, dst []byte, i uint64) ([]byte, error) {
	t, err := c.Tree(ctx, i)
	if err != nil {
		return dst, err
	}
	return t.AppendText(dst), nil
}

// Text returns the text of sentence i. Errors are those of Tree.
func (c *FilterSource) Text(ctx context.Context, i uint64) (string, error) {
	b, err := c.Append(ctx, nil, i)
	return string(b), err
}
