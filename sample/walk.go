package sample

import (
	"context"
	"errors"
	"fmt"

	gctx "github.com/gramfuzz/gramfuzz/context"
	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/core"
	"github.com/gramfuzz/gramfuzz/internal/core/scope"
	"github.com/gramfuzz/gramfuzz/sample/internal/randombits"
)

// walk makes its choices one by one from the top, without counting, for the strategies walk,
// limit and weighted.
type walk struct {
	s     *Sampler
	costs *grammar.Facts
	marks []terminalMark // by Expr.ID; nil: none
}

// terminalMark is the mark of a terminal, see Sampler.mark.
type terminalMark struct {
	mark  string
	alone bool
}

// walkTries bounds the walks for one sentence in a range of sizes, and largeTries those that
// exceed the memory. The text of a token may be that long, because no bound of terminals
// limits it.
const (
	walkTries  = 10_000
	largeTries = 8
)

func newWalk(s *Sampler) (drawer, error) {
	b := s.o.Bound
	if s.o.Strategy == Limit && !b.ByDepth() {
		if b != (count.Bound{}) {
			return nil, fmt.Errorf("strategy limit goes by depth: give a depth, not a size")
		}
		s.o.Bound = count.Depth(limitDepth)
	}
	least, err := scope.Depth(s.g, (*scope.Names)(s.names), s.facts, repeatOf(b))
	if err != nil {
		return nil, err
	}
	switch {
	case least == grammar.Never,
		s.o.Strategy != Limit && b.ByDepth() && least > b.Depth:
		return nil, &count.EmptyError{Rule: s.g.Start.Name, Bound: count.Bound{Depth: max(b.Depth, 1), Repeat: repeatOf(b)}, Needs: least, Names: s.facts.Productive(s.g.Root)}
	}
	if !s.o.Bound.ByDepth() && s.uncertified == nil {
		p, err := count.NewProgram(s.g, b, s.countOptions())
		switch {
		case errors.As(err, new(*gctx.StatesError)), errors.As(err, new(*core.ElementsError)): // a walk without a sentence reports it
		case err != nil:
			return nil, err
		default:
			if err := s.occurs(p); err != nil {
				return nil, err
			}
		}
	}
	if err := s.asksMemory(); err != nil {
		return nil, err
	}
	w := &walk{s: s, costs: s.facts}
	if s.mark != nil {
		w.marks = make([]terminalMark, len(s.g.Exprs))
		for _, e := range s.g.Exprs {
			if e.Op == grammar.Lit || e.Op == grammar.Class || e.Op == grammar.Ref && e.Rule != nil && e.Rule.Kind == grammar.Token {
				m := &w.marks[e.ID]
				m.mark, m.alone = s.mark(e)
			}
		}
	}
	_, err = s.machine(w.options())
	return w, err
}

// asksMemory refuses sizes at which one derivation may exceed the memory, and grammars whose least
// one does, so that no walk runs for seconds before it is cut.
func (s *Sampler) asksMemory() error {
	b, budget := s.o.Bound, core.Budget(s.o.MaxMemory)
	terminals := b.Max
	if b.ByDepth() {
		terminals = s.facts.Size(s.g.Root, grammar.Terminals, grammar.Any)
	}
	err := budget.AskDerivation(fmt.Sprintf("derivations of a walk within %v", b), terminals)
	if most := budget.Derivation(); err != nil && !b.ByDepth() && most >= max(b.Min, 1) {
		err.Fits = fmt.Sprintf("--size %d..%d", b.Min, most)
	}
	if err != nil {
		return err
	}
	return nil
}

// repeatOf returns the number of elements at which a bound cuts unbounded repetitions; 0 for
// none.
func repeatOf(b count.Bound) int {
	if b.ByDepth() && b.Repeat == 0 {
		return count.DefaultRepeat
	}
	return b.Repeat
}

// limitDepth is the default limit of strategy limit.
const limitDepth = 10

func (w *walk) source() source {
	return &walkSource{w: w, m: w.s.mustMachine(w.options())}
}

// options are the options of a machine.
func (w *walk) options() derive.Options {
	b := w.s.o.Bound
	o := derive.Options{MaxNodes: core.Budget(w.s.o.MaxMemory).Nodes(), Memory: w.s.o.MaxMemory}
	o.NoTree = w.s.names == nil
	if w.marks != nil {
		o.Mark = func(e *grammar.Expr) (string, bool) {
			m := &w.marks[e.ID]
			return m.mark, m.alone
		}
	}
	switch {
	case w.s.o.Strategy == Limit:
	case b.ByDepth():
		o.MaxDepth, o.Repeat = b.Depth, repeatOf(b)
	default:
		o.MaxSize, o.Unit = b.Max, b.Unit
	}
	return o
}

