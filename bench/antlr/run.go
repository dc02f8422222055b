package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/coverage"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/lexical/lex"
	"github.com/gramfuzz/gramfuzz/load"
	"github.com/gramfuzz/gramfuzz/parse"
	"github.com/gramfuzz/gramfuzz/sample"
)

// bench has the settings shared by all grammars.
type bench struct {
	data   string
	n      int
	limit  time.Duration
	lo, hi int

	// longest bounds the texts for ANTLR, in bytes. Its lexers may be slow on ambiguous tokens, and
	// cannot be stopped.
	longest int
}

// ratio is a share: some out of all.
type ratio struct{ some, all int }

func (r ratio) share() float64 {
	if r.all == 0 {
		return 0
	}
	return float64(r.some) / float64(r.all)
}

func (r ratio) String() string {
	if r.all == 0 {
		return ""
	}
	return fmt.Sprintf("%d/%d %.1f %%", r.some, r.all, 100*r.share())
}

// row is the result for one grammar.
type row struct {
	g           testGrammar
	err         error
	warnings    int
	examples    ratio
	unread      []string // the examples that do not parse, with reasons
	uniform     int      // sentences drawn uniformly
	steered     int      // sentences each made for one alternative
	redrawn     int
	accepted    ratio
	reasons     map[string]int
	alone, alts ratio // the alternatives in the uniform sentences, and in all sentences
	missing     []string
	native      ratio
}

func (r *row) String() string {
	if r.err != nil {
		return fmt.Sprintf("| %s | %v |", r.g.path, r.err)
	}
	return fmt.Sprintf("| %s | %d | %v | %d + %d | %d | %v | %v | %v | %v |", r.g.path, r.warnings, r.examples, r.uniform, r.steered, r.redrawn,
		r.accepted, r.alone, r.alts, r.native)
}

// explain prints the failures of a grammar.
func (r *row) explain() {
	if len(r.unread)+len(r.reasons)+len(r.missing) == 0 {
		return
	}
	fmt.Printf("\n%s:\n", r.g.path)
	show := func(what string, list []string) {
		for i, s := range list {
			if i == 5 {
				fmt.Printf("- %s: … and %d more\n", what, len(list)-i)
				return
			}
			fmt.Printf("- %s: %s\n", what, s)
		}
	}
	show("not parsed", r.unread)
	var why []string
	for reason, n := range r.reasons {
		why = append(why, fmt.Sprintf("%6d × `%s`", n, reason))
	}
	slices.Sort(why)
	slices.Reverse(why)
	show("rejected", why)
	show("did not occur", r.missing)
}

// run measures one grammar.
func (b *bench) run(ctx context.Context, tg testGrammar) *row {
	r := &row{g: tg, reasons: map[string]int{}}
	g, ds, err := load.File(tg.dir, load.Options{Start: tg.start})
	if err != nil {
		r.err = err
		return r
	}
	for _, d := range ds {
		if d.Severity == grammar.Warning {
			r.warnings++
		}
	}
	if err := r.parseExamples(ctx, g); err != nil {
		r.err = err
		return r
	}
	r.err = b.sentences(ctx, r, g)
	return r
}

// parseExamples parses the examples. One that takes too long counts as unread.
func (r *row) parseExamples(ctx context.Context, g *grammar.Grammar) error {
	p, err := parse.New(ctx, g, parse.Options{})
	if err != nil {
		return err
	}
	for _, path := range r.g.examples() {
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		one, cancel := context.WithTimeout(ctx, 10*time.Second)
		_, err = p.Parse(one, filepath.Base(path), string(text))
		cancel()
		r.examples.all++
		if err == nil {
			r.examples.some++
		} else {
			r.unread = append(r.unread, strings.ReplaceAll(fmt.Sprint(err), "\n", " "))
		}
	}
	return nil
}

// sentences draws the sentences, runs ANTLR on them, and notes the alternatives that occur.
func (b *bench) sentences(ctx context.Context, r *row, g *grammar.Grammar) error {
	uniform, err := coverage.New(g, coverage.Options{})
	if err != nil {
		return err
	}
	all, err := coverage.New(g, coverage.Options{})
	if err != nil {
		return err
	}
	texts, err := b.draw(ctx, r, g, uniform, all)
	if err != nil {
		return err
	}
	r.alone, _ = occurring(uniform)
	r.alts, r.missing = occurring(all)
	verdicts, err := b.antlr(ctx, r.g, texts)
	if err != nil {
		return err
	}
	for _, v := range verdicts {
		r.accepted.all++
		if v.accepted {
			r.accepted.some++
		} else {
			r.reasons[v.class()]++
		}
	}
	r.native, err = b.nativeShare(ctx, r.g, texts)
	return err
}

// draw returns the texts of b.n sentences. Most are drawn uniformly, with equal shares of all
// sizes. Others are made for the alternatives that do not occur in the first half. If time runs
// out, there are fewer uniform sentences.
func (b *bench) draw(ctx context.Context, r *row, g *grammar.Grammar, uniform, all *coverage.Coverage) ([]string, error) {
	s, err := sample.New(ctx, g, sample.Options{
		Bound: count.Sizes(b.lo, b.hi, grammar.Terminals), Seed: 1, Redrawn: func() { r.redrawn++ },
	})
	if err != nil {
		return nil, err
	}
	plan, err := coverage.New(g, coverage.Options{MaxSize: b.hi})
	if err != nil {
		return nil, err
	}
	src := s.Source()
	var texts []string
	begin, next := time.Now(), uint64(0)
	upTo := func(n int, limit time.Duration) error {
		for ; r.uniform < n && time.Since(begin) < limit; next++ {
			t, err := src.Tree(ctx, next)
			if late := new(lex.JoinError); errors.As(err, &late) {
				continue // the next one continues with further tries
			}
			if err != nil {
				return err
			}
			r.uniform++
			uniform.Add(t)
			all.Add(t)
			plan.Add(t)
			texts = append(texts, t.Text())
		}
		return nil
	}
	if err := upTo(b.n/2, b.limit/2); err != nil {
		return nil, err
	}
	more, err := b.steered(ctx, plan, all)
	if err != nil {
		return nil, err
	}
	r.steered = len(more)
	if err := upTo(b.n-r.steered, b.limit); err != nil {
		return nil, err
	}
	return append(texts, more...), nil
}

// steered returns the texts of at most b.n/2 sentences with alternatives that plan has not seen,
// and adds the sentences to c.
func (b *bench) steered(ctx context.Context, plan, c *coverage.Coverage) ([]string, error) {
	trees, err := plan.Alternatives(ctx)
	var texts []string
	for _, t := range trees[:min(len(trees), b.n/2)] {
		c.Add(t)
		texts = append(texts, t.Text())
	}
	return texts, err
}

// occurring returns the share of the alternatives reached, and a list of the others.
func occurring(c *coverage.Coverage) (ratio, []string) {
	part := c.Report().Alternatives
	var missing []string
	for _, it := range part.Items {
		if it.Count == 0 {
			missing = append(missing, fmt.Sprintf("%s: `%s`", filepath.Base(it.Pos), it.Name))
		}
	}
	return ratio{part.Reached, part.Total}, missing
}
