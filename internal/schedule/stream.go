package schedule

import (
	"context"
	"fmt"
	"slices"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/splitmix"
	"github.com/gramfuzz/gramfuzz/mutate"
	"github.com/gramfuzz/gramfuzz/sample"
	"github.com/gramfuzz/gramfuzz/swarm"
)

// Block is the number of sentences that a generator draws in its turn.
const Block = 64

// DefaultDamage is the share of the sentences that are damaged by default.
const DefaultDamage = 0.25

// Generator is a way of drawing.
type Generator struct {
	RandomWeights bool            // walks with random weights; Strategy is not used
	Strategy      sample.Strategy // how to draw otherwise
	Swarm         swarm.Mode      // Off: the whole grammar

	// Span bounds the size to so many terminals more than the least, where
	// Options has no bound; 0 is sample.DefaultSpan.
	Span int
}

// smallSpan is the Span of the default generator that draws uniformly. Its tables grow
// with the size, and take time at first: up to a millisecond a sentence among the
// first thousands, as long as thirty walks.
const smallSpan = 10

// Default returns the default generators.
func Default() []Generator {
	walk, swarmed := Generator{RandomWeights: true}, Generator{RandomWeights: true, Swarm: swarm.Both}
	four := []Generator{walk, swarmed, walk, walk}
	return append(slices.Repeat(four, 3), walk, swarmed, Generator{Strategy: sample.Uniform, Span: smallSpan}, walk)
}

// Options say what to draw. The zero value is valid: the default generators and
// bound, no damage.
type Options struct {
	Seed       uint64
	Bound      count.Bound // the zero value is that of package sample
	Generators []Generator // nil is Default
	Damage     float64     // the share of the sentences that are damaged
	Words      []string    // the dictionary for damage; nil is that of package mutate

	// Hooks returns new hooks for each goroutine that draws; nil: none. Hooks
	// cannot be counted here, so every generator then makes walks with random weights.
	Hooks func() derive.Hooks
}

// Sampler draws the mixed stream. It is safe for concurrent use; each goroutine
// takes a [Source] of its own.
type Sampler struct {
	g          *grammar.Grammar
	o          Options
	bound      count.Bound
	generators []generator
	damage     *mutate.Damager
}

// source draws the sentences of one generator, on one goroutine.
type source interface {
	Append(ctx context.Context, dst []byte, i uint64) ([]byte, error)
	Tree(ctx context.Context, i uint64) (*derive.Tree, error)
}

type generator interface{ source() source }

// New prepares to draw. Errors: those of [sample.New], [swarm.New] and
// [mutate.New].
func New(ctx context.Context, g *grammar.Grammar, o Options) (*Sampler, error) {
	if o.Generators == nil {
		o.Generators = Default()
	}
	s := &Sampler{g: g, o: o, bound: o.Bound}
	if s.bound == (count.Bound{}) {
		least := g.Facts(nil, grammar.Structure).Size(g.Root, grammar.Terminals, grammar.Any)
		if least == grammar.Never {
			return nil, fmt.Errorf("rule %s of the grammar derives nothing", g.Start.Name)
		}
		s.bound = count.Sizes(least, least+sample.DefaultSpan, grammar.Terminals)
	}
	var err error
	if s.damage, err = mutate.New(mutate.Options{Share: o.Damage, Words: o.Words, Grammar: g}); err != nil {
		return nil, err
	}
	for i, l := range o.Generators {
		l.RandomWeights = l.RandomWeights || o.Hooks != nil
		next, err := s.generator(ctx, l, splitmix.Next(o.Seed+uint64(i)*splitmix.Gamma))
		if err != nil {
			return nil, err
		}
		s.generators = append(s.generators, next)
	}
	return s, nil
}

