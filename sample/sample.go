package sample

import (
	"context"
	"errors"
	"fmt"

	gctx "github.com/gramfuzz/gramfuzz/context"
	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/lex"
)

// Strategy says how sentences are drawn.
type Strategy uint8

// The strategies.
const (
	Uniform   Strategy = iota // every derivation within the bound equally likely, exactly
	Walk                      // alternatives equally likely, go-on coin ½: what most tools do
	Limit                     // a walk; past the depth bound, alternatives of least cost (Gopinath's LimitFuzzer)
	Weighted                  // a walk by the weights of the alternatives
	Boltzmann                 // each derivation of size n has weight xⁿ; not certified
)

var strategyNames = [...]string{"uniform", "walk", "limit", "weighted", "boltzmann"}

func (s Strategy) String() string { return strategyNames[s] }

// ParseStrategy returns the strategy of that name.
func ParseStrategy(name string) (Strategy, error) {
	for i, n := range strategyNames {
		if n == name {
			return Strategy(i), nil
		}
	}
	return 0, fmt.Errorf("there is no strategy %q; there are %v", name, strategyNames)
}

// Spread says how sizes of a range are weighed against each other.
type Spread uint8

// The spreads of a range of sizes.
const (
	Even    Spread = iota // each size that occurs is equally likely; uniform within it
	ByCount               // every sentence of the range is equally likely
)

// DefaultSpan is how many terminals more than the least sentence has the default
// bound of a Sampler allows.
const DefaultSpan = 50

// Options tells New what to draw. The zero value is valid: sentences of every
// size from the least to the least + DefaultSpan terminals, each size equally
// likely and uniform within.
type Options struct {
	Bound     count.Bound // the zero value is the default bound
	Spread    Spread      // of a range of sizes
	Strategy  Strategy
	Measure   grammar.Measure
	Names     gctx.Options  // how the names of an annotated grammar are taken
	Mask      *grammar.Mask // what is switched off; nil: nothing
	Seed      uint64
	Layout    lex.Policy // what stands between tokens, in grammars whose texts are cut into tokens; see [derive.Layout]
	Mean      int        // Boltzmann: the mean size, in the unit of Bound; 0 is the middle of the range, or 100
	MaxBytes  int64      // refuse bounds whose sentences are longer on average; 0 is DefaultMaxBytes, < 0 no limit
	MaxMemory int64      // of exact tables, in bytes; 0 is count.DefaultMaxMemory

	// Brief prepares for few draws, some thousands at most: less is compiled
	// before the first ones, and later ones cost more. By size, the first thousand
	// of a large grammar take a small part of the time then. The sentences are
	// others than without it.
	Brief bool

	Progress func(done float64) // called while tables are made; nil for silence

	// Redrawn is called by sources for every derivation that no lexer reads as its
	// tokens, which they draw anew; nil: nobody is told.
	Redrawn func()

	numberBits int     // tests: numbers rounded to so few bits
	limits     *limits // tests, benchmarks: sizes of the compiled parts
}

// DefaultMaxBytes is the mean length of sentences that is still made.
const DefaultMaxBytes = 1 << 20

// Sampler draws sentences of one grammar within one bound. Sentence i is a
// function of (seed, i) alone, whoever draws it and in whatever order. A Sampler
// is safe for concurrent use; each goroutine takes a [Source] of its own.
type Sampler struct {
	g     *grammar.Grammar
	o     Options
	names *gctx.Names
	facts *grammar.Facts
	draw  drawer

	uncertified *gctx.StatesError
}

// drawer is a way of drawing a sentence: its text, or all that is recorded of it.
type drawer interface {
	source() source
}

type source interface {
	text(ctx context.Context, dst []byte, index uint64) ([]byte, error)
	sentence(ctx context.Context, to *Sentence, index uint64) error
}

