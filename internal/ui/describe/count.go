package describe

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/big"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/base/words"
	"github.com/gramfuzz/gramfuzz/internal/core"
	"github.com/gramfuzz/gramfuzz/internal/core/textset"
	"github.com/gramfuzz/gramfuzz/internal/records/canonical"
	"github.com/gramfuzz/gramfuzz/internal/records/record"
	"github.com/gramfuzz/gramfuzz/texts"
)

// Counts is the number of sentences within a bound.
type Counts struct {
	Grammar string          `json:"grammar"`
	Bound   derive.BoundRef `json:"bound"`
	Measure string          `json:"measure"`
	Over    string          `json:"over"` // "trees": derivations; "texts": distinct texts
	Counts  []Count         `json:"counts,omitempty"`
	Total   *Number         `json:"total,omitempty"`
}

// Counter counts sentences within a bound.
type Counter struct {
	Empty error // the reason if there is no sentence; nil otherwise, and for texts

	of    Counts
	bound count.Bound
	all   func() (*big.Int, error)
	at    func(n int) (*big.Int, error)
	fits  func() error // refuses steps that together need too many tries; nil: there is nothing to refuse
}

// NewCounter returns a counter of derivations, or with overTexts of distinct texts; each text
// takes a look at tries derivations at most.
func NewCounter(ctx context.Context, g *grammar.Grammar, b count.Bound, o count.Options, overTexts bool, tries int) (*Counter, error) {
	c := &Counter{of: Counts{Grammar: g.Name, Bound: record.Bound(b), Measure: o.Measure.String(), Over: "trees"}, bound: b}
	if overTexts {
		c.of.Over = "texts"
		return c, c.countTexts(ctx, g, o, tries)
	}
	t, err := count.New(ctx, g, b, o)
	switch {
	case errors.As(err, new(*count.EmptyError)):
		c.Empty = err
		c.all = func() (*big.Int, error) { return new(big.Int), nil }
		c.at = func(int) (*big.Int, error) { return new(big.Int), nil }
	case err != nil:
		return nil, err
	default:
		c.all = func() (*big.Int, error) { return t.Total(), nil }
		c.at = func(n int) (*big.Int, error) { return t.At(n), nil }
	}
	return c, nil
}

// mostTrees limits the trees that are looked at to count texts, to some seconds of work.
const mostTrees = 300_000

func (c *Counter) countTexts(ctx context.Context, g *grammar.Grammar, o count.Options, tries int) error {
	p, err := canonical.Parser(ctx, g, o.MaxMemory)
	if err != nil {
		return err
	}
	layout, err := derive.NewLayout(g, derive.Tight)
	if err != nil {
		return err
	}
	if layout == nil {
		if done, err := c.countParts(ctx, g, o, tries); done || err != nil {
			return err
		}
	}
	most := cmp.Or(tries, mostTrees)
	within := func(b count.Bound) (*big.Int, error) {
		table, err := count.New(ctx, g, b, o)
		if errors.As(err, new(*count.EmptyError)) {
			return new(big.Int), nil
		}
		if err != nil {
			return nil, err
		}
		of := texts.NewTable(p, table, layout.Lenient())
		of.MaxTries = most
		n, err := of.Count(ctx)
		return new(big.Int).SetUint64(n), err
	}
	c.fits = func() error {
		table, err := count.New(ctx, g, c.bound, o)
		if errors.As(err, new(*count.EmptyError)) {
			return nil
		}
		if err != nil {
			return err
		}
		return c.tooMany(table.At, most)
	}
	c.all = func() (*big.Int, error) { return within(c.bound) }
	c.at = func(n int) (*big.Int, error) {
		step := c.bound
		if step.ByDepth() {
			step.Depth = n
		} else {
			step.Min, step.Max = n, n
		}
		return within(step)
	}
	return nil
}

// countParts counts texts by those of parts of the grammar; false says that this is not possible.
func (c *Counter) countParts(ctx context.Context, g *grammar.Grammar, o count.Options, tries int) (bool, error) {
	table, err := count.New(ctx, g, c.bound, o)
	if errors.As(err, new(*count.EmptyError)) {
		c.all = func() (*big.Int, error) { return new(big.Int), nil }
		c.at = func(int) (*big.Int, error) { return new(big.Int), nil }
		return true, nil
	}
	if err != nil {
		return false, err
	}
	most := cmp.Or(tries, textset.DefaultMost)
	sets := textset.New((*core.Table)(table), most)
	if sets == nil {
		return false, nil
	}
	number := func(least, last int, advice string) (*big.Int, error) {
		n, err := sets.Count(ctx, least, last)
		if errors.Is(err, textset.ErrMany) {
			return nil, fmt.Errorf("texts are counted by joining those of parts: up to %s %d these are more than %d; %s, or allow more --tries",
				c.flag(), last, most, advice)
		}
		return big.NewInt(int64(n)), err
	}
	c.all = func() (*big.Int, error) {
		least := c.bound.Min
		if c.bound.ByDepth() {
			least = c.bound.Depth
		}
		return number(least, c.bound.Steps(), "take a smaller bound")
	}
	c.at = func(n int) (*big.Int, error) {
		advice := "take another grammar"
		if n > c.first() {
			advice = fmt.Sprintf("--%s %d would fit", c.flag(), n-1)
		}
		return number(n, n, advice)
	}
	return true, nil
}

// flag returns the name of the flag of the bound.
func (c *Counter) flag() string {
	if c.bound.ByDepth() {
		return "depth"
	}
	return "size"
}

// Total returns the number within the bound.
func (c *Counter) Total() (*Counts, error) {
	n, err := c.all()
	c.of.Total = &Number{n}
	return &c.of, err
}

// tooMany is the error that the texts of all steps take more than most trees, nil where they do
// not.
func (c *Counter) tooMany(trees func(step int) *big.Int, most int) error {
	sum := new(big.Int)
	for n := c.first(); n <= c.bound.Steps(); n++ {
		sum.Add(sum, trees(n))
		if sum.Cmp(big.NewInt(int64(most))) <= 0 {
			continue
		}
		fits, flag := "", c.flag()
		if n > c.first() {
			fits = fmt.Sprintf("; --%s %d would fit", flag, n-1)
		}
		return fmt.Errorf("texts are counted by looking at every tree: up to %s %d these are %s, more than %d%s, or allow more --tries",
			flag, n, words.About(sum), most, fits)
	}
	return nil
}

func (c *Counter) first() int { return max(c.bound.Min, min(c.bound.Depth, 1)) }

// Steps returns how many there are of each depth, at most that deep, or of each size. Each
// is told of as soon as it is known.
func (c *Counter) Steps(each func(Count) error) (*Counts, error) {
	if c.fits != nil {
		if err := c.fits(); err != nil {
			return nil, err
		}
	}
	for n := c.first(); n <= c.bound.Steps(); n++ {
		k, err := c.at(n)
		if err != nil {
			return nil, err
		}
		c.of.Counts = append(c.of.Counts, Count{n, Number{k}})
		if err := each(c.of.Counts[len(c.of.Counts)-1]); err != nil {
			return nil, err
		}
	}
	return &c.of, nil
}
