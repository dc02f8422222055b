package sample

import (
	"context"
	"fmt"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
)

// boltzmann draws sentences with weight x^size, in time linear in their length,
// and rejects those whose size is outside the bound. Sentences of one size are
// equally likely but for the error of the oracle: it is not certified.
type boltzmann struct {
	s      *Sampler
	prog   *count.Program
	oracle *count.Oracle
	slots  *slots
}

// boltzmannTries is how many sentences may be rejected before it gives up.
const boltzmannTries = 50_000_000

// DefaultMean is the mean size of Boltzmann sampling where nothing says another.
const DefaultMean = 100

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
		mean = DefaultMean
	}
	oracle, err := count.NewOracle(p, mean)
	if err != nil {
		return nil, err
	}
	return &boltzmann{s: s, prog: p, oracle: oracle, slots: newSlots(s.limits(), newSymbols(p))}, ctx.Err()
}

func (d *boltzmann) source() source {
	return &boltzmannSource{d: d, r: runner{slots: d.slots}, n: newNaming(d.slots.syms)}
}

type boltzmannSource struct {
	d     *boltzmann
	n     *naming
	r     runner
	stack []count.NodeID
}

func (c *boltzmannSource) text(ctx context.Context, dst []byte, i uint64) ([]byte, error) {
	return c.n.text(dst, func(dst []byte) ([]byte, error) { return c.raw(ctx, dst, i) })
}

// raw appends the text with symbols for names.
func (c *boltzmannSource) raw(ctx context.Context, dst []byte, i uint64) ([]byte, error) {
	syms := c.d.slots.syms
	from := len(dst)
	err := c.draw(ctx, i, func() { dst = dst[:from] }, func(node *count.Node, size, way int) (err error) {
		switch {
		case node.Act != count.NoAct:
			dst = syms.append(dst, node, way)
		case node.Expr.Op == grammar.Lit:
			dst = syms.literal(dst, node.Expr.Text)
		case node.Expr.Op == grammar.Class:
			dst = appendRune(dst, derive.MemberRune(node.Expr, c.d.prog.Member(node.Expr, size, way)))
		default:
			dst, err = c.r.text(ctx, dst, c.token(node, size))
		}
		return err
	}, nil)
	return dst, err
}

func (c *boltzmannSource) choices(ctx context.Context, choices []int, i uint64) ([]int, error) {
	from := len(choices)
	err := c.draw(ctx, i, func() { choices = choices[:from] }, func(node *count.Node, size, way int) (err error) {
		switch {
		case node.Act != count.NoAct:
			choices = leafChoices(choices, c.d.prog.Names, node, way)
		case node.Expr.Op == grammar.Lit:
		case node.Expr.Op == grammar.Class:
			choices = append(choices, c.d.prog.Member(node.Expr, size, way))
		default:
			choices, err = c.r.appendChoices(ctx, choices, c.token(node, size))
		}
		return err
	}, func(v int) { choices = append(choices, v) })
	return choices, err
}

// token returns the slot of a token's text.
func (c *boltzmannSource) token(node *count.Node, size int) *slot {
	c.r.slots.mu.Lock()
	defer c.r.slots.mu.Unlock()
	return c.r.slots.tokenSlot(c.d.prog, node, size)
}

// draw draws sentence i: restart is called before each try, leaf for each
// terminal, value for each choice above the terminals.
func (c *boltzmannSource) draw(ctx context.Context, i uint64, restart func(), leaf func(node *count.Node, size, way int) error, value func(int)) error {
	b := c.d.s.o.Bound
	c.r.str.reset(c.d.s.o.Seed, i)
	steps := 0
	for range boltzmannTries {
		restart()
		size, err := c.try(ctx, &steps, leaf, value)
		if err != nil {
			return err
		}
		if b.Max == 0 || size >= b.Min && size <= b.Max {
			return nil
		}
	}
	return fmt.Errorf("%d sentences of mean size %.0f were outside %v: give another mean or a wider range", boltzmannTries, c.d.oracle.Mean, b)
}

func (c *boltzmannSource) try(ctx context.Context, steps *int, leaf func(node *count.Node, size, way int) error, value func(int)) (int, error) {
	d := c.d
	most := d.s.o.Bound.Max
	size := 0
	stack := append(c.stack[:0], d.prog.Root)
	defer func() { c.stack = stack[:0] }()
	for len(stack) > 0 {
		if *steps++; *steps&(checkEvery-1) == 0 && ctx.Err() != nil {
			return 0, ctx.Err()
		}
		id := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		node := &d.prog.Nodes[id]
		switch node.Op {
		case count.Leaf:
			if node.Expr == nil {
				break
			}
			n, way := c.drawLeaf(node)
			if size += n; most > 0 && size > most {
				return size, nil // rejected as soon as it is too large
			}
			if err := leaf(node, n, way); err != nil {
				return 0, err
			}
		case count.Call:
			size += node.Size
			stack = append(stack, node.Kids[0])
		case count.Prod:
			stack = append(stack, node.Kids[1], node.Kids[0])
		case count.Union:
			k := c.drawKid(node, d.oracle.Value[id])
			if node.Values != nil && value != nil {
				value(node.Values[k])
			}
			stack = append(stack, node.Kids[k])
		}
	}
	return size, nil
}

// drawKid draws a kid of a union in proportion to the values of the kids.
func (c *boltzmannSource) drawKid(node *count.Node, total float64) int {
	last := len(node.Kids) - 1
	if last == 0 {
		return 0
	}
	target := toShare(c.r.str.next()) * total
	for i, k := range node.Kids[:last] {
		if target -= c.d.oracle.Value[k]; target < 0 {
			return i
		}
	}
	for c.d.oracle.Value[node.Kids[last]] == 0 {
		last--
	}
	return last
}

// drawLeaf draws the size of a terminal and which of its ways it is.
func (c *boltzmannSource) drawLeaf(node *count.Node) (size, way int) {
	w := node.Ways[0]
	if len(node.Ways) > 1 {
		total, x := 0.0, 1.0
		at := 0
		weights := make([]float64, 0, 16)
		for _, w := range node.Ways {
			for ; at < w.Size; at++ {
				x *= c.d.oracle.X
			}
			weights = append(weights, float64(w.N)*x)
			total += float64(w.N) * x
		}
		target := toShare(c.r.str.next()) * total
		for i, v := range weights {
			w = node.Ways[i]
			if target -= v; target < 0 {
				break
			}
		}
	}
	if w.N == 1 {
		return w.Size, 0
	}
	return w.Size, c.r.str.intn(w.N)
}