// New prepares to draw sentences of g. Errors: [count.EmptyError] when nothing
// is within the bound, [count.MemoryError], sentences longer than MaxBytes, the context's.
func New(ctx context.Context, g *grammar.Grammar, o Options) (*Sampler, error) {
	s, err := newSampler(g, o)
	if err != nil {
		return nil, err
	}
	if o.Bound == (count.Bound{}) && o.Strategy != Limit && o.Strategy != Boltzmann {
		s.o.Bound = s.defaultBound()
	}
	if o.MaxBytes == 0 {
		s.o.MaxBytes = DefaultMaxBytes
	}
	switch {
	case o.Strategy == Boltzmann:
		s.draw, err = newBoltzmann(ctx, s)
	case o.Strategy != Uniform:
		s.draw, err = newWalk(s)
	case s.o.Bound.ByDepth():
		s.draw, err = newByDepth(ctx, s)
	default:
		s.draw, err = newBySize(ctx, s)
	}
	if states := new(gctx.StatesError); errors.As(err, &states) {
		s.uncertified = states
		s.draw, err = newWalk(s)
	}
	if err == nil {
		err = s.withLayout()
	}
	if err != nil {
		return nil, err
	}
	return s, nil
}

func newSampler(g *grammar.Grammar, o Options) (*Sampler, error) {
	names, err := gctx.New(g, o.Names)
	if err != nil {
		return nil, err
	}
	return &Sampler{g: g, o: o, names: names, facts: gctx.Facts(g, names, o.Mask, o.Measure)}, nil
}

// Uncertified returns nil, or why the distribution is not the one asked for: a
// [gctx.StatesError] where there is too much to count with names in play. Names
// are kept all the same, by a walk.
func (s *Sampler) Uncertified() error {
	if s.uncertified == nil {
		return nil
	}
	return s.uncertified
}

// defaultBound is from the least size to DefaultSpan terminals more.
func (s *Sampler) defaultBound() count.Bound {
	least := s.facts.Size(s.g.Root, grammar.Terminals, grammar.Any)
	if least == grammar.Never {
		return count.Depth(1) // refused with a message
	}
	return count.Sizes(least, least+DefaultSpan, grammar.Terminals)
}

// Bound returns the bound in force.
func (s *Sampler) Bound() count.Bound { return s.o.Bound }

// Source draws sentences; it belongs to one goroutine.
type Source struct {
	s    *Sampler
	src  source
	m    *derive.Machine
	made Sentence // scratch
}

// Source returns a new source. All sources of a sampler draw the same sentences.
func (s *Sampler) Source() *Source { return &Source{s: s, src: s.draw.source()} }

// Append appends the text of sentence i to dst. Uniform sampling allocates
// nothing once its tables are warm and dst has room.
func (c *Source) Append(ctx context.Context, dst []byte, i uint64) ([]byte, error) {
	return c.src.text(ctx, dst, i)
}

// Text returns the text of sentence i.
func (c *Source) Text(ctx context.Context, i uint64) (string, error) {
	b, err := c.src.text(ctx, nil, i)
	return string(b), err
}

// Choices returns the choice sequence of sentence i.
func (c *Source) Choices(ctx context.Context, i uint64) ([]int, error) {
	var s Sentence
	err := c.src.sentence(ctx, &s, i)
	return s.Choices, err
}

// Sentence makes *to sentence i: the same one as the other methods draw, with
// what is recorded of it. Where no layout is put between tokens and the
// strategy is uniform or boltzmann it takes two to four times as long as Append, and
// allocates nothing once its tables are warm and *to was in use before; else a
// tree is made.
func (c *Source) Sentence(ctx context.Context, to *Sentence, i uint64) error {
	return c.src.sentence(ctx, to, i)
}

// Tree returns the derivation tree of sentence i.
func (c *Source) Tree(ctx context.Context, i uint64) (*derive.Tree, error) {
	if src, ok := c.src.(*layoutSource); ok {
		return src.tree(ctx, i)
	}
	err := c.src.sentence(ctx, &c.made, i)
	if err != nil {
		return nil, err
	}
	if c.m == nil {
		if c.m, err = c.s.machine(derive.Options{}); err != nil {
			return nil, err
		}
	}
	return c.m.Run(ctx, derive.Strict(c.made.Choices))
}
