package sample

import (
	"context"
	"errors"
	"math/big"

	gctx "github.com/gramfuzz/gramfuzz/context"
	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/core"
	"github.com/gramfuzz/gramfuzz/internal/core/scope"
)

// Explanation holds the averages of a sampler, before it is used.
type Explanation struct {
	Bound count.Bound
	Total *big.Int // derivations within the bound; nil if counting them takes too much memory or time

	// Kept shows how much the annotations of names remove. Kept[""] is the number of derivations
	// in which every name is any of its pool. Kept[n] is the number of those that obey the
	// annotations of namespace n. Texts that @same repeats count as in Total. A number is nil
	// where Total would be. The map is empty in canonical mode, and where no name has a pool.
	Kept map[string]*big.Int

	// Averages over all sentences if Drawn is 0, else over Drawn sentences.
	Alternatives []float64 // uses of each, outside of tokens that are leaves, by grammar.Expr.FirstAlt and index
	Terminals    float64
	Bytes        float64 // of the text
	Drawn        int

	Possible []bool // by alternative, as above: some sentence takes it

	// Of strategy balanced: the number of parts that have their turn, and the names of those
	// that no sentence within the bound has.
	Turns  int
	NoTurn []string
}

// Missed returns the numbers of the alternatives that n sentences would miss: on average,
// fewer than one sentence in n takes them. Alternatives that no sentence of the grammar takes
// are left out.
func (x *Explanation) Missed(n int) []int {
	var out []int
	for i, ok := range x.Possible {
		if ok && x.Alternatives[i]*float64(n) < 1 {
			out = append(out, i)
		}
	}
	return out
}

// Explain returns the averages of the sampler that New makes with the same options. For
// strategy uniform they are computed, at the cost of the sampler's tables. For other
// strategies they are the averages of n sentences, or of fewer where these take long to draw.
// With a negative n, the number of derivations is left out, and only strategy uniform has
// averages. If draw is not nil, the averages are those of n sentences that it draws.
func Explain(ctx context.Context, g *grammar.Grammar, o Options, n int, draw func(ctx context.Context, i uint64) (*derive.Tree, error)) (*Explanation, error) {
	s, err := New(ctx, g, o)
	if err != nil {
		return nil, err
	}
	x := &Explanation{Bound: s.Bound()}
	if x.Bound != (count.Bound{}) && n >= 0 {
		if x.Total, err = s.total(ctx, x.Bound); err != nil {
			return nil, err
		}
		if x.Kept, err = s.kept(ctx, x.Bound); err != nil {
			return nil, err
		}
	}
	possible := s.countOptions()
	if s.uncertified != nil {
		possible.Names.Off = true // An alternative without a possible name then counts as possible.
	}
	p, err := count.NewProgram(g, count.Sizes(0, 1, grammar.Terminals), possible)
	if err != nil {
		return nil, err
	}
	x.Possible = (*core.Program)(p).Alternatives()
	if s.balanced != nil {
		x.Turns, x.NoTurn = s.balanced.turns()
	}
	if draw == nil && (o.Strategy != Uniform || s.uncertified != nil) {
		draw = s.Source().Tree
	}
	if draw != nil {
		return x, s.average(ctx, x, max(n, 0), draw)
	}
	return x, s.uses(ctx, x)
}

// maxCountSteps bounds the steps to count the derivations of an explanation, to a second or two.
const maxCountSteps = 1e8

// total returns the number of derivations, or nil where counting them takes too much memory
// or time, or there are too many states of names.
func (s *Sampler) total(ctx context.Context, b count.Bound) (*big.Int, error) {
	p, err := count.NewProgram(s.g, b, s.countOptions())
	if errors.As(err, new(*gctx.StatesError)) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return s.totalOf(ctx, b, p)
}

// kept returns [Explanation.Kept].
func (s *Sampler) kept(ctx context.Context, b count.Bound) (map[string]*big.Int, error) {
	if s.names == nil || s.o.Names.Mode != gctx.Pool {
		return nil, nil
	}
	names := (*scope.Names)(s.names)
	kinds := names.Kinds()
	if len(kinds) == 0 {
		return nil, nil
	}
	kept := map[string]*big.Int{}
	for _, kind := range append(kinds, "") {
		p, err := scope.Program(s.g, names.Keeping(kind), nil, s.facts, b.Unit, repeatOf(b), core.Budget(s.o.MaxMemory))
		kept[kind] = nil
		if err == nil {
			kept[kind], err = s.totalOf(ctx, b, (*count.Program)(p))
		}
		if err != nil && !errors.As(err, new(*gctx.StatesError)) {
			return nil, err
		}
	}
	return kept, nil
}

func (s *Sampler) totalOf(ctx context.Context, b count.Bound, p *count.Program) (*big.Int, error) {
	if !b.ByDepth() && float64(len((*core.Program)(p).Nodes))*float64(b.Max)*float64(b.Max) > maxCountSteps {
		return nil, nil
	}
	t, err := count.NewTable(ctx, p, b, s.countOptions())
	var tooBig *count.MemoryError
	if errors.As(err, &tooBig) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return t.Total(), nil
}

