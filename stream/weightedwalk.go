package stream

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/bits"
	"math/rand/v2"

	gctx "github.com/gramfuzz/gramfuzz/context"
	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/base/random"
	"github.com/gramfuzz/gramfuzz/internal/core"
	"github.com/gramfuzz/gramfuzz/internal/lexical/lex"
	"github.com/gramfuzz/gramfuzz/sample"
)

// perWeighting is the number of sentences for which walks with random weights keep a
// weighting. A weighting either hits a bug often or never, so each gets only a few.
const perWeighting = 4

// randomWeights is a stream of walks with random weights. A walk makes one decision after the
// other, by a weighting: a weight for each alternative, a coin for each repetition, a few
// favourites for each character class, and a limit on the size. A weighting is drawn anew for
// every 4 sentences. In some, the walk mostly repeats its last decision at a choice among
// literals, at a character, or at any choice that leads out of recursion; so a sentence uses the
// same names again. A rare sentence of a fair walk is frequent under some weighting. The idea is
// swarm testing (Groce et al., ISSTA 2012) with real-valued weights in place of switches.
type randomWeights struct {
	shape  *shape
	facts  *grammar.Facts // under the mask
	bound  count.Bound
	seed   uint64
	hooks  func() derive.Hooks
	names  *gctx.Names    // nil with hooks
	layout *derive.Layout // nil: no two tokens join
	memory core.Budget    // limits one tree

	// even opens the uniform sentences within a bound that was given; they stand in for walks that end outside.
	even func() (*sample.Sampler, error)
}

func (w *randomWeights) open(s *Stream) source {
	c := &weightedWalk{randomWeights: w, weights: make([]uint32, w.shape.g.Alts), exprs: make([]exprWeighting, len(w.shape.g.Exprs))}
	c.trees = w.names != nil || w.hooks != nil
	if !c.trees && w.layout != nil {
		c.gaps, _ = w.layout.Gaps()
		c.trees = c.gaps == nil
	}
	return &completed{Source: c, facts: s.facts, unit: s.bound.Unit}
}

// weightedWalk makes walks with random weights on one goroutine.
type weightedWalk struct {
	*randomWeights
	weighting uint64 // the number of the current weighting
	m         *derive.Machine
	pcg       rand.PCG

	trees  bool      // a text needs a tree
	gaps   *lex.Gaps // for texts without a tree; nil: no layout
	marked []byte    // the text before it is laid out
	out    []byte    // the text of the last draft made without nodes

	weights   []uint32        // by number of the alternative
	exprs     []exprWeighting // by Expr.ID
	smallSize int             // the greatest size of a small sentence; 0 by depth
	startCoin int             // the least coin of the start rule's own lists, in 1/64

	repeatChance        int  // the chance, in 1/64, that the walk repeats its last decision
	repeatsAlternatives bool // also at alternatives that lead out of recursion

	approach approach
	sentence uint64 // the sentence being drawn, counted from 1
}

// exprWeighting is the part of a weighting that belongs to an expression.
type exprWeighting struct {
	random uint32 // selects the favourites of a class
	coin   int    // the chance, in 1/64, that a repetition goes on
	taken  uint64 // the last sentence that took the expression
	last   int
}

// Append implements Source.
func (s *weightedWalk) Append(ctx context.Context, dst []byte, i uint64) ([]byte, error) {
	t, err := s.draft(ctx, dst, i, s.trees)
	switch {
	case err != nil:
		return dst, err
	case s.trees:
		return t.AppendText(dst), nil
	}
	return s.out, nil
}

// Tree implements Source.
func (s *weightedWalk) Tree(ctx context.Context, i uint64) (*derive.Tree, error) {
	t, err := s.draft(ctx, nil, i, true)
	if err != nil {
		return nil, err
	}
	return t.Clone(), nil
}

