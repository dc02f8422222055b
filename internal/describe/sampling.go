package describe

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/big"
	"strings"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/numbers"
	"github.com/gramfuzz/gramfuzz/parse"
	"github.com/gramfuzz/gramfuzz/sample"
)

const (
	averaged = 2000    // sentences drawn for averages that are not computed
	parsed   = 200     // sentences parsed to estimate ambiguity
	memory   = 4 << 20 // of parsing one of them; one that needs more is left out
)

// Sampling writes a prediction of n sentences: how many there are, how long they are on
// average, how often they take each alternative, which alternatives they are expected to
// miss (every choice with all), an estimate of ambiguity, and sizes that would miss fewer.
// src draws them by a strategy, which package sample need not have. Errors are those of
// [sample.Explain] and of src.
func Sampling(ctx context.Context, w io.Writer, g *grammar.Grammar, o sample.Options, strategy string, src Source, n int, all bool) error {
	var draw func(context.Context, uint64) (*derive.Tree, error)
	if strategy != o.Strategy.String() {
		draw = src.Tree
	}
	x, err := sample.Explain(ctx, g, o, averaged, draw)
	if err != nil {
		return err
	}
	e := &explained{out: w, g: g, o: o, strategy: strategy, src: src, n: n, x: x}
	e.summary()
	e.alternatives(all)
	if err := e.ambiguity(ctx); err != nil {
		return err
	}
	return e.suggestion(ctx)
}

// Source draws sentences, as those of packages sample and stream do.
type Source interface {
	Append(ctx context.Context, dst []byte, i uint64) ([]byte, error)
	Tree(ctx context.Context, i uint64) (*derive.Tree, error)
}

// explained writes an explanation.
type explained struct {
	out io.Writer
	g   *grammar.Grammar
	o   sample.Options
	n   int
	x   *sample.Explanation

	strategy string
	src      Source
}

func (e *explained) summary() {
	fmt.Fprintf(e.out, "grammar %s, strategy %s", e.g.Name, e.strategy)
	if e.x.Bound != (count.Bound{}) {
		fmt.Fprintf(e.out, ", %v, measure %v", e.x.Bound, e.o.Measure)
	}
	fmt.Fprintln(e.out)
	switch {
	case e.x.Total != nil:
		fmt.Fprintf(e.out, "%s derivations\n", numbers.About(e.x.Total))
	case e.x.Bound != (count.Bound{}):
		fmt.Fprintln(e.out, "more derivations than can be counted in --max-memory")
	}
	fmt.Fprintf(e.out, "a sentence has on average %.1f terminals and %.1f bytes\n", e.x.Terminals, e.x.Bytes)
	if e.x.Turns > 0 {
		fmt.Fprintf(e.out, "in turn: %s of the grammar\n", numbers.Plural(e.x.Turns, "part"))
	}
	if len(e.x.NoTurn) > 0 {
		fmt.Fprintf(e.out, "in no sentence within the bound: %s\n", strings.Join(e.x.NoTurn, " "))
	}
	if e.x.Drawn > 0 {
		fmt.Fprintf(e.out, "(averages of %d sentences drawn)\n", e.x.Drawn)
	}
}

// alternatives lists how often alternatives are taken.
func (e *explained) alternatives(all bool) {
	drowned := map[int]bool{}
	for _, alt := range e.x.Missed(e.n) {
		drowned[alt] = true
	}
	total := 0
	for _, ok := range e.x.Possible {
		if ok {
			total++
		}
	}
	if len(drowned) == 0 {
		fmt.Fprintf(e.out, "no alternative is drowned: %d sentences are expected to take each of %d\n", e.n, total)
	} else {
		fmt.Fprintf(e.out, "drowned: %d of %d alternatives, which %d sentences are expected to miss\n", len(drowned), total, e.n)
	}
	for _, x := range e.g.Exprs {
		if x.Op != grammar.Choice || !e.listed(x, drowned, all) {
			continue
		}
		e.choice(x, drowned)
	}
}

// listed reports whether the alternatives of a choice are shown.
func (e *explained) listed(x *grammar.Expr, drowned map[int]bool, all bool) bool {
	possible := false
	for i := range x.Children {
		if drowned[x.FirstAlt+i] {
			return true
		}
		possible = possible || e.x.Possible[x.FirstAlt+i]
	}
	return all && possible
}

