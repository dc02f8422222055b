package sample

import (
	"context"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/internal/core"
)

// byDepth draws every derivation of bounded height with the same probability.
type byDepth struct {
	s     *Sampler
	slots *slots
	root  *slot
}

func newByDepth(ctx context.Context, s *Sampler) (drawer, error) {
	co := s.countOptions()
	p, err := count.NewProgram(s.g, s.o.Bound, co)
	if err != nil {
		return nil, err
	}
	if err := s.checkLength(p); err != nil {
		return nil, err
	}
	table, err := count.NewTable(ctx, p, s.o.Bound, co)
	if err != nil {
		return nil, err
	}
	syms := newSymbols((*core.Program)(p))
	slots := newSlots(s.limits(), syms)
	sp := newSpace((*core.Program)(p), tableNumbers{(*core.Table)(table)}, syms)
	return &byDepth{s, slots, slots.slot([]item{{sp, p.Root, s.o.Bound.Depth}})}, nil
}

func (s *Sampler) countOptions() count.Options {
	return count.Options{Mask: s.o.Mask, Measure: s.o.Measure, Names: s.o.Names, MaxMemory: s.o.MaxMemory, Progress: s.o.Progress}
}

func (s *Sampler) limits() limits {
	if s.o.limits != nil {
		return *s.o.limits
	}
	if s.o.Brief {
		return briefLimits
	}
	if s.names != nil {
		return namedLimits
	}
	return defaultLimits
}

func (s *Sampler) checkLength(p *count.Program) error {
	if s.o.MaxBytes < 0 {
		return nil
	}
	return p.CheckLength(s.o.Bound, s.o.MaxBytes)
}

func (d *byDepth) source() source {
	return &depthSource{d, runner{slots: d.slots}, newNaming(d.slots.syms)}
}

type depthSource struct {
	d *byDepth
	r runner
	n *naming
}

func (c *depthSource) text(ctx context.Context, dst []byte, i uint64) ([]byte, error) {
	c.r.str.reset(c.d.s.o.Seed, i)
	if c.n == nil {
		return c.r.text(ctx, dst, c.d.root)
	}
	return c.n.text(dst, func(dst []byte) ([]byte, error) { return c.r.text(ctx, dst, c.d.root) })
}

func (c *depthSource) sentence(ctx context.Context, to *Sentence, i uint64) error {
	c.r.str.reset(c.d.s.o.Seed, i)
	return to.record(c.n, &c.r.recording, func(dst []byte, m *recording) ([]byte, error) { return c.r.record(ctx, dst, m, c.d.root, 0) })
}

// bySize draws every derivation of a size with the same probability.
type bySize struct {
	s     *Sampler
	slots *slots
	sized *sized
	sizes []int   // those that occur
	cum   *state  // where they divide the draw of the size
	parts *detail // of cum
}

func newBySize(ctx context.Context, s *Sampler) (drawer, error) {
	b := s.o.Bound
	p, err := count.NewProgram(s.g, b, s.countOptions())
	if err != nil {
		return nil, err
	}
	if err := s.checkLength(p); err != nil {
		return nil, err
	}
	prog := (*core.Program)(p)
	nums, err := newFloatNumbers(ctx, prog, b.Max, s.o.Progress)
	if err != nil {
		return nil, err
	}
	nums.bits = s.o.numberBits
	syms := newSymbols(prog)
	sp := newSpace(prog, nums, syms)
	d := &bySize{s: s, slots: newSlots(s.limits(), syms), sized: newSized(sp, b.Max, s.o.Brief)}
	for n := b.Min; n <= b.Max; n++ {
		if nums.has(p.Root, n) {
			d.sizes = append(d.sizes, n)
		}
	}
	if len(d.sizes) == 0 {
		return nil, p.EmptyError(b)
	}
	d.weighSizes(nums)
	return d, nil
}

// weighSizes prepares the draw of the size.
func (d *bySize) weighSizes(nums *floatNumbers) {
	sp, most := d.sized.sp, d.s.o.Bound.Max
	d.cum, d.parts = &state{}, &detail{step: most}
	for _, n := range d.sizes {
		o := &outcome{sp: sp, weight: bigOne}
		if d.s.o.Spread == ByCount {
			o = &outcome{sp: sp, pieces: []piece{{it: item{sp, sp.prog.Root, n}}}}
		}
		d.parts.parts = append(d.parts.parts, o)
	}
	if d.s.o.Spread == ByCount {
		d.cum.branches = nums.branches(d.parts.parts, most)
	} else {
		d.cum.branches = exactBranches(evenWeights(len(d.sizes)))
	}
}

func (d *bySize) source() source {
	return &sizeSource{d, runner{slots: d.slots}, newNaming(d.slots.syms)}
}

type sizeSource struct {
	d *bySize
	r runner
	n *naming
}

// size draws the size of sentence i.
func (c *sizeSource) size(i uint64) (int, error) {
	c.r.str.reset(c.d.s.o.Seed, i)
	if len(c.d.sizes) == 1 {
		return c.d.sizes[0], nil
	}
	u := c.r.str.next()
	at, settled := c.d.cum.pick(u)
	if !settled {
		var err error
		if at, err = c.d.parts.settle(&c.r.str, u); err != nil {
			return 0, err
		}
	}
	return c.d.sizes[at], nil
}

func (c *sizeSource) text(ctx context.Context, dst []byte, i uint64) ([]byte, error) {
	n, err := c.size(i)
	if err != nil {
		return dst, err
	}
	return c.n.text(dst, func(dst []byte) ([]byte, error) { return c.r.sentence(ctx, dst, nil, c.d.sized, n) })
}

func (c *sizeSource) sentence(ctx context.Context, to *Sentence, i uint64) error {
	n, err := c.size(i)
	if err != nil {
		return err
	}
	err = to.record(c.n, &c.r.recording, func(dst []byte, m *recording) ([]byte, error) { return c.r.sentence(ctx, dst, m, c.d.sized, n) })
	to.Size = n
	return err
}
