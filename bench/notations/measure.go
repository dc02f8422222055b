package main

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"math/rand"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/coverage"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/grammar/load"
	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/lex"
	"github.com/gramfuzz/gramfuzz/parse"
	"github.com/gramfuzz/gramfuzz/sample"
	"github.com/gramfuzz/gramfuzz/swarm"
)

// options say how much to draw.
type options struct {
	sentences, parse, min, max int
	limit                      time.Duration
}

// row is what was found out about a file.
type row struct {
	name, notation string
	broken         string // why it does not load; "" if it does
	start          string // the start rule where it is not the file's own
	rules          int
	sizes          []int // the sizes asked for that have sentences
	exact          int   // the greatest of these that uniform sentences were drawn of
	sentences      int
	short          int // of them, those made for an alternative each
	reached        coverage.Part
	parsed, asked  int // sentences that parse back, of those that there was time for
	failed         error
	took           time.Duration
}

// measure loads the file at path and draws from it.
func measure(ctx context.Context, path string, o options) *row {
	begin := time.Now()
	r := &row{name: filepath.Base(path)}
	defer func() { r.took = time.Since(begin) }()
	var lo load.Options
	if more, ok := grammars.Companion(r.name); ok {
		lo.Companion = more
	}
	g, ds, err := load.File(path, lo)
	if err != nil {
		r.broken = reason(ds, err)
		return r
	}
	r.rules = len(g.Rules)
	if g, err = r.begin(g, path, lo, o); err != nil {
		r.failed = err
		return r
	}
	seen, err := coverage.New(g, coverage.Options{})
	if err != nil {
		r.failed = err
		return r
	}
	trees := r.draw(ctx, g, seen, o)
	r.sentences, r.reached = len(trees), seen.Report().Alternatives
	r.parseBack(ctx, g, trees, o)
	return r
}

// begin finds sizes that have sentences. Some files are libraries of rules, and
// the first derives hardly anything: then the start is the rule that leads to
// most others. A language of small sentences alone is drawn from whatever it has.
func (r *row) begin(g *grammar.Grammar, path string, lo load.Options, o options) (_ *grammar.Grammar, err error) {
	if r.sizes, err = occurring(g, o.min, o.max); len(r.sizes) > 0 || err != nil {
		return g, err
	}
	if lo.Start = widest(g); lo.Start != g.Start.Name {
		other, _, err := load.File(path, lo)
		if err == nil {
			r.sizes, err = occurring(other, o.min, o.max)
		}
		if err == nil && len(r.sizes) > 0 {
			r.start = lo.Start
			return other, nil
		}
	}
	r.sizes, err = occurring(g, 1, o.min-1)
	return g, err
}

// widest returns the rule that leads to most others.
func widest(g *grammar.Grammar) (name string) {
	most := 0
	for _, r := range g.Rules {
		seen := map[*grammar.Rule]bool{r: true}
		for todo := []*grammar.Rule{r}; len(todo) > 0; todo = todo[1:] {
			todo[0].Body.Walk(func(e *grammar.Expr) {
				if e.Op == grammar.Ref && e.Rule != nil && !seen[e.Rule] {
					seen[e.Rule] = true
					todo = append(todo, e.Rule)
				}
			})
		}
		if len(seen) > most {
			most, name = len(seen), r.Name
		}
	}
	return name
}

// occurring returns those of some sizes between the least and the greatest that
// have sentences: each is twice the one before, and the last the greatest.
func occurring(g *grammar.Grammar, least, most int) (sizes []int, err error) {
	p, err := count.NewProgram(g, count.Sizes(least, most, grammar.Terminals), count.Options{})
	if err != nil {
		return nil, err
	}
	for n := least; ; n = min(2*n, most) {
		if p.Occurs(count.Size(n, grammar.Terminals)) {
			sizes = append(sizes, n)
		}
		if n == most {
			return sizes, nil
		}
	}
}

// draw returns sentences: first some of each size, every derivation equally
// likely, which favours what there is most of. Then, by turns, walks in swarm
// configurations and in the whole grammar, until enough alternatives occur, the
// number of sentences is reached or the time is over. If they still do not, a
// short sentence is made for each that is missing.
func (r *row) draw(ctx context.Context, g *grammar.Grammar, seen *coverage.Coverage, o options) (trees []*derive.Tree) {
	within, cancel := context.WithTimeout(ctx, o.limit)
	defer cancel()
	facts := g.Facts(nil, grammar.Structure)
	take := func(t *derive.Tree) {
		if derive.Size(t, facts, grammar.Terminals) <= o.max {
			trees = append(trees, t)
			seen.Add(t)
		}
	}
	half, stop := context.WithTimeout(within, o.limit/3)
	defer stop()
	for _, n := range r.sizes {
		ts, err := uniform(half, g, n)
		if err != nil {
			break // too large for the time or for exact tables
		}
		r.exact = n
		for _, t := range ts {
			take(t)
		}
	}
	sources, err := walks(within, g, o)
	if err != nil && within.Err() == nil {
		r.failed = err
	}
	for at := 0; err == nil && at < o.sentences && within.Err() == nil; at += batch {
		for _, src := range sources {
			for i := at; i < at+batch; i++ {
				t, err := src.Tree(within, uint64(i))
				if err != nil {
					if len(trees) == 0 && within.Err() == nil {
						r.failed = err
					}
					break
				}
				take(t)
			}
		}
		if enough(seen) {
			break
		}
	}
	if !enough(seen) {
		for _, t := range r.steered(ctx, g, trees) {
			take(t)
		}
	}
	return trees
}

