package stream

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"sync/atomic"

	gctx "github.com/gramfuzz/gramfuzz/context"
	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/coverage"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/base/random"
	"github.com/gramfuzz/gramfuzz/internal/base/words"
	"github.com/gramfuzz/gramfuzz/internal/core"
	"github.com/gramfuzz/gramfuzz/internal/records/canonical"
	"github.com/gramfuzz/gramfuzz/mutate"
	"github.com/gramfuzz/gramfuzz/parse"
	"github.com/gramfuzz/gramfuzz/sample"
	"github.com/gramfuzz/gramfuzz/swarm"
)

// Options are the arguments of [Plan.Open] that are no part of the plan. None decides a sentence
// except hooks, which are Go code. The zero value is valid.
type Options struct {
	Progress func(done float64) // called while tables are made; nil for silence
	Version  string             // gramfuzz's version, for records

	// Hooks returns new hooks for each goroutine that draws; nil: none. Hooks cannot be counted,
	// so every generator of strategy mixed then makes walks with random weights, and other
	// strategies are refused, random-weights excepted.
	Hooks func() derive.Hooks
}

// opening is a plan that is being opened.
type opening struct {
	*Plan
	Options
	g     *grammar.Grammar
	o     sample.Options
	names *gctx.Names
}

// Open returns the stream of the plan, drawn from g: the grammar that the plan names, or a
// replacement. The wrappers always apply in the same order: drawing, texts, swarm, no repeats,
// seeds, settled, damage, shard. Errors are those of [Plan.Check], [sample.New], [swarm.New],
// [mutate.New] and [parse.New].
func (p *Plan) Open(ctx context.Context, g *grammar.Grammar, o Options) (*Stream, error) {
	if err := p.Check(nil); err != nil {
		return nil, err
	}
	op := &opening{Plan: p, Options: o, g: g}
	var err error
	if op.o, err = p.SampleOptions(); err != nil {
		return nil, err
	}
	op.o.Progress = o.Progress
	if o.Hooks != nil && p.Strategy != Mixed && p.Strategy != RandomWeights {
		return nil, fmt.Errorf("hooks go with strategies %s and %s only", Mixed, RandomWeights)
	}
	if op.names, err = gctx.New(g, op.o.Names); err != nil {
		return nil, err
	}
	s, err := op.open(ctx)
	if err != nil {
		return nil, err
	}
	s.origin = p.origin(g, o.Version, s.bound, op.names != nil)
	return s, nil
}

func (op *opening) open(ctx context.Context) (*Stream, error) {
	s, sharded, err := op.drawn(ctx)
	if err != nil {
		return nil, err
	}
	if op.Seeds != nil {
		if s, err = op.grafting(ctx, s); err != nil {
			return nil, err
		}
	}
	if op.Settled {
		if s, err = s.settled(ctx, op.g, op.Memory); err != nil {
			return nil, err
		}
	}
	if op.Damage > 0 {
		d, err := mutate.New(mutate.Options{Share: op.Damage, Words: op.Words, Grammar: op.g})
		if err != nil {
			return nil, err
		}
		s = s.Damage(d, op.Seed)
	}
	if op.Break > 0 {
		if !slices.ContainsFunc(op.g.Exprs, func(e *grammar.Expr) bool { return e.Field != nil }) {
			return nil, errNoFields
		}
		if s, err = s.breaking(op.Break, op.Seed); err != nil {
			return nil, err
		}
	}
	if op.Shards > 1 && !sharded {
		return s.Shard(op.Shard, op.Shards)
	}
	return s, nil
}