// choice lists the alternatives of one choice: the share of each there, and how
// often a sentence takes it.
func (e *explained) choice(x *grammar.Expr, drowned map[int]bool) {
	sum := 0.0
	for i := range x.Children {
		sum += e.x.Alternatives[x.FirstAlt+i]
	}
	fmt.Fprintf(e.out, "%v: taken %s times a sentence\n", x.Pos, amount(sum))
	for i, child := range x.Children {
		uses := e.x.Alternatives[x.FirstAlt+i]
		mark := ""
		switch {
		case !e.x.Possible[x.FirstAlt+i]:
			mark = "  in no sentence"
		case drowned[x.FirstAlt+i]:
			mark = "  drowned"
		}
		share := 0.0
		if sum > 0 {
			share = 100 * uses / sum
		}
		fmt.Fprintf(e.out, "  %7.3f %%  %-8s %s%s\n", share, amount(uses), brief(child), mark)
	}
}

// amount formats a number of which small ones matter too.
func amount(x float64) string { return fmt.Sprintf("%.3g", x) }

// brief is the beginning of an expression, for people.
func brief(x *grammar.Expr) string {
	var words []string
	var walk func(x *grammar.Expr)
	walk = func(x *grammar.Expr) {
		if len(words) > 6 {
			return
		}
		switch x.Op {
		case grammar.Lit:
			words = append(words, fmt.Sprintf("%q", x.Text))
		case grammar.Ref:
			words = append(words, x.Name)
		case grammar.Class:
			words = append(words, "[…]")
		case grammar.Seq:
			for _, k := range x.Children {
				walk(k)
			}
		default:
			words = append(words, "(…)")
		}
	}
	walk(x)
	if len(words) > 6 {
		words = append(words[:6], "…")
	}
	return strings.Join(words, " ")
}

// ambiguity estimates how many texts have several derivations, by parsing some.
func (e *explained) ambiguity(ctx context.Context) error {
	p, err := parse.New(ctx, e.g, parse.Options{Measure: e.o.Measure})
	if err != nil {
		fmt.Fprintf(e.out, "ambiguity not estimated: %v\n", err)
		return nil
	}
	if p.Deterministic() {
		fmt.Fprintln(e.out, "not ambiguous: no text has two derivations")
		return nil
	}
	p = p.Clone(memory)
	several, read := 0, 0
	for i := range uint64(parsed) {
		text, err := e.src.Append(ctx, nil, i)
		if err != nil {
			return err
		}
		forest, err := p.Parse(ctx, "sentence", string(text))
		if errors.Is(err, parse.ErrMemory) {
			continue
		}
		if err != nil {
			return fmt.Errorf("a sentence is not read back, which is a mistake of gramfuzz: %w", err)
		}
		trees, err := forest.Count(ctx)
		if errors.Is(err, parse.ErrMemory) {
			continue
		}
		if err != nil {
			return err
		}
		read++
		if trees.Cmp(big.NewInt(1)) > 0 {
			several++
		}
	}
	switch {
	case read == 0:
		fmt.Fprintf(e.out, "ambiguity not estimated: each of %d texts takes more than %d MiB to parse\n", parsed, memory>>20)
	case several == 0:
		fmt.Fprintf(e.out, "ambiguity: none of %d texts has more than one derivation\n", read)
	default:
		fmt.Fprintf(e.out, "ambiguity: %d of %d texts have more than one derivation, and so are more likely than others\n", several, read)
	}
	return nil
}

// suggestion says which sizes miss the fewest alternatives.
func (e *explained) suggestion(ctx context.Context) error {
	now := len(e.x.Missed(e.n))
	if now == 0 {
		return nil
	}
	b, missed, err := sample.Suggest(ctx, e.g, e.o, e.n)
	switch {
	case ctx.Err() != nil:
		return err
	case missed < 0 || missed >= now:
		fmt.Fprintf(e.out, "no range of sizes that was tried misses fewer; draw more sentences (-n)\n")
	default:
		fmt.Fprintf(e.out, "suggested: --size %d..%d, which misses %d\n", b.Min, b.Max, missed)
	}
	return nil
}
