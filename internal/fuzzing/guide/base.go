package guide

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/gramfuzz/gramfuzz/internal/base/random"
)

// base is the shared part of all loops: it runs the test and counts.
type base struct {
	trees
	test Test
	o    Options
	rng  *rand.Rand

	tests, lastNew int
	seen           LabelSet
	operators      map[string]*OperatorStats
	fresh          []Label // of the last run, until the next
	found          int     // edges and names first seen in the last run
	begun          bool
	all            bool // every run has to show all labels
}

func newBase(src *Sentences, test Test, o Options) *base {
	return &base{
		test: test, o: o,
		trees:     trees{src: src, max: maxNodes},
		rng:       rand.New(rand.NewPCG(random.Next(o.Seed), random.Next(o.Seed+1))),
		operators: map[string]*OperatorStats{},
	}
}

// begin adds the minimal input once, so that the inputs grown from it start small.
func (b *base) begin(ctx context.Context, add func(context.Context, *Input) error) error {
	if b.begun {
		return nil
	}
	b.begun = true
	in, err := b.src.Trivial(ctx)
	if err != nil {
		return err
	}
	return add(ctx, in)
}

// completed returns a copy of an input from elsewhere with its missing fields filled in.
func completed(in *Input) *Input {
	c := *in
	if c.Tree != nil {
		c.Choices = c.Tree.Choices()
		if c.Text == nil {
			c.Text = c.Tree.AppendText(nil)
		}
	}
	if c.From == "" {
		c.From = "seed"
	}
	return &c
}

// run runs an input and returns its labels. b.fresh holds the labels seen for the first time;
// b.found counts the edges and names never seen before.
func (b *base) run(ctx context.Context, in *Input) ([]Label, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	in.All = in.All || b.all
	labels, err := b.test(ctx, in)
	if err != nil {
		return nil, err
	}
	b.tests++
	b.fresh, b.found = b.fresh[:0], 0
	for _, l := range labels {
		fresh, first := b.seen.Add(l)
		if fresh {
			b.fresh = append(b.fresh, l)
		}
		if first {
			b.found++
		}
	}
	op := b.operator(in.From)
	op.Tests++
	op.Labels += len(b.fresh)
	if len(b.fresh) > 0 {
		b.lastNew = b.tests
		if b.o.Fresh != nil {
			b.o.Fresh(in, slices.Clone(b.fresh))
		}
	}
	return labels, nil
}

func (b *base) operator(name string) *OperatorStats {
	op := b.operators[name]
	if op == nil {
		op = &OperatorStats{Name: name}
		b.operators[name] = op
	}
	return op
}

func (b *base) stats(examples int) Stats {
	s := Stats{Tests: b.tests, Labels: b.seen.Len(), Examples: examples, LastNew: b.lastNew}
	for _, op := range b.operators {
		s.Operators = append(s.Operators, *op)
	}
	slices.SortFunc(s.Operators, func(a, b OperatorStats) int { return strings.Compare(a.Name, b.Name) })
	return s
}
