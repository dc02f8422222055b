package main

import (
	"context"
	"embed"
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
	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/internal/lexical/lex"
	"github.com/gramfuzz/gramfuzz/internal/testing/cputime"
	"github.com/gramfuzz/gramfuzz/load"
	"github.com/gramfuzz/gramfuzz/parse"
	"github.com/gramfuzz/gramfuzz/sample"
	"github.com/gramfuzz/gramfuzz/stream"
)

// options has the numbers of sentences, the bounds of their sizes, and the time limit.
type options struct {
	sentences, parse, min, max int
	limit                      time.Duration
}

// row is the result for one file.
type row struct {
	name, notation string
	broken         string // why it does not load; "" if it does
	alone          string // why it does not load without its companion; "" if it does
	companion      bool   // whether a companion adds to the file
	start          string // the start rule if not the file's own
	rules          int
	bands          [][2]int // ranges of sizes that have sentences
	exact          int      // the number of ranges of sizes with uniform sentences
	least, most    int      // the least and greatest sizes that occur
	sentences      int
	short          int // of these, the number made for one alternative each
	reached        coverage.Part
	parsed, asked  int // the numbers of sentences that parse back, and that were tried in time
	failed         error
	took           time.Duration // CPU time
}

// measure loads the file at path, with its companion if there is one, and draws sentences
// of the grammar.
func measure(ctx context.Context, path string, o options) *row {
	begin := cputime.Used()
	r := &row{name: filepath.Base(path)}
	defer func() { r.took = cputime.Used() - begin }()
	g, ds, err := load.File(path, load.Options{})
	if err != nil {
		r.alone = reason(ds, err)
	}
	var lo load.Options
	lo.Companion, r.companion = companionOf(r.name)
	if r.companion {
		g, ds, err = load.File(path, lo)
	}
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

//go:embed companions
var companions embed.FS

// companionOf returns the companion of the grammar file with that base name. It has the
// rules that the file leaves to other files or to prose. One companion ships with
// gramfuzz, the others are here.
func companionOf(file string) ([]byte, bool) {
	if src, ok := grammars.Source(file + ".gramfuzz"); ok {
		return src, true
	}
	src, err := companions.ReadFile("companions/" + file + ".gramfuzz")
	return src, err == nil
}

// begin determines the start rule and finds sizes that have sentences. Some files are
// libraries of rules whose first rule leads to a few words only. Then the start is the
// rule that leads to most others, among those that derive something.
func (r *row) begin(g *grammar.Grammar, path string, lo load.Options, o options) (_ *grammar.Grammar, err error) {
	if r.bands, err = occurring(g, o); err != nil {
		return nil, err
	}
	lead := make(map[*grammar.Rule]int, len(g.Rules)) // the number of rules that each leads to
	for _, x := range g.Rules {
		lead[x] = reaches(x)
	}
	wide := slices.Clone(g.Rules)
	slices.SortStableFunc(wide, func(x, y *grammar.Rule) int { return lead[y] - lead[x] })
	for _, x := range wide {
		if x == g.Start || len(r.bands) > 0 && lead[x] < 2*lead[g.Start] {
			break
		}
		lo.Start = x.Name
		other, _, err := load.File(path, lo)
		if err != nil {
			continue // it needs undefined rules
		}
		if bands, err := occurring(other, o); err == nil && len(bands) > 0 {
			r.start, r.bands = x.Name, bands
			return other, nil
		}
	}
	return g, nil
}

// reaches returns the number of rules that a rule leads to.
func reaches(r *grammar.Rule) int {
	seen := map[*grammar.Rule]bool{r: true}
	for todo := []*grammar.Rule{r}; len(todo) > 0; todo = todo[1:] {
		todo[0].Body.Walk(func(e *grammar.Expr) {
			if e.Op == grammar.Ref && e.Rule != nil && !seen[e.Rule] {
				seen[e.Rule] = true
				todo = append(todo, e.Rule)
			}
		})
	}
	return len(seen)
}

// occurring returns the ranges of sizes that have sentences. Each range begins at twice the start
// of the one before: 5 to 9, 10 to 19, … If none of them has sentences, it returns the range of
// smaller sizes.
func occurring(g *grammar.Grammar, o options) (bands [][2]int, err error) {
	p, err := count.NewProgram(g, count.Sizes(1, o.max, grammar.Terminals), count.Options{})
	if err != nil {
		return nil, err
	}
	for n := o.min; n <= o.max; n *= 2 {
		if to := min(2*n-1, o.max); p.Occurs(count.Sizes(n, to, grammar.Terminals)) == nil {
			bands = append(bands, [2]int{n, to})
		}
	}
	if len(bands) == 0 && o.min > 1 && p.Occurs(count.Sizes(1, o.min-1, grammar.Terminals)) == nil {
		bands = append(bands, [2]int{1, o.min - 1})
	}
	return bands, nil
}

// draw returns sentences. It begins with some for each range of sizes, every derivation of a size
// equally likely; these favour common alternatives. Then walks in swarm configurations and in the
// whole grammar take turns, until enough alternatives occur, the number of sentences is reached or
// the time is over. Finally draw makes a short sentence for each missing alternative.
func (r *row) draw(ctx context.Context, g *grammar.Grammar, seen *coverage.Coverage, o options) (trees []*derive.Tree) {
	within, cancel := cputime.WithLimit(ctx, o.limit)
	defer cancel()
	facts := g.Facts(nil, grammar.Structure)
	take := func(t *derive.Tree) {
		if n := derive.Size(t, facts, grammar.Terminals); n <= o.max {
			if len(trees) == 0 || n < r.least {
				r.least = n
			}
			r.most = max(r.most, n)
			trees = append(trees, t)
			seen.Add(t)
		}
	}
	half, stop := cputime.WithLimit(within, o.limit/2)
	defer stop()
	for _, b := range r.bands {
		ts, err := uniform(half, g, b)
		if err != nil {
			break // the range takes too much time
		}
		r.exact++
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

// steered returns a short sentence for each alternative that is in none of the trees. It omits
// sentences that a lexer cannot read.
func (r *row) steered(ctx context.Context, g *grammar.Grammar, trees []*derive.Tree) (out []*derive.Tree) {
	plan, err := coverage.New(g, coverage.Options{})
	if err != nil {
		return nil
	}
	for _, t := range trees {
		plan.Add(t)
	}
	layout, err := derive.NewLayout(g, derive.Tight)
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

// perBand is the number of uniform sentences drawn from a range of sizes.
const perBand = 5

// exactMemory bounds exact tables, in bytes. For a few sentences, a table up to that size is faster
// than a sampler, which compiles the whole grammar.
const exactMemory = 32 << 20

// uniform draws sentences of the sizes of a range, every derivation of a size
// equally likely.
func uniform(ctx context.Context, g *grammar.Grammar, band [2]int) ([]*derive.Tree, error) {
	b := count.Sizes(band[0], band[1], grammar.Terminals)
	trees, err := ranked(ctx, g, b)
	if tooLarge := new(count.MemoryError); !errors.As(err, &tooLarge) {
		return trees, err
	}
	s, err := sample.New(ctx, g, sample.Options{Bound: b, Seed: 1})
	if err != nil {
		return nil, err
	}
	src := s.Source()
	for i := range uint64(perBand) {
		t, err := src.Tree(ctx, i)
		if err != nil {
			return nil, err
		}
		trees = append(trees, t)
	}
	return trees, nil
}

// ranked draws sentences by their ranks.
func ranked(ctx context.Context, g *grammar.Grammar, b count.Bound) (trees []*derive.Tree, err error) {
	table, err := count.New(ctx, g, b, count.Options{MaxMemory: exactMemory})
	if err != nil {
		return nil, err
	}
	layout, err := derive.NewLayout(g, derive.Tight)
	if err != nil {
		return nil, err
	}
	rng := rand.New(rand.NewSource(int64(b.Min))) // big.Int.Rand needs this type
	for len(trees) < perBand && ctx.Err() == nil {
		n := b.Min + rng.Intn(b.Max-b.Min+1)
		if table.At(n).Sign() == 0 {
			continue
		}
		rank := new(big.Int).Rand(rng, table.At(n))
		for m := b.Min; m < n; m++ {
			rank.Add(rank, table.At(m)) // smaller sentences come first
		}
		t, err := table.Unrank(rank)
		if err != nil {
			return nil, err
		}
		t, err = layout.Tree(t, nil)
		if apart := new(lex.JoinError); errors.As(err, &apart) {
			continue // no separator keeps two tokens apart, so this derivation has no sentence
		}
		if err != nil {
			return nil, err
		}
		trees = append(trees, t)
	}
	return trees, ctx.Err()
}

// batch is the number of sentences that each source draws before coverage is checked again.
const batch = 200

// walks returns two sources of walks: rather shallow ones in swarm configurations, and walks of up
// to o.max terminals in the whole grammar.
func walks(ctx context.Context, g *grammar.Grammar, o options) ([]stream.Source, error) {
	depth := g.Facts(nil, grammar.Structure).Depth(g.Root, grammar.Any) + 12
	var sources []stream.Source
	for _, p := range []stream.Plan{
		{Strategy: "walk", Bound: derive.BoundRef{Depth: depth, Repeat: 2}, Swarm: &stream.SwarmPlan{Mode: "both", Every: 10}},
		{Strategy: "walk", Bound: derive.BoundRef{Min: 1, Max: o.max, Unit: "terminals"}},
	} {
		s, err := p.Open(ctx, g, stream.Options{})
		if err != nil {
			return nil, err
		}
		sources = append(sources, s.Source())
	}
	return sources, nil
}

// parseBack parses the texts of some trees, as long as there is time, and notes
// the first text that is refused.
func (r *row) parseBack(ctx context.Context, g *grammar.Grammar, trees []*derive.Tree, o options) {
	within, cancel := cputime.WithLimit(ctx, o.limit)
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

// reason returns the first error of loading.
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