// drawn opens the sentences before damage, of the whole grammar or of a swarm. It reports whether
// they are already those of the shard.
func (op *opening) drawn(ctx context.Context) (s *Stream, sharded bool, err error) {
	if b := op.o.Bound; b != (count.Bound{}) && op.o.Strategy != sample.Limit { // before work under many configurations
		if err := fits(op.g, gctx.Facts(op.g, op.names, nil, op.o.Measure), b); err != nil {
			_, exact := count.New(ctx, op.g, b, count.Options{Measure: op.o.Measure, Names: op.o.Names, Containing: op.o.Containing, MaxMemory: op.Memory})
			return nil, false, cmp.Or(exact, err)
		}
	}
	if op.KPath > 0 || op.All {
		s, err = op.covering(ctx)
		return s, false, err
	}
	numbered := op.Distinct && op.uniform() && (op.Swarm == nil || op.Swarm.one())
	var p *parse.Parser
	if op.Over == overTexts {
		if p, err = canonical.Parser(ctx, op.g, op.Memory); err != nil {
			return nil, false, err
		}
	}
	// The first trees of texts are searched within the shard's own trees if these are numbered.
	sharded = numbered && p != nil && op.Shards > 1
	var told atomic.Bool // the estimate of the first configuration is reported; each would cost as much
	one := func(ctx context.Context, mask *grammar.Mask) (*Stream, error) {
		s, err := op.masked(ctx, mask, numbered)
		if err == nil && sharded {
			s, err = s.Shard(op.Shard, op.Shards)
		}
		if err == nil && p != nil {
			s, err = s.overTexts(ctx, p, op.names, op.Tries, !told.Swap(true))
		}
		return s, err
	}
	if s, err = op.swarmed(ctx, one); err == nil && op.Distinct && !numbered {
		s = s.NoRepeats()
	}
	return s, sharded, err
}

func (op *opening) uniform() bool { return op.Strategy == "" || op.Strategy == sample.Uniform.String() }

// swarmed opens the stream of one configuration or of many; without a swarm, of the
// whole grammar.
func (op *opening) swarmed(ctx context.Context, open func(context.Context, *grammar.Mask) (*Stream, error)) (*Stream, error) {
	if op.Swarm == nil {
		return open(ctx, nil)
	}
	sw, only, err := op.Swarm.Open(op.g, op.o.Measure)
	if err != nil {
		return nil, err
	}
	if only != nil {
		return single(ctx, only, open)
	}
	if op.o.Strategy != sample.Limit {
		op.setBound() // the same for all configurations
	}
	return Swarm(ctx, sw, op.Seed, op.Swarm.Every, open)
}

// setBound sets the bound to the default of the whole grammar, if there is none.
func (op *opening) setBound() {
	if op.o.Bound != (count.Bound{}) {
		return
	}
	op.o.Bound = op.defaultBound()
}

func (op *opening) defaultBound() count.Bound {
	return sample.DefaultBound(op.g, op.g.Facts(nil, op.o.Measure))
}

// masked opens the stream of the strategy under a mask.
func (op *opening) masked(ctx context.Context, mask *grammar.Mask, numbered bool) (*Stream, error) {
	o := op.o
	o.Mask, o.Distinct = mask, numbered
	switch op.Strategy {
	case Mixed, broad:
		return op.mixed(ctx)
	case RandomWeights:
		op.setBound()
		o.Bound = op.o.Bound
		sh := newShape(op.g)
		sh.given = o.Bound != op.defaultBound()
		return sh.walks(ctx, o, op.Hooks)
	}
	return Sample(ctx, op.g, o)
}

