package main

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"strings"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/hint"
	"github.com/gramfuzz/gramfuzz/parse"
	"github.com/gramfuzz/gramfuzz/sample"
)

const explainAbout = `
Predict the result of gen with the same flags: how many sentences there are, how
long they are on average, how often a sentence takes each alternative, which
alternatives -n sentences would miss (drowned), how many texts have more than one
derivation, and which sizes would miss fewer alternatives. For strategy uniform
the averages are computed; for the others they are those of sentences drawn.`

const (
	explainDrawn  = 2000 // sentences drawn for averages that are not computed
	explainParsed = 200  // sentences parsed to estimate ambiguity
)

func runExplain(ctx context.Context, args []string, std streams) error {
	f := newFlags(std, "explain -g GRAMMAR [flags]", explainAbout)
	n := f.IntP("number", "n", 10000, "how many sentences are to be drawn")
	all := f.Bool("all", false, "list every alternative, not only those of choices where one is drowned")
	d := f.addDraw()
	f.addQuiet()
	if err := f.parse(args, 0); err != nil {
		return err
	}
	if *n < 1 {
		return f.wrong("-n %d cannot be; it begins with 1", *n)
	}
	p, err := d.plan()
	if err != nil {
		return err
	}
	g, err := d.g.load()
	if err != nil {
		return err
	}
	o, err := p.SampleOptions()
	if err != nil {
		return err
	}
	line := f.progress("computing")
	defer line.end()
	o.Progress = line.show
	x, err := sample.Explain(ctx, g, o, explainDrawn)
	if err != nil {
		return err
	}
	out, err := create(std, "")
	if err != nil {
		return err
	}
	e := &explained{out: out, g: g, o: o, n: *n, x: x}
	e.summary()
	e.alternatives(*all)
	if err := e.ambiguity(ctx); err != nil {
		return err
	}
	if err := e.suggestion(ctx); err != nil {
		return err
	}
	line.end()
	if d, ok := hint.Note(ctx, g); ok && o.Strategy == sample.Uniform && !f.quiet {
		std.diagnose(d)
	}
	return out.finish()
}

// explained writes an explanation.
type explained struct {
	out *output
	g   *grammar.Grammar
	o   sample.Options
	n   int
	x   *sample.Explanation
}

func (e *explained) summary() {
	fmt.Fprintf(e.out, "grammar %s, strategy %v", e.g.Name, e.o.Strategy)
	if e.x.Bound != (count.Bound{}) {
		fmt.Fprintf(e.out, ", %v, measure %v", e.x.Bound, e.o.Measure)
	}
	fmt.Fprintln(e.out)
	switch {
	case e.x.Total != nil:
		fmt.Fprintf(e.out, "%s derivations\n", about(e.x.Total))
	case e.x.Bound != (count.Bound{}):
		fmt.Fprintln(e.out, "more derivations than can be counted in --max-memory")
	}
	fmt.Fprintf(e.out, "a sentence has on average %.1f terminals and %.1f bytes\n", e.x.Terminals, e.x.Bytes)
	if e.x.Turns > 0 {
		fmt.Fprintf(e.out, "in turn: %s of the grammar\n", plural(e.x.Turns, "part"))
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
	s, err := sample.New(ctx, e.g, e.o)
	if err != nil {
		return err
	}
	p, err := parse.New(ctx, e.g, parse.Options{Measure: e.o.Measure})
	if err != nil {
		fmt.Fprintf(e.out, "ambiguity not estimated: %v\n", err)
		return nil
	}
	if p.Deterministic() {
		fmt.Fprintln(e.out, "not ambiguous: no text has two derivations")
		return nil
	}
	src := s.Source()
	several, parsed := 0, 0
	for i := range uint64(explainParsed) {
		text, err := src.Text(ctx, i)
		if err != nil {
			return err
		}
		forest, err := p.Parse(ctx, "sentence", text)
		if errors.Is(err, parse.ErrMemory) {
			continue
		}
		if err != nil {
			return fmt.Errorf("a sentence is not read back, which is a mistake of gramfuzz: %w", err)
		}
		trees, err := forest.Count(ctx)
		if err != nil {
			return err
		}
		parsed++
		if trees.Cmp(big.NewInt(1)) > 0 {
			several++
		}
	}
	switch several {
	case 0:
		fmt.Fprintf(e.out, "ambiguity: none of %d texts has more than one derivation\n", parsed)
	default:
		fmt.Fprintf(e.out, "ambiguity: %d of %d texts have more than one derivation, and so are more likely than others\n", several, parsed)
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
