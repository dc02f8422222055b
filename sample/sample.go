package sample

import (
	"context"
	"errors"
	"fmt"
	"slices"

	gctx "github.com/gramfuzz/gramfuzz/context"
	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/base/random"
	"github.com/gramfuzz/gramfuzz/internal/base/words"
	"github.com/gramfuzz/gramfuzz/sample/internal/fastdraw"
)

// Strategy is a way of drawing sentences.
type Strategy uint8

// The strategies.
const (
	Uniform   Strategy = iota // every derivation within the bound equally likely, exactly
	Walk                      // alternatives equally likely, repetitions continue with probability ½, as in most tools
	Limit                     // a walk; beyond the depth bound, alternatives of least height (Gopinath's LimitFuzzer)
	Weighted                  // a walk by the weights of the alternatives
	Boltzmann                 // each derivation of size n has weight xⁿ; not certified
	Balanced                  // every part of the grammar in its turn: each derivation of a size that has it equally likely, exactly; Uniform by bytes where parts are padded or have lengths of variable width
)

var strategyNames = [...]string{"uniform", "walk", "limit", "weighted", "boltzmann", "balanced"}

func (s Strategy) String() string { return strategyNames[s] }

// ParseStrategy returns the strategy with the given name.
func ParseStrategy(name string) (Strategy, error) {
	for i, n := range strategyNames {
		if n == name {
			return Strategy(i), nil
		}
	}
	return 0, fmt.Errorf("unknown strategy %q; %s", name, words.DidYouMean(name, strategyNames[:]))
}

// Spread is a distribution over the sizes of a range.
type Spread uint8

// The spreads of a range of sizes.
const (
	Even    Spread = iota // each size that occurs is equally likely; uniform within it
	ByCount               // every sentence of the range is equally likely
)

// defaultSpan is the length of the default range of sizes, in terminals. The range begins with
// the least sentence.
const defaultSpan = 50

// binarySpan is the part of the default range of a binary grammar, in bytes, that does not
// depend on the least sentence.
const binarySpan = 200

// Options are the options of [New]. The zero value is valid: the sizes from the least sentence
// to defaultSpan terminals more, each equally likely, and uniform within a size.
type Options struct {
	Bound      count.Bound // the zero value is the default bound
	Spread     Spread      // of a range of sizes
	Strategy   Strategy
	Measure    grammar.Measure
	Names      gctx.Options  // names in an annotated grammar
	Mask       *grammar.Mask // excluded alternatives; nil: none
	Seed       uint64
	Layout     derive.LayoutPolicy // separators, for grammars with tokens; see [derive.Layout]
	Containing string              // Uniform: only derivations with these parts; see count.Options
	Strength   int                 // Balanced: how many parts in order have their turn together, 1 (0 too) to 3
	Mean       int                 // Boltzmann: the mean size, in the unit of Bound; 0 is the middle of the range, or 100
	MaxBytes   int64               // reject bounds whose sentences are longer on average; 0 is DefaultMaxBytes, < 0 no limit
	MaxMemory  int64               // of exact tables, in bytes; 0 is count.DefaultMaxMemory. Compiled parts take at most this and 256 MiB

	// Distinct gives every derivation within the bound once, in a random order. Under a bound
	// of depth, of one size, or with [ByCount], each sentence is uniform over the remaining
	// derivations, as closely as the permutation is random: up to a million derivations
	// exactly, given an ideal key. Over a range of sizes with [Even], the sizes take turns
	// until they are used up, in a random order each round.
	//
	// Measure says which derivations are distinct; a token that is one leaf has a random text.
	// Layout does not count, and is that of [derive.Layout.Lenient]. Strategy must be Uniform.
	// Exact tables take more memory than other uniform sampling; New fails with
	// [count.MemoryError] before making tables that are too large.
	Distinct bool

	Progress func(done float64) // called while tables are made; nil for silence

	// Redrawn is called by sources for every derivation that is redrawn because the lexer does
	// not read it as its tokens, perhaps from several goroutines at once; nil: no calls.
	Redrawn func()

	numberBits int              // tests: numbers rounded to this many bits
	memory     int64            // tests: of the compiled parts
	limits     *fastdraw.Limits // tests, benchmarks: sizes of the compiled parts
}

