package schedule

import (
	"context"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"

	gctx "github.com/gramfuzz/gramfuzz/context"
	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/lex"
	"github.com/gramfuzz/gramfuzz/internal/splitmix"
	"github.com/gramfuzz/gramfuzz/swarm"
)

// every is for how many sentences a tilt is kept. A tilt that leads to a bug
// leads to it often, one that does not never does, so that few are enough.
const every = 4

// tilted is a lane of tilted walks.
type tilted struct {
	g     *grammar.Grammar
	sw    *swarm.Swarm // nil: the whole grammar
	bound count.Bound
	seed  uint64
	hooks func() derive.Hooks
	names *gctx.Names // kept where there are no hooks
	leaf  []bool      // by Expr.ID: a choice among literals
	flat  []bool      // by Expr.ID: a part of a rule that is not recursive
	plain []bool      // by number of the alternative: it names no recursive rule

	layout  *derive.Layout // nil: no two tokens join
	targets *targets
}

func newTilted(g *grammar.Grammar, sw *swarm.Swarm, b count.Bound, seed uint64, hooks func() derive.Hooks) (lane, error) {
	l := &tilted{g: g, sw: sw, bound: b, seed: seed, hooks: hooks, leaf: leaves(g), flat: flat(g), plain: plain(g), targets: newTargets(g)}
	var err error
	if l.layout, err = derive.NewLayout(g, lex.Tight); err != nil {
		return nil, err
	}
	l.layout = l.layout.Lenient() // a walk has no other derivation to offer
	if hooks == nil {
		if l.names, err = gctx.New(g, gctx.Options{}); err != nil {
			return nil, err
		}
		if _, err := gctx.Machine(g, l.names, derive.Options{}); err != nil {
			return nil, err
		}
	}
	facts := g.Facts(nil, grammar.Structure)
	if b.ByDepth() {
		if needs := facts.Depth(g.Root, grammar.Any); needs > b.Depth {
			return nil, &count.EmptyError{Rule: g.Start.Name, Bound: b, Needs: needs}
		}
		return l, nil
	}
	if least := facts.Size(g.Root, b.Unit, grammar.Any); least > b.Max {
		return nil, &count.EmptyError{Rule: g.Start.Name, Bound: b, Needs: least}
	}
	return l, nil
}

// leaves finds the choices among literals.
func leaves(g *grammar.Grammar) []bool {
	leaf := make([]bool, len(g.Exprs))
	for _, e := range g.Exprs {
		leaf[e.ID] = e.Op == grammar.Choice && !slices.ContainsFunc(e.Children, func(k *grammar.Expr) bool { return k.Op != grammar.Lit })
	}
	return leaf
}

// flat finds what is in rules that are not recursive: names and numbers as a
// rule, in contrast to the levels of expressions and statements.
func flat(g *grammar.Grammar) []bool {
	in := make([]bool, len(g.Exprs))
	for i := range in {
		in[i] = true
	}
	for _, r := range g.Recursive() {
		r.Body.Walk(func(e *grammar.Expr) { in[e.ID] = false })
	}
	return in
}

// plain finds the alternatives that name no recursive rule.
func plain(g *grammar.Grammar) []bool {
	is := make([]bool, g.Alts)
	recursive := map[*grammar.Rule]bool{}
	for _, r := range g.Recursive() {
		recursive[r] = true
	}
	for _, e := range g.Exprs {
		if e.Op != grammar.Choice {
			continue
		}
		for i, k := range e.Children {
			is[e.FirstAlt+i] = true
			k.Walk(func(p *grammar.Expr) {
				if p.Op == grammar.Ref && recursive[p.Rule] {
					is[e.FirstAlt+i] = false
				}
			})
		}
	}
	return is
}

func (l *tilted) source() source {
	s := &tiltedSource{l: l, config: ^uint64(0)}
	s.full = gctx.Facts(l.g, l.names, nil, grammar.Structure)
	s.weights = make([]uint32, l.g.Alts)
	s.exprs = make([]shape, len(l.g.Exprs))
	return s
}

// tiltedSource makes tilted walks on one goroutine.
type tiltedSource struct {
	l       *tilted
	full    *grammar.Facts // of the whole grammar
	facts   *grammar.Facts // under the configuration
	config  uint64         // number of the configuration in force
	block   uint64         // number of the tilt in force
	machine *derive.Machine
	pcg     rand.PCG

	weights  []uint32 // by number of the alternative
	exprs    []shape  // by Expr.ID
	least    int      // no size below is made more than once in mostTries; 0 by depth
	outer    int      // the least coin of the start rule's own lists, in 1/64
	habit    int      // how often a leaf is as the last one was, in 1/64
	wide     bool     // whether any plain alternative is
	aim      aim
	sentence uint64 // the sentence being drawn, counted from 1
}