// Draw implements source.
func (s *weightedWalk) Draw(ctx context.Context, dst []byte, i uint64) ([]byte, *derive.Tree, error) {
	t, err := s.draft(ctx, nil, i, true)
	if err != nil {
		return dst, nil, err
	}
	return t.AppendText(dst), t, nil
}

// draft returns the tree of a sentence. The next draft overwrites it. Without nodes, s.out is dst
// and the text. A walk with unreadable tokens, or outside a given bound, is replaced by another; after some tries with the
// same weighting, by one with another weighting, since the weighting may be the reason.
func (s *weightedWalk) draft(ctx context.Context, dst []byte, i uint64, nodes bool) (*derive.Tree, error) {
	if s.m == nil || s.weighting != i/perWeighting {
		if s.m == nil {
			m, err := s.machine()
			if err != nil {
				return nil, err
			}
			s.m = m
		}
		s.weighting = i / perWeighting
		s.drawWeighting()
	}
	s.m.NoTree = !nodes
	s.pcg.Seed(random.Next(s.seed), random.Next(i))
	low := s.below(1 + s.smallSize)
	for try, again := 1, uint64(0); ; try++ {
		s.sentence++
		s.begin()
		t, err := s.walk(ctx, s, dst)
		outside := err == nil && s.even != nil && !s.within(t)
		if outside && again >= outsideTries {
			return s.evenly(ctx, dst, i)
		}
		if again < unreadTries && (outside || err != nil && errors.As(err, new(*lex.JoinError))) {
			again++
			if again%perWeighting == 0 {
				s.weighting = ^(i*unreadTries + again)
				s.drawWeighting()
				low = s.below(1 + s.smallSize)
			}
			try--
			continue
		}
		if errors.Is(err, derive.ErrTooLarge) {
			return nil, fmt.Errorf("a walk within %v: %w; take a smaller bound or raise --max-memory", s.bound, err)
		}
		if err != nil || try == walkTries || low == 0 || s.approach.minimal || s.size(t) >= low {
			return t, err
		}
	}
}

// within reports whether the tree that was drafted last is within the sizes of the bound.
func (s *weightedWalk) within(t *derive.Tree) bool {
	size := s.size(t)
	return s.bound.Min <= size && size <= s.bound.Max
}

// evenly is draft by the uniform sentence with the same number.
func (s *weightedWalk) evenly(ctx context.Context, dst []byte, i uint64) (*derive.Tree, error) {
	var even sample.Sentence
	sampler, err := s.even()
	if err == nil {
		err = sampler.Source().Sentence(ctx, &even, i)
	}
	if err != nil {
		return nil, fmt.Errorf("%d walks ended outside %v: %w", outsideTries, s.bound, err)
	}
	defer func(size int) { s.m.MaxSize = size }(s.m.MaxSize)
	for s.m.MaxSize = 0; ; {
		replay := derive.Replay(even.Choices)
		t, err := s.walk(ctx, derive.ChooserFunc(func(d *derive.Decision) (int, error) {
			if d.Kind == derive.Gap {
				return s.Choose(d)
			}
			return replay.Choose(d)
		}), dst)
		if !errors.As(err, new(*lex.JoinError)) || ctx.Err() != nil {
			return t, err
		}
	}
}

// walk makes one walk, as draft says, with the choices of ch.
func (s *weightedWalk) walk(ctx context.Context, ch derive.Chooser, dst []byte) (*derive.Tree, error) {
	s.m.Text = dst
	if s.gaps != nil {
		s.m.Text = s.marked[:0]
	}
	t, err := s.m.Draft(ctx, ch)
	s.out = s.m.Text
	if err != nil || s.gaps == nil || !s.m.NoTree {
		return t, err
	}
	s.marked = s.m.Text
	s.out, err = s.gaps.Append(dst, s.marked, func(n int) int {
		v, _ := s.Choose(&derive.Decision{Kind: derive.Gap, Expr: s.shape.g.Root, N: n, Full: n})
		return v
	})
	if err == lex.ErrRefused {
		err = s.gaps.Refused()
	}
	return t, err
}