// DefaultMaxBytes is the default maximum of the mean length of sentences, in bytes.
const DefaultMaxBytes = 1 << 20

// Sampler is a stream of sentences of one grammar within one bound. Sentence i is a function
// of (seed, i) alone, regardless of the source and of the order of draws. A Sampler is safe
// for concurrent use; each goroutine takes a [Source] of its own.
type Sampler struct {
	g     *grammar.Grammar
	o     Options
	names *gctx.Names
	facts *grammar.Facts
	draw  drawer

	layout *derive.Layout                                // nil: none
	mark   func(*grammar.Expr) (mark string, alone bool) // after terminals in the texts of draw, or alone; nil: none

	distinct    *distinct // nil without Options.Distinct
	balanced    *balanced // nil without strategy Balanced
	uncertified *gctx.StatesError
}

// drawer is a way of drawing a sentence: its text, or its record.
type drawer interface {
	source() source
}

type source interface {
	text(ctx context.Context, dst []byte, a attempt) ([]byte, error)
	sentence(ctx context.Context, to *Sentence, a attempt) error
}

// attempt is a try at a sentence, from 0. A further one follows if the lexer does not read the
// text of a derivation as its tokens.
type attempt struct {
	sentence uint64
	try      int

	watch func(text []byte) error // if not nil, a source may call it with the text so far; its error ends the attempt
}

// index is the number of the attempt's stream of bits: first the sentence's own number, then
// one that no sentence has, as long as there are fewer than 2^63.
func (a attempt) index() uint64 {
	if a.try == 0 {
		return a.sentence
	}
	return 1<<63 | random.Mix(random.Mix(a.sentence)+uint64(a.try))>>1
}

