package dist

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/sample"
	"github.com/gramfuzz/gramfuzz/stream"
	"github.com/gramfuzz/gramfuzz/swarm"
)

// By is the kind of the rows of an account.
type By uint8

// The kinds of rows.
const (
	Auto         By = iota // leaves if they are few enough, else alternatives
	Leaves                 // complete derivations
	Alternatives           // the probability that a sentence takes an alternative at least once
)

// The defaults of Options.
const (
	DefaultLeaves  = 1000
	DefaultSamples = 10_000
)

// Options controls [New]. The zero value is valid.
type Options struct {
	Sample  sample.Options // the strategy and bound; the zero bound is the default of the whole grammar
	By      By
	Leaves  int // bounds the sentences listed; 0 is DefaultLeaves
	Paths   int // bounds the outcomes of drawing a configuration; 0 is the default of [swarm.Swarm.Each]
	Samples int // sentences drawn for an estimate; 0 is DefaultSamples
}

// Account is the distribution of one sentence.
type Account struct {
	Strategy sample.Strategy
	Mode     swarm.Mode
	Bound    count.Bound
	By       By // Leaves or Alternatives
	Rows     []Row

	// Exact says that every Row has its exact P. Derives is then the probability that a
	// configuration has a sentence within the bound, and Configs the number of those
	// configurations. Otherwise Samples sentences were drawn, for the reason Why.
	Exact   bool
	Derives *big.Rat
	Configs int
	Samples int
	Why     string
}

// Row is the probability of a leaf or an alternative.
type Row struct {
	Name    string // a leaf's text; such as "rule/2" for an alternative
	Choices []int  // of a leaf; if tokens are leaves, with one text of each token for all
	Alt     int    // the alternative's number in the grammar; of a leaf -1

	structure []int // of a leaf: the choices outside of tokens

	P      *big.Rat // exact; nil in an estimate
	Hits   int      // estimate: the number of samples of this row
	Lo, Hi float64  // estimate: an interval that contains the probability in 99 of 100 cases
	Share  float64  // P, or the share of hits
}

// New computes the account of a strategy and a swarm. Rows are in the order of the choice
// sequences, or of the grammar. It fails where nothing derives anything within the bound, and
// where leaves are demanded and there are too many.
func New(ctx context.Context, sw *swarm.Swarm, o Options) (*Account, error) {
	o.Leaves, o.Samples = cmp.Or(o.Leaves, DefaultLeaves), cmp.Or(o.Samples, DefaultSamples)
	if o.Sample.Bound == (count.Bound{}) && o.Sample.Strategy != sample.Limit {
		o.Sample.Bound = sample.DefaultBound(sw.Grammar(), sw.Grammar().Facts(nil, o.Sample.Measure))
	}
	s, err := stream.Swarm(ctx, sw, o.Sample.Seed, 1, func(ctx context.Context, mask *grammar.Mask) (*stream.Stream, error) {
		within := o.Sample
		within.Mask = mask
		return stream.Sample(ctx, sw.Grammar(), within)
	})
	if err != nil {
		return nil, err
	}
	o.Sample.Bound = s.Bound()
	a := &accounting{sw: sw, g: sw.Grammar(), o: o, s: s}
	a.facts = a.g.Facts(nil, o.Sample.Measure)
	a.Strategy, a.Mode, a.Bound = o.Sample.Strategy, sw.Mode(), s.Bound()
	a.Account.By = Leaves
	err = a.exact(ctx)
	if errors.Is(err, errMany) && o.By != Leaves && o.Sample.Strategy == sample.Uniform {
		a.Why = err.Error()
		err = a.counted(ctx)
	}
	switch {
	case err == nil:
		if o.By == Alternatives && a.Account.By == Leaves {
			a.toAlternatives()
		}
		a.Exact = true
		return &a.Account, nil
	case errors.Is(err, swarm.ErrTooMany), errors.Is(err, errMany):
		a.Why = err.Error()
	default:
		return nil, err
	}
	if err := a.estimate(ctx); err != nil {
		return nil, err
	}
	return &a.Account, nil
}

type accounting struct {
	Account
	sw *swarm.Swarm
	g  *grammar.Grammar
	o  Options
	s  *stream.Stream

	all    []leaf // of the whole grammar, in the order of Rows; nil if they are too many
	facts  *grammar.Facts
	leaves []leaf // those with probabilities, as in Rows
}

// exact lists every sentence of every configuration.
func (a *accounting) exact(ctx context.Context) error {
	// The leaves of a configuration are leaves of the whole grammar. A configuration may have few
	// of too many, but then the rows are too many.
	o := a.o.Sample
	o.Mask = nil
	all, err := leaves(ctx, a.g, o, a.o.Leaves)
	if err != nil {
		return err
	}
	slices.SortFunc(all, byChoices)
	a.all = all
	configs, err := a.sw.Each(ctx, a.o.Paths)
	if err != nil {
		return err
	}
	index := map[string]int{}
	err = a.eachConfig(configs, func(mask *grammar.Mask, p *big.Rat) error {
		o.Mask = mask
		ls, err := leaves(ctx, a.g, o, a.o.Leaves)
		if err != nil {
			return err
		}
		for _, l := range ls {
			k := key(l.structure)
			at, ok := index[k]
			if !ok {
				at = len(a.leaves)
				index[k] = at
				sum := l
				sum.p = new(big.Rat)
				a.leaves = append(a.leaves, sum)
			}
			a.leaves[at].p.Add(a.leaves[at].p, new(big.Rat).Mul(l.p, p))
		}
		return nil
	})
	if err != nil {
		return err
	}
	slices.SortFunc(a.leaves, byChoices)
	for _, l := range a.leaves {
		l.p.Quo(l.p, a.Derives)
		a.Rows = append(a.Rows, Row{Name: l.text, Choices: l.choices, Alt: -1, structure: l.structure, P: l.p, Share: float(l.p)})
	}
	return nil
}