// shape is what a tilt says of an expression.
type shape struct {
	random uint32 // of a class: which its favourites are
	coin   int    // of a repetition: how often it goes on, in 1/64
	taken  uint64 // the sentence that took last
	last   int
}

// Append implements source.
func (s *tiltedSource) Append(ctx context.Context, dst []byte, i uint64) ([]byte, error) {
	t, err := s.draft(ctx, i)
	if err != nil {
		return dst, err
	}
	return t.AppendText(dst), nil
}

// Tree implements source.
func (s *tiltedSource) Tree(ctx context.Context, i uint64) (*derive.Tree, error) {
	t, err := s.draft(ctx, i)
	if err != nil {
		return nil, err
	}
	return t.Clone(), nil
}

// draft makes the tree of a sentence, which the next overwrites.
func (s *tiltedSource) draft(ctx context.Context, i uint64) (*derive.Tree, error) {
	if s.machine == nil || s.block != i/every {
		if err := s.configure(ctx, i/Block); err != nil {
			return nil, err
		}
		s.block = i / every
		s.tilt()
	}
	s.pcg.Seed(splitmix.Next(s.l.seed), splitmix.Next(i))
	low := s.below(1 + s.least)
	for try := 1; ; try++ {
		s.sentence++
		s.start()
		t, err := s.machine.Draft(ctx, s)
		if err != nil || try == mostTries || low == 0 || s.aim.bare || derive.Size(t, s.facts, s.l.bound.Unit) >= low {
			return t, err
		}
	}
}

// mostTries is how many walks are made for one that is not small; trivial is how
// many terminals beyond the least may be small.
const (
	mostTries = 8
	trivial   = 6
)

// limit draws a limit on the size, small ones more often: the power of two below
// what is beyond the least size is drawn evenly, but the least ones, which allow
// too few sentences.
func (s *tiltedSource) limit() {
	b := s.l.bound
	if b.ByDepth() {
		return
	}
	power := 2 << (2 + s.below(max(1, bits.Len(uint(b.Max-b.Min))-2)))
	size := max(1, min(b.Max, b.Min+1+s.below(power)))
	if s.aim.bare { // what is not needed is small as it is
		size = b.Max
	}
	s.machine.MaxSize = size
	s.least = min(size, b.Min+trivial)
}

// newMachine returns a machine for the configuration in force.
func (s *tiltedSource) newMachine() *derive.Machine {
	o := derive.Options{Facts: s.facts}
	b := s.l.bound
	if s.l.hooks != nil {
		o.Hooks = s.l.hooks()
	}
	if b.ByDepth() {
		o.MaxDepth, o.Repeat = b.Depth, b.Repeat
		if o.Repeat == 0 {
			o.Repeat = count.DefaultRepeat
		}
		return s.l.machine(o)
	}
	o.Unit, o.MaxSize = b.Unit, max(1, b.Max)
	// Hooks of the user's own know no configuration: under one, what they take for
	// the least may never end.
	o.MaxNodes = 1<<17 + b.Max<<8
	return s.l.machine(o)
}

// machine returns a machine that keeps the names; newTilted made one.
func (l *tilted) machine(o derive.Options) *derive.Machine {
	o.Layout = l.layout
	m, err := gctx.Machine(l.g, l.names, o)
	if err != nil {
		panic(err)
	}
	return m
}

// configure takes the swarm configuration of a block.
func (s *tiltedSource) configure(ctx context.Context, number uint64) error {
	if s.l.sw == nil {
		if s.machine == nil {
			s.facts = s.full
			s.machine = s.newMachine()
		}
		return nil
	}
	if s.machine != nil && s.config == number {
		return nil
	}
	for try := range uint64(1000) {
		c := s.l.sw.Config(splitmix.Next(splitmix.Next(s.l.seed^number) + try))
		if !c.Derives() {
			continue
		}
		s.facts = gctx.Facts(s.l.g, s.l.names, c.Mask(), grammar.Structure)
		machine := s.newMachine()
		if _, err := machine.Run(ctx, least); err == nil { // the names have their say too
			s.config, s.machine = number, machine
			return nil
		}
	}
	return fmt.Errorf("1000 swarm configurations in a row derive nothing from rule %s within the bound; raise the bound", s.l.g.Start.Name)
}

// least derives the least sentence.
var least = derive.ChooserFunc(func(*derive.Decision) (int, error) { return derive.Default, nil })