// size returns the size of the tree that was drafted last.
func (s *weightedWalk) size(t *derive.Tree) int {
	if s.m.NoTree {
		return s.m.Size
	}
	return derive.Size(t, s.facts, s.bound.Unit)
}

const (
	walkTries    = 8   // walks for one sentence that is not small
	unreadTries  = 500 // replacements of walks that no lexer reads
	outsideTries = 32  // replacements of walks that end outside the bound
	trivialSpan  = 6   // the greatest number of terminals above the least in a small sentence
)

// limit draws a limit on the size, smaller ones more often: uniformly among the powers of two
// above the least size, without the smallest powers, which allow too few sentences.
func (s *weightedWalk) limit() {
	b := s.bound
	if b.ByDepth() {
		return
	}
	power := 2 << (2 + s.below(max(1, bits.Len(uint(b.Max-b.Min))-2)))
	size := max(1, min(b.Max, b.Min+1+s.below(power)))
	if s.approach.minimal { // the walk is short anyway
		size = b.Max
	}
	s.m.MaxSize = size
	s.smallSize = min(size, b.Min+trivialSpan)
}

// leastNodes is the number of nodes that a walk may always make, so that little memory gives the
// same sentences.
const leastNodes = 1 << 16

// machine returns a machine that keeps the names and the bound.
func (w *randomWeights) machine() (*derive.Machine, error) {
	o := derive.Options{Facts: w.facts, Layout: w.layout, MaxNodes: max(w.memory.Nodes(), leastNodes), Memory: int64(w.memory)}
	_, o.Mark = w.layout.Gaps()
	b := w.bound
	if w.hooks != nil {
		o.Hooks = w.hooks()
	}
	if b.ByDepth() {
		o.MaxDepth, o.Repeat = b.Depth, cmp.Or(b.Repeat, count.DefaultRepeat)
	} else {
		o.Unit, o.MaxSize = b.Unit, max(1, b.Max)
		// A user's hooks know no configuration. Under one, a derivation that they take for the
		// least may never end.
		o.MaxNodes = min(o.MaxNodes, 1<<17+min(b.Max, 1<<20)<<8)
	}
	return gctx.Machine(w.shape.g, w.names, o)
}

// drawWeighting draws the weights, coins, favourites, targets and limit of a weighting.
//
// A weight is 2^(k·z), where z is geometric with mean 1: its distribution has a tail of index
// 1/k. Below index 1 the greatest of many weights is about as large as the sum of all others, so
// a few alternatives dominate each choice, however wide it is. With k = 0 all weights are equal.
//
// Repetitions in recursive rules share a coin, from 1/4 down to 1/32. So a walk makes expressions
// of every precedence level without operators, which fair walks hardly ever do. Other repetitions
// have coins of their own; in three of four weightings some of those in recursive rules do, too.
// The lists of the start rule, which are files, scripts and templates, have larger coins, and are
// long in half of the weightings.
func (s *weightedWalk) drawWeighting() {
	s.pcg.Seed(random.Next(s.seed^0x74696c74), random.Next(s.weighting))
	steep := [...]int{0, 0, 1, 1, 2, 3}[s.below(6)]
	for i := range s.weights {
		s.weights[i] = 1 << min(steep*bits.LeadingZeros64(s.pcg.Uint64()), maxExponent)
	}
	recursiveCoin, own := 16>>s.below(4), [...]int{0, 8, 24, 64}[s.below(4)]
	for i := range s.exprs {
		e := &s.exprs[i]
		*e = exprWeighting{random: uint32(s.pcg.Uint64()), coin: recursiveCoin}
		if s.shape.nonRecursive[i] || s.below(64) < own {
			e.coin = 8 + s.below(49) // 1/8 … 7/8
		}
	}
	s.startCoin = [...]int{24, 56}[s.below(2)]
	s.repeatChance = [...]int{0, 0, 32, 56}[s.below(4)]
	s.repeatsAlternatives = s.below(4) == 0
	s.chooseTargets()
	s.limit()
}

