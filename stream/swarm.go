package stream

import (
	"context"
	"errors"
	"fmt"
	"sync"

	gctx "github.com/gramfuzz/gramfuzz/context"
	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/base/random"
	"github.com/gramfuzz/gramfuzz/swarm"
)

// defaultEvery is the number of sentences drawn from one configuration where a plan or the
// argument of [Swarm] is 0.
const defaultEvery = 100

// Swarm returns a stream in which each block of every sentences has a configuration of its own:
// sentence i is sentence i of the stream that open returns for the configuration's mask. The seed
// names the configurations. A configuration that derives nothing within the bound (open fails
// with [count.EmptyError]) is skipped as if it had never been drawn. Swarm fails where no
// configuration of the first block derives anything, and where open fails.
//
// open must use the same bound for every configuration.
func Swarm(ctx context.Context, sw *swarm.Swarm, seed uint64, every int, open func(context.Context, *grammar.Mask) (*Stream, error)) (*Stream, error) {
	if every < 0 {
		return nil, fmt.Errorf("a configuration cannot be kept for %d sentences", every)
	}
	if every == 0 {
		every = defaultEvery
	}
	if sw.Mode() == swarm.Off {
		return single(ctx, sw.Config(0), open) // there is only one configuration
	}
	c := newConfigurations(sw, every, open)
	c.draw = func(number, try uint64) *swarm.Config {
		return sw.Config(random.Mix(random.Mix(random.Mix(seed^0x636f6e666967)+number) + try))
	}
	return c.stream(ctx)
}

// single returns the stream of one configuration.
func single(ctx context.Context, config *swarm.Config, open func(context.Context, *grammar.Mask) (*Stream, error)) (*Stream, error) {
	s, err := open(ctx, config.Mask())
	if err != nil {
		return nil, err
	}
	return s.with(func() source { return configured{s.open(), config.Name()} }), nil
}

// configured is a source of sentences of one configuration.
type configured struct {
	source
	config string
}

func (c configured) Place(ctx context.Context, i uint64) (Place, error) {
	p, err := c.source.Place(ctx, i)
	p.Config = c.config
	return p, err
}

// configurations draws the configurations of the blocks of a stream.
type configurations struct {
	every uint64
	draw  func(number, try uint64) *swarm.Config // for a block, until one derives something
	open  func(context.Context, *grammar.Mask) (*Stream, error)
	start string
	hint  string

	mu     sync.Mutex
	blocks map[uint64]*block
	oldest []uint64
}

func newConfigurations(sw *swarm.Swarm, every int, open func(context.Context, *grammar.Mask) (*Stream, error)) *configurations {
	c := &configurations{every: uint64(every), start: sw.Grammar().Start.Name, open: open, hint: "raise the bound", blocks: map[uint64]*block{}}
	if sw.Mode() == swarm.Plain {
		c.hint = "mode down or both completes configurations"
	}
	return c
}

// block is every sentences in a row, its stream made on first use.
type block struct {
	mu     sync.Mutex
	stream *Stream
}

// keptBlocks is the number of configurations kept compiled. Goroutines that draw one stream
// seldom diverge further.
const keptBlocks = 32

// mostTries is the number of configurations in a row that may derive nothing
// within the bound.
const mostTries = 10_000

// wholeTries is the number of such configurations after which the whole grammar is looked at.
const wholeTries = 64

// stream returns the stream of the configurations. Its bound is that of the first.
func (c *configurations) stream(ctx context.Context) (*Stream, error) {
	first, err := c.block(ctx, 0)
	if err != nil {
		return nil, err
	}
	return first.with(func() source {
		at, src := ^uint64(0), source(nil)
		return routed{func(ctx context.Context, i uint64) (source, uint64, error) {
			if number := i / c.every; number != at {
				s, err := c.block(ctx, number)
				if err != nil {
					return nil, 0, err
				}
				at, src = number, s.open()
			}
			return src, i, nil
		}}
	}), nil
}

// block returns the stream of a block.
func (c *configurations) block(ctx context.Context, number uint64) (*Stream, error) {
	c.mu.Lock()
	b := c.blocks[number]
	if b == nil {
		b = &block{}
		c.blocks[number] = b
		c.oldest = append(c.oldest, number)
		if len(c.oldest) > keptBlocks {
			delete(c.blocks, c.oldest[0])
			c.oldest = c.oldest[1:]
		}
	}
	c.mu.Unlock()
	b.mu.Lock()
	defer b.mu.Unlock()
	var err error
	if b.stream == nil {
		b.stream, err = c.find(ctx, number)
	}
	return b.stream, err
}

// find opens the first configuration of a block that derives a sentence within the
// bound.
func (c *configurations) find(ctx context.Context, number uint64) (*Stream, error) {
	var last error
	failed := 0
	for try := range uint64(mostTries) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		config := c.draw(number, try)
		if !config.Derives() {
			last = fmt.Errorf("rule %s derives nothing", c.start)
			continue
		}
		s, err := single(ctx, config, c.open)
		if errors.As(err, new(*count.EmptyError)) || errors.As(err, new(*gctx.StatesError)) {
			last = err
			failed++
			if failed == wholeTries {
				if _, err := c.open(ctx, nil); errors.As(err, new(*count.EmptyError)) {
					return nil, err // so does the whole grammar
				}
			}
			continue
		}
		return s, err
	}
	return nil, fmt.Errorf("%d swarm configurations in a row gave no sentence (%w); %s", mostTries, last, c.hint)
}