// tilt draws the weights, coins, favourites and the habit of a block.
//
// A weight is 2^(k·z) where z is geometric with mean 1: its distribution has a
// tail of index 1/k. Below index 1 the greatest of many weights is about as
// large as all others together, so that a few alternatives rule each choice,
// however wide it is; which, another tilt says. k = 0 is an ordinary walk.
//
// Coins in recursive rules are alike, from 1/4 down to 1/32: such a tilt makes
// expressions without the operators of all the levels of precedence that they
// could have, which a fair walk all but never does. The others are drawn freely,
// and of those in three of four tilts some, in one all. The start rule's own
// lists, which are files, scripts and templates, are not so short, and in half of
// the tilts long.
func (s *tiltedSource) tilt() {
	s.pcg.Seed(splitmix.Next(s.l.seed^0x74696c74), splitmix.Next(s.block))
	steep := [...]int{0, 0, 1, 1, 2, 3}[s.below(6)]
	for i := range s.weights {
		s.weights[i] = 1 << min(steep*bits.LeadingZeros64(s.pcg.Uint64()), steepest)
	}
	lean, free := 16>>s.below(4), [...]int{0, 8, 24, 64}[s.below(4)]
	for i := range s.exprs {
		e := &s.exprs[i]
		*e = shape{random: uint32(s.pcg.Uint64()), coin: lean}
		if s.l.flat[i] || s.below(64) < free {
			e.coin = 8 + s.below(49) // 1/8 … 7/8
		}
	}
	s.outer = [...]int{24, 56}[s.below(2)]
	s.habit = [...]int{0, 0, 32, 56}[s.below(4)]
	s.wide = s.below(4) == 0
	s.plan()
	s.limit()
}

// steepest bounds the exponent of a weight: the sum over a choice of thousands
// of alternatives fits in 32 bits.
const steepest = 18

// Choose implements derive.Chooser.
func (s *tiltedSource) Choose(d *derive.Decision) (int, error) {
	if v, ok := s.pursue(d); ok {
		return v, nil
	}
	if s.aim.bare && (d.Kind == derive.Alternative || d.Kind == derive.GoOn) {
		if s.l.leaf[d.Expr.ID] {
			return s.again(d, s.bare), nil
		}
		return s.bare(d), nil
	}
	switch d.Kind {
	case derive.Alternative:
		if s.wide && s.l.plain[d.Expr.FirstAlt+s.exprs[d.Expr.ID].last] || s.l.leaf[d.Expr.ID] {
			return s.again(d, s.byWeight), nil
		}
		return s.keep(d, s.byWeight(d)), nil
	case derive.GoOn:
		if d.N == 1 {
			return d.Value(0), nil
		}
		coin := s.exprs[d.Expr.ID].coin
		if d.Depth <= 1 && d.Expr.Max < 0 {
			coin = max(coin, s.outer)
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

// again takes what the sentence took here the last time where that is the habit
// of the tilt, else draws: names meet each other, and values are alike.
func (s *tiltedSource) again(d *derive.Decision, draw func(*derive.Decision) int) int {
	e := &s.exprs[d.Expr.ID]
	if e.taken == s.sentence && s.below(64) < s.habit && d.Can(e.last) {
		return e.last
	}
	return s.keep(d, draw(d))
}

// keep notes what the sentence took here.
func (s *tiltedSource) keep(d *derive.Decision, v int) int {
	e := &s.exprs[d.Expr.ID]
	e.taken, e.last = s.sentence, v
	return v
}

// member draws from a class: the first or the last of it one time in eight; half
// of the classes have one to four favourites, taken three times in four. A quarter
// of these are the first of the class, which makes small numbers of digits.
func (s *tiltedSource) member(d *derive.Decision) int {
	e := s.exprs[d.Expr.ID].random
	if s.below(8) == 0 {
		return d.Value(s.below(2) * (d.N - 1))
	}
	if e&1 == 0 && s.below(4) > 0 {
		k := uint32(s.below(1 + int(e>>1&3)))
		if e>>3&3 == 0 {
			return d.Value(min(int(k), d.N-1))
		}
		return d.Value(int(splitmix.Next(uint64(e)+uint64(k)) % uint64(d.N)))
	}
	return d.Value(s.below(d.N))
}

// byWeight draws an alternative by the weights of the tilt, but one time in
// eight evenly: else a steep tilt says little more than one sentence.
func (s *tiltedSource) byWeight(d *derive.Decision) int {
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
		if at -= int(s.weights[d.Expr.FirstAlt+v]); at < 0 {
			return v
		}
	}
	return d.Value(d.N - 1)
}

// below draws a number in 0 … n-1, n < 2^32, with a bias below n/2^32.
func (s *tiltedSource) below(n int) int {
	return int((s.pcg.Uint64() >> 32) * uint64(n) >> 32)
}