// eachConfig calls do with the mask and probability of every configuration. It counts those with
// a sentence: do fails with a count.EmptyError for the others.
func (a *accounting) eachConfig(configs []swarm.Weighed, do func(*grammar.Mask, *big.Rat) error) error {
	a.Derives = new(big.Rat)
	for _, c := range configs {
		err := do(c.Config.Mask(), c.P)
		if errors.As(err, new(*count.EmptyError)) {
			continue
		}
		if err != nil {
			return err
		}
		a.Configs++
		a.Derives.Add(a.Derives, c.P)
	}
	return nil
}

func byChoices(x, y leaf) int { return slices.Compare(x.structure, y.structure) }

// toAlternatives sums the leaves by the alternatives that they take.
func (a *accounting) toAlternatives() {
	a.Account.By = Alternatives
	a.Rows = nil
	ps := make([]*big.Rat, a.g.Alts)
	for _, l := range a.leaves {
		for _, alt := range l.alts {
			if ps[alt] == nil {
				ps[alt] = new(big.Rat)
			}
			ps[alt].Add(ps[alt], l.p)
		}
	}
	for _, n := range a.alternatives() {
		p := ps[n.alt]
		if p == nil {
			p = new(big.Rat)
		}
		a.Rows = append(a.Rows, Row{Name: n.name, Alt: n.alt, P: p, Share: float(p)})
	}
}

// named is an alternative that can be a row.
type named struct {
	name string
	alt  int
	e    *grammar.Expr
	i    int
}

// alternatives lists the alternatives that are features.
func (a *accounting) alternatives() []named {
	var ns []named
	for _, f := range a.sw.Features() {
		if f.Expr != nil && f.Expr.Op == grammar.Choice {
			ns = append(ns, named{f.Name, f.Expr.FirstAlt + f.Alt, f.Expr, f.Alt})
		}
	}
	return ns
}

// mostCounts bounds the counts of an exact account by alternatives.
const mostCounts = 5000

// counted computes the probabilities of alternatives under uniform sampling, from
// the numbers of derivations with and without each.
func (a *accounting) counted(ctx context.Context) error {
	configs, err := a.sw.Each(ctx, a.o.Paths)
	if err != nil {
		return err
	}
	alts := a.alternatives()
	if len(configs)*(len(alts)+1) > mostCounts {
		return fmt.Errorf("%d configurations of %d alternatives: %w", len(configs), len(alts), errMany)
	}
	a.Account.By = Alternatives
	without := make([]*big.Rat, len(alts))
	for i := range without {
		without[i] = new(big.Rat)
	}
	err = a.eachConfig(configs, func(mask *grammar.Mask, p *big.Rat) error {
		all, err := a.table(ctx, mask)
		if err != nil {
			return err
		}
		for i, n := range alts {
			less := mask.Clone()
			less.Set(n.e, n.i, false)
			rest, err := a.table(ctx, less)
			if errors.As(err, new(*count.EmptyError)) {
				continue
			}
			if err != nil {
				return err
			}
			share := a.part(rest, all)
			without[i].Add(without[i], share.Mul(share, p))
		}
		return nil
	})
	if err != nil {
		return err
	}
	for i, n := range alts {
		p := without[i].Quo(without[i], a.Derives)
		p.Sub(big.NewRat(1, 1), p)
		a.Rows = append(a.Rows, Row{Name: n.name, Alt: n.alt, P: p, Share: float(p)})
	}
	return nil
}

func (a *accounting) table(ctx context.Context, m *grammar.Mask) (*count.Table, error) {
	return count.New(ctx, a.g, a.Bound, count.Options{Mask: m, Measure: a.o.Sample.Measure, MaxMemory: a.o.Sample.MaxMemory})
}

// part returns the probability that a sentence of all is one of rest.
func (a *accounting) part(rest, all *count.Table) *big.Rat {
	if a.Bound.ByDepth() || a.o.Sample.Spread == sample.ByCount {
		return new(big.Rat).SetFrac(rest.Total(), all.Total())
	}
	sum, sizes := new(big.Rat), int64(0)
	for n := a.Bound.Min; n <= a.Bound.Max; n++ {
		if all.At(n).Sign() > 0 {
			sizes++
			sum.Add(sum, new(big.Rat).SetFrac(rest.At(n), all.At(n)))
		}
	}
	return sum.Quo(sum, big.NewRat(sizes, 1))
}

func float(r *big.Rat) float64 {
	f, _ := r.Float64()
	return f
}