type walkSource struct {
	w   *walk
	m   *derive.Machine
	str randombits.Stream

	last Sentence // scratch
}

// make makes a sentence: its text after to.Text, with the required marks, its sizes, and, if
// record is set, its choices.
func (c *walkSource) make(ctx context.Context, to *Sentence, record bool, a attempt) error {
	c.str.Reset(c.w.s.o.Seed, a.index())
	b, begin := c.w.s.o.Bound, len(to.Text)
	for try, large := 0, 0; ; try++ {
		to.Text = to.Text[:begin]
		err := c.walk(ctx, to, record)
		if errors.Is(err, derive.ErrTooLarge) {
			large++
			if large < largeTries {
				continue
			}
			return fmt.Errorf("%d walks within %v: %w; take a smaller bound or raise --max-memory", largeTries, b, err)
		}
		if err != nil {
			return err
		}
		if n := to.Size; b.ByDepth() || c.w.s.o.Strategy == Limit || n >= b.Min && n <= b.Max {
			return nil
		}
		if try == walkTries {
			return fmt.Errorf("%d walks ended outside %v; strategy uniform hits every size", walkTries, b)
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
}

// walk makes one walk.
func (c *walkSource) walk(ctx context.Context, to *Sentence, record bool) error {
	c.m.Text = to.Text
	t, err := c.m.Draft(ctx, c)
	if err != nil {
		return err
	}
	if s := c.w.s; s.names != nil { // these need a tree
		to.Text, to.Size, to.Depth = t.AppendText(to.Text), derive.Size(t, s.facts, s.o.Bound.Unit), derive.Depth(t, s.facts)
	} else {
		to.Text, to.Size, to.Depth = c.m.Text, c.m.Size, c.m.Depth
	}
	if record {
		to.Choices = append(to.Choices[:0], t.Choices()...)
	}
	return nil
}

func (c *walkSource) text(ctx context.Context, dst []byte, a attempt) ([]byte, error) {
	c.last.Text = dst
	err := c.make(ctx, &c.last, false, a)
	if err != nil {
		return dst, err
	}
	return c.last.Text, nil
}

func (c *walkSource) sentence(ctx context.Context, to *Sentence, a attempt) error {
	to.Text, to.Edits = to.Text[:0], nil
	return c.make(ctx, to, true, a)
}

// Choose makes a decision of a walk. It implements [derive.Chooser].
func (c *walkSource) Choose(d *derive.Decision) (int, error) {
	s := c.w.s
	switch {
	case s.o.Strategy == Limit && d.Depth > s.o.Bound.Depth && (d.Kind == derive.Alternative || d.Kind == derive.GoOn):
		if s.names != nil {
			return derive.Default, nil // the least cost depends on the names in play
		}
		return c.cheapest(d), nil
	case s.o.Strategy == Weighted && d.Kind == derive.Alternative && d.Expr.Weights != nil:
		if v, ok := c.byWeight(d); ok {
			return v, nil
		}
	}
	return d.Value(c.str.Intn(d.N)), nil
}

// cheapest draws one of the alternatives of least cost, the height of their least tree.
func (c *walkSource) cheapest(d *derive.Decision) int {
	if d.Kind == derive.GoOn {
		return d.Value(0)
	}
	least, n, pick := grammar.Never, 0, 0
	for i := range d.N {
		v := d.Value(i)
		switch cost := c.w.costs.Depth(d.Expr.Children[v], d.Want); {
		case cost > least:
			continue
		case cost < least:
			least, n = cost, 0
		}
		n++
		if n == 1 || c.str.Intn(n) == 0 { // reservoir sampling
			pick = v
		}
	}
	return pick
}

// byWeight draws an alternative by its weight; it returns false if all possible alternatives
// have weight 0.
func (c *walkSource) byWeight(d *derive.Decision) (int, bool) {
	total := 0
	for i := range d.N {
		total += d.Expr.Weights[d.Value(i)]
	}
	if total == 0 {
		return 0, false
	}
	at := c.str.Intn(total)
	for i := range d.N {
		v := d.Value(i)
		at -= d.Expr.Weights[v]
		if at < 0 {
			return v, true
		}
	}
	return 0, false
}
