package guide

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"

	gctx "github.com/gramfuzz/gramfuzz/context"
	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/base/ahead"
	"github.com/gramfuzz/gramfuzz/internal/core/treeedit"
	"github.com/gramfuzz/gramfuzz/internal/lexical/lex"
	"github.com/gramfuzz/gramfuzz/internal/records/record"
	"github.com/gramfuzz/gramfuzz/mutate"
	"github.com/gramfuzz/gramfuzz/stream"
)

// SentenceOptions determine the sentences that a [Sentences] makes. The zero value is valid.
type SentenceOptions struct {
	Bound      count.Bound         // of sentences drawn from scratch; the zero value is that of package sample
	Generators []stream.Generator  // of sentences drawn from scratch; nil is stream.DefaultMix
	Names      gctx.Options        // handling of names in an annotated grammar
	Layout     derive.LayoutPolicy // text between tokens; see [derive.Layout]
	Hooks      func() derive.Hooks // custom hooks; nil: those of the annotations

	// Texts makes loop cover also change texts byte by byte. The results need not be sentences,
	// and so reach the error handling of a program.
	Texts bool

	// Words is the dictionary for changes of texts; nil is that of package mutate.
	Words []string

	// Seeds are sentences from elsewhere. A quarter of the drawn sentences get one of their
	// subtrees, and an operator inserts them into others.
	Seeds []*derive.Tree

	// Parse returns the tree of a text whose computed fields may be wrong, for [Options].Compare;
	// nil: there is no parser.
	Parse func(ctx context.Context, text []byte) (*derive.Tree, error)

	// MaxBytes bounds the texts of inputs made from others; 0 is 8 KiB. A longer seed is run,
	// but little is made from it.
	MaxBytes int
}

// defaultMaxBytes is the default of MaxBytes.
const defaultMaxBytes = 8 << 10

// Sentences is the source of a loop's inputs: the sentences of a grammar. It belongs to
// one loop.
type Sentences struct {
	g       *grammar.Grammar
	o       SentenceOptions
	machine *derive.Machine
	laidOut bool                                  // the machine has a layout
	drawn   func(context.Context) (*Input, error) // the next sentence; nil until the first draw
	ahead   context.Context                       // nil: sentences are drawn on demand
	stop    func()
	grow    *grower // nil until the first use
	damager *mutate.Damager

	tried   map[uint32]int                  // changes tried for comparisons, by place in the program
	stored  *treeedit.Store                 // nil: there are no seeds
	smaller func(*derive.Tree) func() []int // nil until the first use
}

// NewSentences returns the source of the sentences of g. It returns an error for too many
// namespaces and for a lexer that cannot be built.
func NewSentences(g *grammar.Grammar, o SentenceOptions) (*Sentences, error) {
	if o.MaxBytes == 0 {
		o.MaxBytes = defaultMaxBytes
	}
	s := &Sentences{g: g, o: o, stored: treeedit.NewStore(o.Seeds), tried: map[uint32]int{}}
	// A node stands for about a byte; the bound also ends derivations with many empty nodes.
	m := derive.Options{MaxNodes: 16*o.MaxBytes + 1<<16}
	layout, err := derive.NewLayout(g, o.Layout)
	if err != nil {
		return nil, err
	}
	if layout != nil {
		m.Layout, s.laidOut = layout, true
	}
	if o.Hooks != nil {
		m.Hooks = o.Hooks()
	}
	names, err := gctx.New(g, o.Names)
	if err != nil {
		return nil, err
	}
	if s.machine, err = gctx.Machine(g, names, m); err != nil {
		return nil, err
	}
	s.damager, err = mutate.New(mutate.Options{Share: 1, Words: o.Words, Grammar: g})
	return s, err
}

// Ahead makes Random draw its sentences in advance on another goroutine, until ctx ends or stop
// is called. The sentences are the same.
func (s *Sentences) Ahead(ctx context.Context) (stop func()) {
	s.ahead, s.stop = ctx, func() {}
	return func() { s.stop() }
}

