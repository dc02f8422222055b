package schedule

import (
	"context"
	"fmt"
	"math/bits"
	"math/rand/v2"

	gctx "github.com/gramfuzz/gramfuzz/context"
	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/lex"
	"github.com/gramfuzz/gramfuzz/swarm"
)

// every is for how many sentences a tilt is kept.
const every = 16

// tilted is a lane of tilted walks.
type tilted struct {
	g     *grammar.Grammar
	sw    *swarm.Swarm // nil: the whole grammar
	bound count.Bound
	seed  uint64
	hooks func() derive.Hooks
	names *gctx.Names // kept where there are no hooks

	layout *derive.Layout // nil: no two tokens join
}

func newTilted(g *grammar.Grammar, sw *swarm.Swarm, b count.Bound, seed uint64, hooks func() derive.Hooks) (lane, error) {
	l := &tilted{g: g, sw: sw, bound: b, seed: seed, hooks: hooks}
	var err error
	if l.layout, err = derive.NewLayout(g, lex.Tight); err != nil {
		return nil, err
	}
	if l.layout.Idle() {
		l.layout = nil
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

func (l *tilted) source() source {
	s := &tiltedSource{l: l, config: ^uint64(0)}
	s.full = gctx.Facts(l.g, l.names, nil, grammar.Structure)
	s.weights = make([]uint32, l.g.Alts)
	s.exprs = make([]uint32, len(l.g.Exprs))
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

	weights []uint32 // by number of the alternative
	exprs   []uint32 // by Expr.ID: the coin of a repetition, in 1/64; the favourites of a class, seed
}

// Append implements source.
func (s *tiltedSource) Append(ctx context.Context, dst []byte, i uint64) ([]byte, error) {
	t, err := s.Tree(ctx, i)
	if err != nil {
		return dst, err
	}
	return t.AppendText(dst), nil
}

// Tree implements source.
func (s *tiltedSource) Tree(ctx context.Context, i uint64) (*derive.Tree, error) {
	if s.machine == nil || s.block != i/every {
		if err := s.configure(i / Block); err != nil {
			return nil, err
		}
		s.block = i / every
		s.tilt()
	}
	s.pcg.Seed(mix(s.l.seed), mix(i))
	return s.machine.Run(ctx, s)
}

// newMachine returns a machine with a limit on the size, small ones more often:
// the power of two below what is beyond the least size is drawn evenly.
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
	power := 2 << s.below(bits.Len(uint(b.Max-b.Min)))
	o.Unit, o.MaxSize = b.Unit, max(1, min(b.Max, b.Min+s.below(power)))
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
func (s *tiltedSource) configure(number uint64) error {
	if s.l.sw == nil {
		s.facts = s.full
		return nil
	}
	if s.config == number {
		return nil
	}
	for try := range uint64(1000) {
		c := s.l.sw.Config(mix(mix(s.l.seed^number) + try))
		if !c.Derives() {
			continue
		}
		s.config, s.facts = number, s.l.g.Facts(c.Mask(), grammar.Structure)
		return nil
	}
	return &swarm.BarrenError{Mode: s.l.sw.Mode(), Tries: 1000, Err: fmt.Errorf("rule %s derives nothing", s.l.g.Start.Name)}
}

// tilt draws the weights, coins and favourites of a block.
func (s *tiltedSource) tilt() {
	s.pcg.Seed(mix(s.l.seed^0x74696c74), mix(s.block))
	steep := s.below(7) // 0: an ordinary walk
	for i := range s.weights {
		s.weights[i] = 1 << s.below(1+steep)
	}
	for i := range s.exprs {
		s.exprs[i] = uint32(s.pcg.Uint64())
	}
	s.machine = s.newMachine()
}

// Choose implements derive.Chooser.
func (s *tiltedSource) Choose(d *derive.Decision) (int, error) {
	switch d.Kind {
	case derive.Alternative:
		return s.byWeight(d), nil
	case derive.GoOn:
		if d.N == 1 {
			return d.Value(0), nil
		}
		if uint32(s.below(64)) < 8+s.exprs[d.Expr.ID]%49 { // 1/8 … 7/8
			return 1, nil
		}
		return 0, nil
	case derive.Member:
		// Half of the classes have one to four favourites, taken three times in four.
		e := s.exprs[d.Expr.ID]
		if e&1 == 0 && s.below(4) > 0 {
			k := uint32(s.below(1 + int(e>>1&3)))
			return d.Value(int(mix(uint64(e)+uint64(k)) % uint64(d.N))), nil
		}
	}
	return d.Value(s.below(d.N)), nil
}

// byWeight draws an alternative by the weights of the tilt.
func (s *tiltedSource) byWeight(d *derive.Decision) int {
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
