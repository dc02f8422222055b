package swarm

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/splitmix"
	"github.com/gramfuzz/gramfuzz/sample"
)

// DefaultEvery is the number of sentences drawn from one configuration where
// [SamplerOptions].Every is 0.
const DefaultEvery = 100

// SamplerOptions tells [NewSampler] what to draw. The zero value is valid.
type SamplerOptions struct {
	// Sample holds the strategy and bound within a configuration; uniform
	// sampling counts anew for each. Its Mask is not used. The zero Bound is the
	// default bound of the whole grammar, the same for every configuration.
	Sample sample.Options

	Every  int     // sentences per configuration; 0 is DefaultEvery
	Config *Config // the one for all sentences; nil is a new one for each block
}

// Sampler draws sentences, each block of Every sentences from a configuration of
// its own. Sentence i is a function of (seed, i) alone. A Sampler is safe for
// concurrent use; each goroutine takes a [Source] of its own.
type Sampler struct {
	s *Swarm
	o SamplerOptions

	mu     sync.Mutex
	blocks map[uint64]*block
	oldest []uint64
}

// block is the configuration of Every sentences in a row, made on first use.
type block struct {
	mu      sync.Mutex
	config  *Config
	sampler *sample.Sampler
}

// keptBlocks is the number of configurations kept compiled. Goroutines that draw
// one stream are seldom further apart.
const keptBlocks = 32

// mostTries is the number of configurations in a row that may derive nothing
// within the bound.
const mostTries = 10_000

// NewSampler prepares to draw. It fails as [sample.New] does for the whole
// grammar, and where no configuration of the first block derives anything.
func NewSampler(ctx context.Context, s *Swarm, o SamplerOptions) (*Sampler, error) {
	if o.Every < 0 {
		return nil, fmt.Errorf("a configuration cannot be kept for %d sentences", o.Every)
	}
	if o.Every == 0 {
		o.Every = DefaultEvery
	}
	if s.o.Mode == Off && o.Config == nil {
		o.Config = s.Config(0) // there is only one
	}
	if o.Sample.Bound == (count.Bound{}) && o.Sample.Strategy != sample.Limit {
		least := s.g.Facts(nil, o.Sample.Measure).Size(s.g.Root, grammar.Terminals, grammar.Any)
		o.Sample.Bound = count.Sizes(least, least+sample.DefaultSpan, grammar.Terminals)
	}
	r := &Sampler{s: s, o: o, blocks: map[uint64]*block{}}
	b, err := r.at(ctx, 0)
	if err != nil {
		return nil, err
	}
	r.o.Sample.Bound = b.sampler.Bound()
	return r, nil
}

// Bound returns the bound in force.
func (r *Sampler) Bound() count.Bound { return r.o.Sample.Bound }

// at returns the block of sentence i.
func (r *Sampler) at(ctx context.Context, i uint64) (*block, error) {
	number := i / uint64(r.o.Every)
	if r.o.Config != nil {
		number = 0
	}
	r.mu.Lock()
	b := r.blocks[number]
	if b == nil {
		b = &block{}
		r.blocks[number] = b
		r.oldest = append(r.oldest, number)
		if len(r.oldest) > keptBlocks {
			delete(r.blocks, r.oldest[0])
			r.oldest = r.oldest[1:]
		}
	}
	r.mu.Unlock()
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.sampler != nil {
		return b, nil
	}
	return b, r.fill(ctx, b, number)
}

// fill finds the first configuration of a block that derives a sentence within
// the bound.
func (r *Sampler) fill(ctx context.Context, b *block, number uint64) error {
	if r.o.Config != nil {
		var err error
		b.config = r.o.Config
		b.sampler, err = r.within(ctx, b.config)
		return err
	}
	var empty *count.EmptyError
	var last error
	for try := range uint64(mostTries) {
		if err := ctx.Err(); err != nil {
			return err
		}
		c := r.s.Config(configSeed(r.o.Sample.Seed, number, try))
		if !c.Derives() {
			last = fmt.Errorf("rule %s derives nothing", r.s.g.Start.Name)
			continue
		}
		sampler, err := r.within(ctx, c)
		switch {
		case errors.As(err, &empty):
			last = err
			continue
		case err != nil:
			return err
		}
		b.config, b.sampler = c, sampler
		return nil
	}
	hint := "raise the bound"
	if r.s.o.Mode == Plain {
		hint = "mode down or both completes configurations"
	}
	return fmt.Errorf("%d swarm configurations in a row derive nothing (%w); %s", mostTries, last, hint)
}

// within returns the sampler of one configuration.
func (r *Sampler) within(ctx context.Context, c *Config) (*sample.Sampler, error) {
	o := r.o.Sample
	o.Mask = c.Mask()
	return sample.New(ctx, r.s.g, o)
}

// configSeed returns the seed of the try-th configuration of a block.
func configSeed(seed, block, try uint64) uint64 {
	return splitmix.Mix(splitmix.Mix(splitmix.Mix(seed^0x636f6e666967)+block) + try)
}

// Block returns the configuration that sentence i is drawn from, and the sampler
// that draws it under the same number.
func (r *Sampler) Block(ctx context.Context, i uint64) (*Config, *sample.Sampler, error) {
	b, err := r.at(ctx, i)
	if err != nil {
		return nil, nil, err
	}
	return b.config, b.sampler, nil
}

// Source draws sentences. It belongs to one goroutine.
type Source struct {
	r   *Sampler
	b   *block
	src *sample.Source
}

// Source returns a new source. All sources of a sampler draw the same sentences.
func (r *Sampler) Source() *Source { return &Source{r: r} }

func (c *Source) at(ctx context.Context, i uint64) (*sample.Source, error) {
	b, err := c.r.at(ctx, i)
	if err != nil {
		return nil, err
	}
	if b != c.b {
		c.b, c.src = b, b.sampler.Source()
	}
	return c.src, nil
}

// Append appends the text of sentence i to dst.
func (c *Source) Append(ctx context.Context, dst []byte, i uint64) ([]byte, error) {
	src, err := c.at(ctx, i)
	if err != nil {
		return dst, err
	}
	return src.Append(ctx, dst, i)
}

// Text returns the text of sentence i.
func (c *Source) Text(ctx context.Context, i uint64) (string, error) {
	b, err := c.Append(ctx, nil, i)
	return string(b), err
}

// Sentence makes *to sentence i with its record.
func (c *Source) Sentence(ctx context.Context, to *sample.Sentence, i uint64) error {
	src, err := c.at(ctx, i)
	if err != nil {
		return err
	}
	return src.Sentence(ctx, to, i)
}

// Tree returns the derivation tree of sentence i.
func (c *Source) Tree(ctx context.Context, i uint64) (*derive.Tree, error) {
	src, err := c.at(ctx, i)
	if err != nil {
		return nil, err
	}
	return src.Tree(ctx, i)
}