// mixed opens all generators, each with a seed of its own.
func (op *opening) mixed(ctx context.Context) (*Stream, error) {
	given := op.o.Bound
	op.setBound()
	if given == op.defaultBound() {
		given = count.Bound{} // a record has the bound, whether it was given or not
	}
	shape := newShape(op.g)
	shape.given = given != (count.Bound{})
	var all []*Stream
	for i, g := range op.generators() {
		strategy, mode, err := g.parse()
		if err != nil {
			return nil, err
		}
		o := op.o
		o.Strategy, o.Seed = strategy, random.Next(op.Seed+uint64(i)*random.Gamma)
		weights := g.Strategy == RandomWeights || op.Hooks != nil
		switch {
		case strategy == sample.Limit && !weights: // it has a default bound of its own
			o.Bound = given
		case given == (count.Bound{}) && g.Span > 0:
			o.Bound.Max = o.Bound.Min + g.Span
		}
		open := func(ctx context.Context, mask *grammar.Mask) (*Stream, error) {
			o := o
			o.Mask = mask
			if weights {
				return shape.walks(ctx, o, op.Hooks)
			}
			if op.Strategy == broad {
				o.MaxMemory = 0 // otherwise the limit would decide sentences, and no record has it
			}
			s, err := Sample(ctx, op.g, o)
			if op.Strategy == broad && (errors.Is(err, core.ErrMemory) || errors.As(err, new(*core.StatesError))) {
				if s, err = shape.walks(ctx, o, op.Hooks); err == nil {
					s.note("parts of the grammar get no turn, as their tables would take too much memory: walks stand in")
				}
			}
			return s, err
		}
		s, err := shape.generator(ctx, mode, o.Seed, weights, open)
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return mix(all, op.each()), nil
}

// each returns the number of sentences that a generator draws in its turn.
func (p *Plan) each() int {
	if p.Strategy == broad {
		return 1
	}
	return Block
}

// generator opens one generator of a mix. The configurations of walks with random
// weights have seeds of their own.
func (sh *shape) generator(ctx context.Context, mode swarm.Mode, seed uint64, weights bool, open func(context.Context, *grammar.Mask) (*Stream, error)) (*Stream, error) {
	if mode == swarm.Off {
		return open(ctx, nil)
	}
	sw, err := swarm.New(sh.g, swarm.Options{Mode: mode})
	if err != nil {
		return nil, err
	}
	if !weights {
		return Swarm(ctx, sw, seed, Block, open)
	}
	c := newConfigurations(sw, Block, open)
	c.draw = func(number, try uint64) *swarm.Config {
		return sw.Config(random.Next(random.Next(seed^number) + try))
	}
	return c.stream(ctx)
}

// covering opens the set of sentences that reaches all paths, or all alternatives.
func (op *opening) covering(ctx context.Context) (*Stream, error) {
	o := coverage.Options{Layout: op.o.Layout, MaxSize: op.o.Bound.Max}
	set := func(trees []*derive.Tree) *Stream {
		return New(op.g, sizes(op.g, trees), big.NewInt(int64(len(trees))), func() Source { return list(trees) })
	}
	if op.All {
		c, err := coverage.New(op.g, o)
		if err != nil {
			return nil, err
		}
		trees, err := c.Alternatives(ctx)
		if err != nil {
			return nil, err
		}
		s, part := set(trees), c.Report().Alternatives
		s.note("%s for %d of %s", words.Plural(len(trees), "sentence"), part.Reached, words.Plural(part.Total, "alternative"))
		for _, it := range part.Items {
			if it.Count == 0 {
				s.note("no sentence was found for the alternative %s: %s", it.Rule, it.Name)
			}
		}
		return s, nil
	}
	res, err := coverage.Cover(ctx, op.g, op.KPath, o)
	if err != nil {
		return nil, err
	}
	s := set(res.Trees)
	s.note("%s for %s of length %d", words.Plural(len(res.Trees), "sentence"), words.Plural(res.Paths-len(res.Missed), "path"), op.KPath)
	for _, path := range res.Missed {
		s.note("no sentence was found for the path %s", path)
	}
	return s, nil
}

// sizes returns the least bound of sizes that has all the trees.
func sizes(g *grammar.Grammar, trees []*derive.Tree) count.Bound {
	facts := g.Facts(nil, grammar.Structure)
	var all []int
	for _, t := range trees {
		all = append(all, derive.Size(t, facts, grammar.Terminals))
	}
	if len(all) == 0 {
		return count.Sizes(0, 0, grammar.Terminals)
	}
	return count.Sizes(slices.Min(all), slices.Max(all), grammar.Terminals)
}

// Open returns the swarm of the plan, of g, and the configuration that all sentences
// share; nil if there are many.
func (p *SwarmPlan) Open(g *grammar.Grammar, m grammar.Measure) (sw *swarm.Swarm, only *swarm.Config, err error) {
	o := swarm.Options{Measure: m}
	if o.Mode, err = swarm.ParseMode(p.Mode); err != nil {
		return nil, nil, err
	}
	if o.Coins, err = swarm.ParseCoins(cmp.Or(p.CoinsFile, "coins"), []byte(p.Coins)); err != nil {
		return nil, nil, err
	}
	if sw, err = swarm.New(g, o); err != nil {
		return nil, nil, err
	}
	switch {
	case p.Config != "":
		only, err = sw.Parse(p.Config)
	case p.Saved != "":
		if only, err = swarm.Load(g, []byte(p.Saved)); err != nil && p.SavedFile != "" {
			err = fmt.Errorf("%s: %w", p.SavedFile, err)
		}
	}
	return sw, only, err
}