// New prepares to draw sentences of g. It fails with [count.EmptyError] where no
// sentence is within the bound, with [count.MemoryError], where sentences are longer
// than MaxBytes, and with the context's error.
func New(ctx context.Context, g *grammar.Grammar, o Options) (*Sampler, error) {
	s, err := newSampler(g, o)
	if err != nil {
		return nil, err
	}
	if o.Bound == (count.Bound{}) && o.Strategy != Limit && o.Strategy != Boltzmann {
		s.o.Bound = DefaultBound(g, s.facts)
	}
	if b := s.o.Bound; b != (count.Bound{}) && !b.ByDepth() && s.facts.Size(g.Root, b.Unit, grammar.Any) > b.Max {
		_, err := count.New(ctx, g, b, s.countOptions()) // it says which sizes there are
		return nil, err
	}
	if o.MaxBytes == 0 {
		s.o.MaxBytes = DefaultMaxBytes
	}
	if err := s.findLayout(); err != nil {
		return nil, err
	}
	switch {
	case o.Containing != "" && o.Strategy != Uniform:
		return nil, fmt.Errorf("derivations with the parts %s are drawn uniformly, not by strategy %v", o.Containing, o.Strategy)
	case o.Distinct:
		s.distinct, err = newDistinct(ctx, s)
		s.draw = s.distinct
	case o.Strategy == Boltzmann:
		s.draw, err = newBoltzmann(ctx, s)
	case o.Strategy == Balanced && !s.resizes():
		s.balanced, err = newBalanced(ctx, s)
		s.draw = s.balanced
	case o.Strategy != Uniform && o.Strategy != Balanced:
		s.draw, err = newWalk(s)
	default:
		s.draw, err = newUniform(ctx, s)
	}
	if states := new(gctx.StatesError); errors.As(err, &states) && !o.Distinct && o.Containing == "" { // a walk cannot restrict parts
		s.uncertified = states
		s.draw, err = newWalk(s)
	}
	if err == nil && s.layout != nil {
		s.draw = &laidOut{s: s, draw: s.draw}
		_, err = s.machine(derive.Options{Layout: s.layout})
	}
	if _, whole := s.draw.(*walk); err == nil && g.Binary && !whole {
		s.draw = &filled{s: s, draw: s.draw}
		_, err = s.machine(derive.Options{})
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

// resizes reports whether bytes are counted and parts add some depending on their size. The
// context of a part then depends on its size, and strategy balanced draws uniformly.
func (s *Sampler) resizes() bool {
	b := s.o.Bound
	return !b.ByDepth() && b.Unit == grammar.Bytes && slices.ContainsFunc(s.g.Exprs, func(e *grammar.Expr) bool { return e.Resize.Adds() })
}

// Uncertified returns nil if the distribution is the requested one. Otherwise it returns the
// reason, a StatesError of package context: there is too much to count with names in play, and
// a walk that keeps the names is used instead.
func (s *Sampler) Uncertified() error {
	if s.uncertified == nil {
		return nil
	}
	return s.uncertified
}

// machine returns a machine that keeps the names.
func (s *Sampler) machine(o derive.Options) (*derive.Machine, error) {
	o.Facts = s.facts
	return gctx.Machine(s.g, s.names, o)
}

// mustMachine is machine after one was made successfully.
func (s *Sampler) mustMachine(o derive.Options) *derive.Machine {
	m, err := s.machine(o)
	if err != nil {
		panic(err)
	}
	return m
}

// DefaultBound returns the bound of the zero [Options]: from the least size to defaultSpan
// terminals more; for a binary grammar to twice the least size plus binarySpan, in bytes. For
// a grammar without sentences it is depth 1, and for one with too long ones only their least depth,
// which [New] refuses with a message.
func DefaultBound(g *grammar.Grammar, f *grammar.Facts) count.Bound {
	unit, span := grammar.Terminals, defaultSpan
	if g.Binary {
		unit, span = grammar.Bytes, binarySpan
	}
	least := f.Size(g.Root, unit, grammar.Any)
	if least == grammar.Never {
		if depth := f.Depth(g.Root, grammar.Any); depth != grammar.Never {
			return count.Depth(depth)
		}
		return count.Depth(1)
	}
	if g.Binary {
		span += least
	}
	return count.Sizes(least, least+span, unit)
}

// Bound returns the bound of the sentences.
func (s *Sampler) Bound() count.Bound { return s.o.Bound }

// Source draws the sentences of a [Sampler]. It is for one goroutine.
type Source struct {
	s    *Sampler
	src  source
	m    *derive.Machine
	last Sentence // scratch
}

// Source returns a new source. All sources of a sampler draw the same sentences.
func (s *Sampler) Source() *Source { return &Source{s: s, src: s.draw.source()} }

// Append appends the text of sentence i to dst. After some draws, uniform sampling allocates
// nothing if dst has enough capacity.
func (c *Source) Append(ctx context.Context, dst []byte, i uint64) ([]byte, error) {
	return c.src.text(ctx, dst, attempt{sentence: i})
}

// Text returns the text of sentence i.
func (c *Source) Text(ctx context.Context, i uint64) (string, error) {
	b, err := c.src.text(ctx, nil, attempt{sentence: i})
	return string(b), err
}

// Sentence sets *to to sentence i. It takes up to four times as long as Append, and allocates
// nothing after some draws into the same *to. Names with strategies other than uniform, and
// layout under context lexing, require a tree.
func (c *Source) Sentence(ctx context.Context, to *Sentence, i uint64) error {
	return c.src.sentence(ctx, to, attempt{sentence: i})
}

// Tree returns the derivation tree of sentence i.
func (c *Source) Tree(ctx context.Context, i uint64) (*derive.Tree, error) {
	if src, ok := c.src.(interface {
		tree(context.Context, attempt) (*derive.Tree, error)
	}); ok {
		return src.tree(ctx, attempt{sentence: i})
	}
	err := c.src.sentence(ctx, &c.last, attempt{sentence: i})
	if err != nil {
		return nil, err
	}
	if c.m == nil {
		if c.m, err = c.s.machine(derive.Options{}); err != nil {
			return nil, err
		}
	}
	return c.m.Run(ctx, derive.Strict(c.last.Choices))
}