// generator makes a generator with a seed of its own.
func (s *Sampler) generator(ctx context.Context, l Generator, seed uint64) (generator, error) {
	if !l.RandomWeights && l.Swarm == swarm.Off {
		drawn, err := sample.New(ctx, s.g, sample.Options{Bound: s.boundOf(l), Strategy: l.Strategy, Seed: seed})
		return sampled{drawn}, err
	}
	var sw *swarm.Swarm
	if l.Swarm != swarm.Off {
		var err error
		if sw, err = swarm.New(s.g, swarm.Options{Mode: l.Swarm}); err != nil {
			return nil, err
		}
	}
	if l.RandomWeights {
		return newWeighted(s.g, sw, s.boundOf(l), seed, s.o.Hooks)
	}
	o := sample.Options{Bound: s.boundOf(l), Strategy: l.Strategy, Seed: seed}
	drawn, err := swarm.NewSampler(ctx, sw, swarm.SamplerOptions{Sample: o, Every: Block})
	return swarmed{drawn}, err
}

// boundOf returns the bound of a generator: strategy limit has its own by default.
func (s *Sampler) boundOf(l Generator) count.Bound {
	switch {
	case l.Strategy == sample.Limit && !l.RandomWeights:
		return s.o.Bound
	case s.o.Bound == (count.Bound{}) && l.Span > 0:
		b := s.bound
		b.Max = b.Min + l.Span
		return b
	}
	return s.bound
}

type sampled struct{ s *sample.Sampler }

func (l sampled) source() source { return l.s.Source() }

type swarmed struct{ s *swarm.Sampler }

func (l swarmed) source() source { return l.s.Source() }

// Grammar returns the grammar that is sampled.
func (s *Sampler) Grammar() *grammar.Grammar { return s.g }

// Bound returns the bound in force.
func (s *Sampler) Bound() count.Bound { return s.bound }

// Seed returns the seed.
func (s *Sampler) Seed() uint64 { return s.o.Seed }

// Source draws sentences; it belongs to one goroutine.
type Source struct {
	s          *Sampler
	generators []source
	text       []byte // of a sentence before it is damaged
}

// Source returns a new source. All sources of a sampler draw the same sentences.
func (s *Sampler) Source() *Source {
	c := &Source{s: s}
	for _, l := range s.generators {
		c.generators = append(c.generators, l.source())
	}
	return c
}

// at returns the source of sentence i and its index there.
func (c *Source) at(i uint64) (source, uint64) {
	if len(c.generators) == 1 {
		return c.generators[0], i
	}
	n := uint64(len(c.generators))
	block := i / Block
	return c.generators[block%n], block/n*Block + i%Block
}

// Append appends the text of sentence i to dst, damaged or not. Where the generator
// is one of uniform sampling it allocates nothing once its tables are warm and
// dst has room.
func (c *Source) Append(ctx context.Context, dst []byte, i uint64) ([]byte, error) {
	src, j := c.at(i)
	if !c.s.damage.Hits(c.s.o.Seed, i) {
		return src.Append(ctx, dst, j)
	}
	var err error
	if c.text, err = src.Append(ctx, c.text[:0], j); err != nil {
		return dst, err
	}
	dst, _ = c.s.damage.Append(dst, c.text, c.s.o.Seed, i)
	return dst, nil
}

// Draw is Append and Tree at once: the sentence is drawn once. What the source
// draws next overwrites the tree.
func (c *Source) Draw(ctx context.Context, dst []byte, i uint64) ([]byte, *derive.Tree, error) {
	src, j := c.at(i)
	var t *derive.Tree
	var err error
	if drafts, ok := src.(*weightedWalk); ok {
		t, err = drafts.draft(ctx, j)
	} else {
		t, err = src.Tree(ctx, j)
	}
	if err != nil {
		return dst, nil, err
	}
	c.text = t.AppendText(c.text[:0])
	dst, _ = c.s.damage.Append(dst, c.text, c.s.o.Seed, i)
	return dst, t, nil
}

// Damaged reports whether sentence i is one that may have been damaged.
func (c *Source) Damaged(i uint64) bool { return c.s.damage.Hits(c.s.o.Seed, i) }

// Tree returns the derivation tree of sentence i, as it was before any damage.
func (c *Source) Tree(ctx context.Context, i uint64) (*derive.Tree, error) {
	src, j := c.at(i)
	return src.Tree(ctx, j)
}
