package sample

import (
	"context"
	"fmt"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/grammar"
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
	stack []deep
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

// deep is a node and the number of rules around it.
type deep struct {
	id    core.NodeID
	level int
	fixed bool // within a node whose derivations all have one size
}

// make makes a sentence, and returns its size too.
func (c *boltzmannSource) make(ctx context.Context, dst []byte, m *recording) ([]byte, int, error) {
	d := c.d
	size := 0
	stack := append(c.stack[:0], deep{id: d.prog.Root})
	defer func() { c.stack = stack[:0] }()
	for steps := 1; len(stack) > 0; steps++ {
		if steps&(checkEvery-1) == 0 && ctx.Err() != nil {
			return dst, 0, ctx.Err()
		}
		top := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		node, sized := &d.prog.Nodes[top.id], &d.sizing.nodes[top.id]
		top.fixed = top.fixed || sized.fixed
		str := &c.sizes
		if top.fixed {
			str = &c.r.str
		}
		child := deep{level: top.level, fixed: top.fixed}
		switch node.Op {
		case core.Leaf:
			if node.Expr == nil {
				break
			}
			n := int(d.sizing.cases[d.sizing.pick(sized, str)])
			size += n
			var err error
			if dst, err = c.leaf(ctx, dst, m, node, n); err != nil {
				return dst, 0, err
			}
		case core.Call:
			size += node.Size
			child.level += node.Level
			m.deepen(child.level)
			child.id = node.Children[0]
			stack = append(stack, child)
		case core.Prod:
			child.id = node.Children[1]
			stack = append(stack, child)
			child.id = node.Children[0]
			stack = append(stack, child)
		case core.Union:
			k := d.sizing.cases[d.sizing.pick(sized, str)]
			if node.Values != nil {
				m.choose(node.Values[k])
			}
			child.id = node.Children[k]
			stack = append(stack, child)
		}
	}
	return dst, size, nil
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
	m.leaf(c.d.prog, node, size, way)
	switch syms := c.d.slots.syms; {
	case node.Effect != core.NoEffect:
		return syms.append(dst, node, way), nil
	case node.Expr.Op == grammar.Lit:
		return syms.literal(dst, node.Expr.Text), nil
	}
	return appendRune(dst, node.Expr.Member(c.d.prog.Member(node.Expr, size, way))), nil
}
