package sample

import (
	"context"
	"fmt"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/internal/core"
	"github.com/gramfuzz/gramfuzz/internal/splitmix"
)

// boltzmann draws sentences with weight x^size, in time linear in their length,
// and rejects those whose size is outside the bound. Sentences of one size are
// equally likely but for the error of the oracle: it is not certified.
type boltzmann struct {
	s      *Sampler
	prog   *core.Program
	oracle *core.Oracle
	sizing *sizing
	slots  *slots
}

// boltzmannTries bounds the sizes that are rejected for one sentence.
const boltzmannTries = 50_000_000

// defaultMean is the mean size where nothing says another.
const defaultMean = 100

func newBoltzmann(ctx context.Context, s *Sampler) (drawer, error) {
	if s.o.Bound.ByDepth() {
		return nil, fmt.Errorf("strategy boltzmann goes by size: give a size or a mean, not a depth")
	}
	b := s.o.Bound
	p, err := count.NewProgram(s.g, count.Sizes(0, 1, b.Unit), s.countOptions())
	if err != nil {
		return nil, err
	}
	mean := float64(s.o.Mean)
	switch {
	case mean > 0:
	case b.Max > 0:
		mean = float64(b.Min+b.Max) / 2
	default:
		mean = defaultMean
	}
	prog := (*core.Program)(p)
	oracle, err := core.NewOracle(ctx, prog, mean)
	if err != nil {
		return nil, err
	}
	return &boltzmann{s: s, prog: prog, oracle: oracle, sizing: newSizing(prog, oracle), slots: newSlots(s.limits(), newSymbols(prog))}, ctx.Err()
}

func (d *boltzmann) source() source {
	return &boltzmannSource{d: d, r: runner{slots: d.slots}, n: newNaming(d.slots.syms)}
}

type boltzmannSource struct {
	d     *boltzmann
	n     *naming
	r     runner
	sizes stream // of the draws that sizes depend on
	parts core.Expansion[int]
	made  boltzmannDraw
	todo  []int32
}

func (c *boltzmannSource) text(ctx context.Context, dst []byte, i uint64) ([]byte, error) {
	return c.n.text(dst, func(dst []byte) ([]byte, error) {
		dst, _, err := c.draw(ctx, dst, nil, i)
		return dst, err
	})
}

func (c *boltzmannSource) sentence(ctx context.Context, to *Sentence, i uint64) error {
	size := 0
	err := to.record(c.n, &c.r.recording, func(dst []byte, m *recording) (_ []byte, err error) {
		dst, size, err = c.draw(ctx, dst, m, i)
		return dst, err
	})
	to.Size = size
	return err
}

// token returns the slot of a token's text.
func (c *boltzmannSource) token(node *core.Node, size int) *slot {
	c.r.slots.mu.Lock()
	defer c.r.slots.mu.Unlock()
	return c.r.slots.tokenSlot(c.d.prog, node, size)
}

// draw draws sentence i. It appends the text with symbols for names to dst, adds its
// choices and depth to m unless that is nil, and returns the size. Sizes are drawn until
// one is within the bound.
func (c *boltzmannSource) draw(ctx context.Context, dst []byte, m *recording, i uint64) ([]byte, int, error) {
	b := c.d.s.o.Bound
	c.r.str.reset(c.d.s.o.Seed, i)
	c.sizes.reset(splitmix.Mix(c.d.s.o.Seed), i)
	if b.Max == 0 {
		return c.make(ctx, dst, m)
	}
	for range boltzmannTries {
		before := c.sizes
		size, err := c.d.sizing.draw(ctx, &c.sizes, &c.todo, b.Max)
		if err != nil {
			return dst, 0, err
		}
		if size >= b.Min && size <= b.Max {
			c.sizes = before
			return c.make(ctx, dst, m)
		}
	}
	return dst, 0, fmt.Errorf("%d sentences of mean size %.0f were outside %v: give another mean or a wider range", boltzmannTries, c.d.oracle.Mean, b)
}

// boltzmannDraw is the picker of one sentence. It knows of a node how many rules stand
// around it.
type boltzmannDraw struct {
	*boltzmannSource
	ctx         context.Context
	m           *recording
	dst         []byte
	size, steps int
}

// make makes a sentence, and returns its size too.
func (c *boltzmannSource) make(ctx context.Context, dst []byte, m *recording) ([]byte, int, error) {
	c.made = boltzmannDraw{boltzmannSource: c, ctx: ctx, m: m, dst: dst}
	err := c.parts.Run(c.d.prog, c.d.prog.Root, 0, &c.made)
	return c.made.dst, c.made.size, err
}

// pick draws a case of a node. Draws that no size depends on have a stream of their own.
func (b *boltzmannDraw) pick(id core.NodeID) int {
	node, str := &b.d.sizing.nodes[id], &b.sizes
	if node.fixed {
		str = &b.r.str
	}
	return int(b.d.sizing.cases[b.d.sizing.pick(node, str)])
}

// Enter makes a leaf. It implements [core.Picker], as do the other exported methods.
func (b *boltzmannDraw) Enter(id core.NodeID, n *core.Node, _ int) (made bool, err error) {
	if b.steps++; b.steps&(checkEvery-1) == 0 && b.ctx.Err() != nil {
		return false, b.ctx.Err()
	}
	if n.Op != core.Leaf {
		return false, nil
	}
	if n.Expr != nil {
		size := b.pick(id)
		b.size += size
		b.dst, err = b.leaf(b.ctx, b.dst, b.m, n, size)
	}
	return true, err
}

func (b *boltzmannDraw) Choose(value int) { b.m.choose(value) }

func (b *boltzmannDraw) Call(n *core.Node, level int) int {
	b.size += n.Size
	b.m.deepen(level + n.Level)
	return level + n.Level
}

func (b *boltzmannDraw) Union(id core.NodeID, _ *core.Node, level int) (child, next int, err error) {
	return b.pick(id), level, nil
}

func (b *boltzmannDraw) Product(_ core.NodeID, _ *core.Node, level int) (first, second int, err error) {
	return level, level, nil
}

// leaf appends one of the ways of a leaf that have the size.
func (c *boltzmannSource) leaf(ctx context.Context, dst []byte, m *recording, node *core.Node, size int) ([]byte, error) {
	if node.IsToken() {
		return c.r.atSlot(ctx, dst, m, c.token(node, size), 0)
	}
	way := 0
	for _, w := range node.Ways {
		if w.Size == size && w.N > 1 {
			way = c.r.str.intn(w.N)
		}
	}
	return c.d.slots.syms.appendLeaf(dst, m, c.d.prog, node, size, way), nil
}