// maxExponent bounds the exponent of a weight: the sum over a choice of thousands
// of alternatives fits in 32 bits.
const maxExponent = 18

// Choose implements derive.Chooser.
func (s *weightedWalk) Choose(d *derive.Decision) (int, error) {
	if v, ok := s.toTarget(d); ok {
		return v, nil
	}
	if s.approach.minimal && (d.Kind == derive.Alternative || d.Kind == derive.GoOn) {
		if s.shape.literals[d.Expr.ID] {
			return s.again(d, s.minimal), nil
		}
		return s.minimal(d), nil
	}
	switch d.Kind {
	case derive.Alternative:
		if s.repeatsAlternatives && s.shape.leavesRecursion[d.Expr.FirstAlt+s.exprs[d.Expr.ID].last] || s.shape.literals[d.Expr.ID] {
			return s.again(d, s.byWeight), nil
		}
		return s.keep(d, s.byWeight(d)), nil
	case derive.GoOn:
		if d.N == 1 {
			return d.Value(0), nil
		}
		coin := s.exprs[d.Expr.ID].coin
		if d.Depth <= 1 && d.Expr.Max < 0 {
			coin = max(coin, s.startCoin)
		}
		if s.below(64) < coin {
			return 1, nil
		}
		return 0, nil
	case derive.Member:
		return s.again(d, s.member), nil
	}
	return d.Value(s.below(d.N)), nil
}

// again repeats the sentence's last decision here with the weighting's probability, and otherwise
// draws. So names recur, and so do values.
func (s *weightedWalk) again(d *derive.Decision, draw func(*derive.Decision) int) int {
	e := &s.exprs[d.Expr.ID]
	if e.taken == s.sentence && s.below(64) < s.repeatChance && d.Can(e.last) {
		return e.last
	}
	return s.keep(d, draw(d))
}

// keep notes the sentence's decision here.
func (s *weightedWalk) keep(d *derive.Decision, v int) int {
	e := &s.exprs[d.Expr.ID]
	e.taken, e.last = s.sentence, v
	return v
}

// member draws a character of a class. One time in eight it is the first or the last.
// Half of the classes have one to four favourites, taken three times in four. In a
// quarter of these classes the favourites are the first characters, which makes small
// numbers of digits.
func (s *weightedWalk) member(d *derive.Decision) int {
	e := s.exprs[d.Expr.ID].random
	if s.below(8) == 0 {
		return d.Value(s.below(2) * (d.N - 1))
	}
	if e&1 == 0 && s.below(4) > 0 {
		k := uint32(s.below(1 + int(e>>1&3)))
		if e>>3&3 == 0 {
			return d.Value(min(int(k), d.N-1))
		}
		return d.Value(int(random.Next(uint64(e)+uint64(k)) % uint64(d.N)))
	}
	return d.Value(s.below(d.N))
}

// byWeight draws an alternative by weight, and uniformly one time in eight: otherwise steep
// weights would yield hardly more than one sentence.
func (s *weightedWalk) byWeight(d *derive.Decision) int {
	if s.below(8) == 0 {
		return d.Value(s.below(d.N))
	}
	total := 0
	for i := range d.N {
		total += int(s.weights[d.Expr.FirstAlt+d.Value(i)])
	}
	at := s.below(total)
	for i := range d.N {
		v := d.Value(i)
		at -= int(s.weights[d.Expr.FirstAlt+v])
		if at < 0 {
			return v
		}
	}
	return d.Value(d.N - 1)
}

// below draws a number in 0 … n-1, n < 2^32, with a bias below n/2^32.
func (s *weightedWalk) below(n int) int {
	return int((s.pcg.Uint64() >> 32) * uint64(n) >> 32)
}
