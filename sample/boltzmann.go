package sample

import (
	"context"
	"fmt"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/internal/base/random"
	"github.com/gramfuzz/gramfuzz/internal/core"
	"github.com/gramfuzz/gramfuzz/sample/internal/fastdraw"
	"github.com/gramfuzz/gramfuzz/sample/internal/randombits"
)

// boltzmann draws sentences with weight x^size, in time linear in their length, and rejects
// those whose size is outside the bound. Sentences of one size are equally likely up to the
// error of the oracle, so the distribution is not certified.
type boltzmann struct {
	s      *Sampler
	prog   *core.Program
	oracle *core.Oracle
	sizing *sizing
	fast   *fastdraw.Program
}

// boltzmannSteps bounds the steps of rejected size draws for one sentence, to a few seconds.
const boltzmannSteps = 1 << 28

// defaultMean is the default mean size.
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
	if b != (count.Bound{}) {
		if err := s.occurs(p); err != nil {
			return nil, err
		}
	}
	mean := float64(s.o.Mean)
	switch {
	case mean > 0:
	case b != (count.Bound{}):
		mean = float64(b.Min+b.Max) / 2
	default:
		mean = defaultMean
	}
	prog := (*core.Program)(p)
	oracle, err := core.NewOracle(ctx, prog, mean)
	if err != nil {
		return nil, err
	}
	return &boltzmann{s: s, prog: prog, oracle: oracle, sizing: newSizing(prog, oracle), fast: fastdraw.New(prog, nil, s.drawOptions())}, ctx.Err()
}

func (d *boltzmann) source() source {
	return &recorded{drawing: &boltzmannSource{d: d, r: d.fast.Runner()}}
}

// boltzmannSource draws sentences and is also their picker. Its key of a node is the number of
// rules around it.
type boltzmannSource struct {
	d     *boltzmann
	r     *fastdraw.Runner
	sizes randombits.Stream // of the draws that determine sizes
	parts core.Expansion[int]
	todo  []int32

	ctx         context.Context // of the current sentence, like the fields below
	m           *fastdraw.Recording
	dst         []byte
	size, steps int
}

// draw draws as described at [recorded]: sizes until one is within the bound, then the
// sentence.
func (c *boltzmannSource) draw(ctx context.Context, dst []byte, m *fastdraw.Recording, a attempt) ([]byte, int, error) {
	b := c.d.s.o.Bound
	c.r.Bits.Reset(c.d.s.o.Seed, a.index())
	c.sizes.Reset(random.Mix(c.d.s.o.Seed), a.index())
	if b == (count.Bound{}) {
		return c.make(ctx, dst, m)
	}
	tries := 0
	for left := boltzmannSteps; left > 0; tries++ {
		before := c.sizes
		size, steps, err := c.d.sizing.draw(ctx, &c.sizes, &c.todo, b.Max)
		if err != nil {
			return dst, 0, err
		}
		left -= steps
		if size >= b.Min && size <= b.Max {
			c.sizes = before
			return c.make(ctx, dst, m)
		}
	}
	return dst, 0, fmt.Errorf("%d sentences of mean size %.0f were outside %v: give another mean or a wider range", tries, c.d.oracle.Mean, b)
}

// make makes a sentence and also returns its size.
func (c *boltzmannSource) make(ctx context.Context, dst []byte, m *fastdraw.Recording) ([]byte, int, error) {
	c.ctx, c.m, c.size, c.steps, c.dst = ctx, m, 0, 0, c.r.Begin(dst)
	err := c.parts.Run(c.d.prog, c.d.prog.Root, 0, c)
	dst, err = c.r.End(dst, c.dst, err)
	return dst, c.size, err
}

// pick draws a case of a node. Draws that do not affect the size have a separate stream.
func (c *boltzmannSource) pick(id core.NodeID) int {
	node, str := &c.d.sizing.nodes[id], &c.sizes
	if node.fixed {
		str = &c.r.Bits
	}
	return int(c.d.sizing.cases[c.d.sizing.pick(node, str)])
}

// Enter makes a leaf. It implements [core.Picker], as do the other exported methods.
func (c *boltzmannSource) Enter(id core.NodeID, n *core.Node, _ int) (made bool, err error) {
	c.steps++
	if c.steps&0xfff == 0 && c.ctx.Err() != nil {
		return false, c.ctx.Err()
	}
	if n.Op != core.Leaf {
		return false, nil
	}
	if n.Expr != nil {
		size := c.pick(id)
		c.size += size
		c.dst, err = c.r.Leaf(c.ctx, c.dst, c.m, id, size)
	}
	return true, err
}

func (c *boltzmannSource) Choose(value int) { c.m.Choose(value) }

func (c *boltzmannSource) Call(n *core.Node, level int) int {
	c.size += n.Size
	c.m.Deepen(level + n.Level)
	return level + n.Level
}

func (c *boltzmannSource) Union(id core.NodeID, _ *core.Node, level int) (child, next int, err error) {
	return c.pick(id), level, nil
}

func (c *boltzmannSource) Product(_ core.NodeID, _ *core.Node, level int) (first, second int, err error) {
	return level, level, nil
}