func enough(seen *coverage.Coverage) bool {
	a := seen.Report().Alternatives
	return a.Reached*100 >= a.Total*least
}

// steered returns a short sentence for each alternative that none of the trees
// has, where a lexer reads it.
func (r *row) steered(ctx context.Context, g *grammar.Grammar, trees []*derive.Tree) (out []*derive.Tree) {
	plan, err := coverage.New(g, coverage.Options{})
	if err != nil {
		return nil
	}
	for _, t := range trees {
		plan.Add(t)
	}
	layout, err := derive.NewLayout(g, lex.Tight)
	if err != nil {
		return nil
	}
	more, _ := plan.Alternatives(ctx)
	for _, t := range more {
		if t, err := layout.Tree(t, nil); err == nil {
			out = append(out, t)
			r.short++
		}
	}
	return out
}

// perSize is how many uniform sentences are drawn of a size.
const perSize = 5

// uniform draws sentences of size n, every derivation equally likely.
func uniform(ctx context.Context, g *grammar.Grammar, n int) (trees []*derive.Tree, err error) {
	table, err := count.New(ctx, g, count.Size(n, grammar.Terminals), count.Options{})
	if err != nil {
		return nil, err
	}
	layout, err := derive.NewLayout(g, lex.Tight)
	if err != nil {
		return nil, err
	}
	rng := rand.New(rand.NewSource(int64(n))) // the big integers' own draws take this kind
	for range perSize {
		t, err := table.Unrank(new(big.Int).Rand(rng, table.Total()))
		if err != nil {
			return nil, err
		}
		t, err = layout.Tree(t, nil)
		if apart := new(lex.JoinError); errors.As(err, &apart) {
			continue // two tokens that nothing separates: no sentence has them
		}
		if err != nil {
			return nil, err
		}
		trees = append(trees, t)
	}
	return trees, nil
}

// batch is how many sentences each source draws before coverage is looked at.
const batch = 200

// walks returns the sources that draw by walks: those of swarm configurations,
// not very deep, and those of the whole grammar, from the least size on.
func walks(ctx context.Context, g *grammar.Grammar, o options) ([]treeSource, error) {
	sw, err := swarm.New(g, swarm.Options{Mode: swarm.Both})
	if err != nil {
		return nil, err
	}
	depth := g.Facts(nil, grammar.Structure).Depth(g.Root, grammar.Any) + 12
	swarmed, err := swarm.NewSampler(ctx, sw, swarm.SamplerOptions{Every: 10,
		Sample: sample.Options{Bound: count.Bound{Depth: depth, Repeat: 2}, Strategy: sample.Walk}})
	if err != nil {
		return nil, err
	}
	plain, err := sample.New(ctx, g, sample.Options{Bound: count.Sizes(1, o.max, grammar.Terminals), Strategy: sample.Walk})
	if err != nil {
		return nil, err
	}
	return []treeSource{swarmed.Source(), plain.Source()}, nil
}

type treeSource interface {
	Tree(ctx context.Context, i uint64) (*derive.Tree, error)
}

// parseBack parses the texts of some trees, as long as there is time, and notes
// the first that is refused.
func (r *row) parseBack(ctx context.Context, g *grammar.Grammar, trees []*derive.Tree, o options) {
	within, cancel := context.WithTimeout(ctx, o.limit)
	defer cancel()
	p, err := parse.New(within, g, parse.Options{})
	if err != nil {
		r.failed = err
		return
	}
	step := max(1, len(trees)/o.parse)
	for i := 0; i < len(trees); i += step {
		text := trees[i].Text()
		_, err := p.Parse(within, r.name, text)
		if within.Err() != nil {
			return
		}
		r.asked++
		if err == nil {
			r.parsed++
		} else if r.failed == nil {
			r.failed = fmt.Errorf("%w in %.200q", err, text)
		}
	}
}

// reason is the first error that loading reports.
func reason(ds grammar.Diagnostics, err error) string {
	i := slices.IndexFunc(ds, func(d grammar.Diagnostic) bool { return d.Severity == grammar.Error })
	if i >= 0 {
		return fmt.Sprintf("%d:%d: %s", ds[i].Pos.Line, ds[i].Pos.Col, ds[i].Message)
	}
	var d grammar.Diagnostics
	if errors.As(err, &d) {
		return d.Error()
	}
	return strings.TrimSpace(err.Error())
}