// uses computes the averages of uniform sampling.
func (s *Sampler) uses(ctx context.Context, x *Explanation) error {
	p, err := count.NewProgram(s.g, s.o.Bound, s.countOptions())
	if err != nil {
		return err
	}
	return s.usesOf(ctx, x, p)
}

// usesOf is uses with the program for the bound.
func (s *Sampler) usesOf(ctx context.Context, x *Explanation, p *count.Program) (err error) {
	b := s.o.Bound
	var u *core.Uses
	if b.ByDepth() {
		t, err := count.NewTable(ctx, p, b, s.countOptions())
		if err != nil {
			return err
		}
		u, err = (*core.Table)(t).Uses(ctx)
		if err != nil {
			return err
		}
	} else {
		f, err := core.NewFloats(ctx, (*core.Program)(p), b.Max, s.o.Progress)
		if err != nil {
			return err
		}
		if u, err = f.Uses(ctx, s.weights(f)); err != nil {
			return err
		}
	}
	x.Alternatives, x.Terminals, x.Bytes = u.Alternatives, u.Terminals, u.Bytes
	return nil
}

// weights returns the probability of each size.
func (s *Sampler) weights(f *core.Floats) []float64 {
	b := s.o.Bound
	weight := make([]float64, b.Max+1)
	total, scale := 0.0, 1.0
	for n := b.Max; n >= b.Min; n-- { // the greatest first, to avoid overflow
		if f.Has(f.Program.Root, n) {
			weight[n] = 1
			if s.o.Spread == ByCount {
				weight[n] = f.At(f.Program.Root, n) * scale
			}
			total += weight[n]
		}
		scale *= f.Scale
	}
	for n := range weight {
		weight[n] /= total
	}
	return weight
}

const (
	maxDrawWork = 2_000_000 // nodes of the sentences drawn for averages, and parts of the grammar looked at for them
	leastDrawn  = 5         // sentences drawn whatever the work
)

// average draws n sentences, or fewer where they are large or the grammar is.
func (s *Sampler) average(ctx context.Context, x *Explanation, n int, draw func(context.Context, uint64) (*derive.Tree, error)) error {
	x.Alternatives = make([]float64, s.g.Alts)
	for work := 0; x.Drawn < n && (x.Drawn < leastDrawn || work < maxDrawWork); x.Drawn++ {
		t, err := draw(ctx, uint64(x.Drawn))
		if err != nil {
			return err
		}
		work += len(t.Nodes()) + len(s.g.Exprs)/4
		x.Terminals += float64(derive.Size(t, s.facts, grammar.Terminals))
		x.Bytes += float64(derive.Size(t, s.facts, grammar.Bytes))
		for j := 0; j < len(t.Nodes()); j++ {
			node := &t.Nodes()[j]
			switch {
			case node.Name:
			case node.Expr.Op == grammar.Choice:
				x.Alternatives[node.Expr.FirstAlt+node.Val]++
			case node.Expr.Op == grammar.Ref && s.facts.Leaf(node.Expr):
				j = node.End - 1 // the inside of a token that is a leaf is not counted
			}
		}
	}
	one := 1 / float64(max(x.Drawn, 1))
	x.Terminals *= one
	x.Bytes *= one
	for i := range x.Alternatives {
		x.Alternatives[i] *= one
	}
	return nil
}

// suggested are the lengths of the ranges, from the least size, that [Suggest] tries.
var suggested = []int{10, 20, 50, 100, 200}

// maxSuggestSteps bounds the steps to compute one of these ranges, to a second or two.
const maxSuggestSteps = 1e8

// Suggest returns the range of sizes in which n uniform sentences miss the fewest
// alternatives, and the number of alternatives missed. It compares a few ranges that begin
// with the least size, and prefers smaller ones among equals. Ranges that would take seconds
// to compute are skipped, except the first.
func Suggest(ctx context.Context, g *grammar.Grammar, o Options, n int) (count.Bound, int, error) {
	facts := g.Facts(o.Mask, o.Measure)
	least := facts.Size(g.Root, grammar.Terminals, grammar.Any)
	o.Strategy, o.Spread = Uniform, Even
	s := &Sampler{g: g, o: o, facts: facts}
	var best count.Bound
	missed := -1
	p, err := count.NewProgram(g, count.Sizes(least, least+suggested[0], grammar.Terminals), s.countOptions()) // it serves all ranges
	if err != nil {
		return best, missed, err
	}
	x := &Explanation{Possible: (*core.Program)(p).Alternatives()}
	for _, span := range suggested {
		s.o.Bound = count.Sizes(least, least+span, grammar.Terminals)
		if steps := float64(len((*core.Program)(p).Nodes)) * float64(s.o.Bound.Max) * float64(s.o.Bound.Max); missed >= 0 && steps > maxSuggestSteps {
			break
		}
		if err := s.usesOf(ctx, x, p); err != nil {
			return best, missed, err
		}
		if d := len(x.Missed(n)); missed < 0 || d < missed {
			best, missed = s.o.Bound, d
		}
	}
	return best, missed, nil
}
