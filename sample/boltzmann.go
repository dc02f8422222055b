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
	oracle, err := count.NewOracle(ctx, p, mean)
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
	stack []deep
}

func (c *boltzmannSource) text(ctx context.Context, dst []byte, i uint64) ([]byte, error) {
	return c.n.text(dst, func(dst []byte) ([]byte, error) {
		dst, _, err := c.draw(ctx, dst, nil, i)
		return dst, err
	})
}

func (c *boltzmannSource) sentence(ctx context.Context, to *Sentence, i uint64) error {
	size := 0
	err := to.record(c.n, &c.r.made, func(dst []byte, m *made) (_ []byte, err error) {
		dst, size, err = c.draw(ctx, dst, m, i)
		return dst, err
	})
	to.Size = size
	return err
}

// token returns the slot of a token's text.
func (c *boltzmannSource) token(node *count.Node, size int) *slot {
	c.r.slots.mu.Lock()
	defer c.r.slots.mu.Unlock()
	return c.r.slots.tokenSlot(c.d.prog, node, size)
}

// draw draws sentence i: it appends the text with symbols for names to dst, adds
// to m what is to be recorded where that is not nil, and returns the size.
func (c *boltzmannSource) draw(ctx context.Context, dst []byte, m *made, i uint64) ([]byte, int, error) {
	b := c.d.s.o.Bound
	c.r.str.reset(c.d.s.o.Seed, i)
	from, steps := len(dst), 0
	for range boltzmannTries {
		if m != nil {
			*m = made{choices: m.choices[:0]}
		}
		var size int
		var err error
		if dst, size, err = c.try(ctx, dst[:from], m, &steps); err != nil {
			return dst, 0, err
		}
		if b.Max == 0 || size >= b.Min && size <= b.Max {
			return dst, size, nil
		}
	}
	return dst, 0, fmt.Errorf("%d sentences of mean size %.0f were outside %v: give another mean or a wider range", boltzmannTries, c.d.oracle.Mean, b)
}

// deep is a node and the number of rules around it.
type deep struct {
	id    count.NodeID
	level int
}

func (c *boltzmannSource) try(ctx context.Context, dst []byte, m *made, steps *int) ([]byte, int, error) {
	d := c.d
	most := d.s.o.Bound.Max
	size := 0
	stack := append(c.stack[:0], deep{d.prog.Root, 0})
	defer func() { c.stack = stack[:0] }()
	for len(stack) > 0 {
		if *steps++; *steps&(checkEvery-1) == 0 && ctx.Err() != nil {
			return dst, 0, ctx.Err()
		}
		id, level := stack[len(stack)-1].id, stack[len(stack)-1].level
		stack = stack[:len(stack)-1]
		node := &d.prog.Nodes[id]
		switch node.Op {
		case count.Leaf:
			if node.Expr == nil {
				break
			}
			n, way := c.drawLeaf(node)
			if size += n; most > 0 && size > most {
				return dst, size, nil // rejected as soon as it is too large
			}
			var err error
			if dst, err = c.leaf(ctx, dst, m, node, n, way); err != nil {
				return dst, 0, err
			}
		case count.Call:
			size += node.Size
			m.deepen(level + node.Level)
			stack = append(stack, deep{node.Kids[0], level + node.Level})
		case count.Prod:
			stack = append(stack, deep{node.Kids[1], level}, deep{node.Kids[0], level})
		case count.Union:
			k := c.drawKid(node, d.oracle.Value[id])
			if node.Values != nil {
				m.choose(node.Values[k])
			}
			stack = append(stack, deep{node.Kids[k], level})
		}
	}
	return dst, size, nil
}

// leaf appends one of the ways of a leaf.
func (c *boltzmannSource) leaf(ctx context.Context, dst []byte, m *made, node *count.Node, size, way int) ([]byte, error) {
	if node.IsToken() {
		return c.r.atSlot(ctx, dst, m, c.token(node, size), 0)
	}
	m.leaf(c.d.prog, node, size, way)
	switch syms := c.d.slots.syms; {
	case node.Act != count.NoAct:
		return syms.append(dst, node, way), nil
	case node.Expr.Op == grammar.Lit:
		return syms.literal(dst, node.Expr.Text), nil
	}
	return appendRune(dst, derive.MemberRune(node.Expr, c.d.prog.Member(node.Expr, size, way))), nil
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