// Random draws a sentence by strategy mixed of package stream. It may be a draft.
func (s *Sentences) Random(ctx context.Context, rng *rand.Rand) (*Input, error) {
	if s.drawn == nil {
		p := &stream.Plan{Strategy: stream.Mixed, Mix: s.o.Generators, Seed: rng.Uint64(), Bound: record.Bound(s.o.Bound)}
		mixed, err := p.Open(ctx, s.g, stream.Options{Hooks: s.o.Hooks})
		if err != nil {
			return nil, err
		}
		src, n := mixed.Source(), uint64(0)
		s.drawn = func(ctx context.Context) (*Input, error) {
			t, err := src.Tree(ctx, n)
			if err != nil {
				return nil, err
			}
			n++
			return FromTree(t, "random"), nil
		}
		if s.ahead != nil {
			v := ahead.Start(s.ahead, s.drawn)
			s.drawn, s.stop = v.Next, v.Stop
		}
	}
	in, err := s.drawn(ctx)
	if err != nil {
		return nil, err
	}
	if s.stored != nil && rng.Float64() < treeedit.GraftShare {
		if c := s.stored.Replace(rng, in.Tree); c != nil {
			if grafted, err := s.Replay(ctx, c, "random"); grafted != nil || err != nil {
				return grafted, err
			}
		}
	}
	if !s.laidOut {
		return in, nil
	}
	t, err := fitting(s.machine.Draft(ctx, derive.Replay(in.Choices)))
	if t == nil {
		return in, err
	}
	return drafted(t, "random"), nil
}

// Trivial returns the minimal sentence, or one drawn at random where that has no layout.
func (s *Sentences) Trivial(ctx context.Context) (*Input, error) {
	t, err := fitting(s.machine.Run(ctx, derive.Replay(nil)))
	switch {
	case err != nil:
		return nil, err
	case t == nil:
		return s.Random(ctx, rand.New(rand.NewPCG(0, 0)))
	}
	return FromTree(t, "trivial"), nil
}

// keeps reports whether loops can derive others from an input.
func (s *Sentences) keeps(in *Input) bool { return in.Tree != nil || s.o.Texts }

// Replay returns the input for an arbitrary choice sequence, a draft; nil if it is larger than
// MaxBytes, grows without end, or has no layout in which the lexer reads its tokens.
func (s *Sentences) Replay(ctx context.Context, choices []int, from string) (*Input, error) {
	t, err := fitting(s.machine.Draft(ctx, derive.Replay(choices)))
	if t == nil || err != nil {
		return nil, err
	}
	if in := drafted(t, from); len(in.Text) <= s.o.MaxBytes {
		return in, nil
	}
	return nil, nil
}

// drafted is FromTree for a draft.
func drafted(t *derive.Tree, from string) *Input {
	in := FromTree(t, from)
	in.Draft = true
	return in
}

// Tree returns the tree for an arbitrary choice sequence; nil where Replay gives none for its tree.
func (s *Sentences) Tree(ctx context.Context, choices []int) (*derive.Tree, error) {
	return fitting(s.machine.Run(ctx, derive.Replay(choices)))
}

// fitting takes the outcome of a derivation. One that grows too large or cannot be laid out is no
// error and gives no tree.
func fitting(t *derive.Tree, err error) (*derive.Tree, error) {
	switch {
	case errors.Is(err, derive.ErrTooLarge), errors.As(err, new(*lex.JoinError)):
		return nil, nil
	case err != nil:
		return nil, err
	}
	return t, nil
}

// grower returns the source's grower.
func (s *Sentences) grower(ctx context.Context) (*grower, error) {
	if s.grow == nil {
		var err error
		if s.grow, err = newGrower(ctx, s.g); err != nil {
			return nil, err
		}
	}
	return s.grow, nil
}

// regrown returns an input with the subtree of node i redrawn, with about most terminals at
// most.
func (s *Sentences) regrown(ctx context.Context, rng *rand.Rand, in *Input, i, most int, from string) (*Input, error) {
	sub, err := s.redrawn(ctx, rng, in, i, most)
	if sub == nil || err != nil {
		return nil, err
	}
	return s.Replay(ctx, everywhere(in.Tree, []int{i}, sub), from)
}

// redrawn returns other choices of node i, with about most terminals at most.
func (s *Sentences) redrawn(ctx context.Context, rng *rand.Rand, in *Input, i, most int) ([]int, error) {
	grow, err := s.grower(ctx)
	if err != nil {
		return nil, err
	}
	n := &in.Tree.Nodes()[i]
	if sub := grow.draw(rng, n.Expr, most); sub != nil {
		return sub, nil
	}
	return s.redone(ctx, in, i, n.From, nil, rng, most)
}

// redone returns new choices of node i from choice cut on, which is inside the node. They begin
// with begin, continue with the given number of fair draws, and end with the minimal
// derivation.
func (s *Sentences) redone(ctx context.Context, in *Input, i, cut int, begin []int, rng *rand.Rand, draws int) ([]int, error) {
	prefix := append(in.Choices[:cut:cut], begin...)
	t, err := fitting(s.machine.Draft(ctx, newTail(prefix, rng, draws)))
	if t == nil || err != nil || i >= len(t.Nodes()) {
		return nil, err
	}
	return slices.Clone(t.Choices()[t.Nodes()[i].From:t.Nodes()[i].To]), nil
}
