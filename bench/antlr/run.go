package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/coverage"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/grammar/load"
	"github.com/gramfuzz/gramfuzz/lex"
	"github.com/gramfuzz/gramfuzz/parse"
	"github.com/gramfuzz/gramfuzz/sample"
)

// bench holds what all grammars have in common.
type bench struct {
	data   string
	n      int
	limit  time.Duration
	lo, hi int
}

// ratio is some of all.
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

// row is what is found out about a grammar.
type row struct {
	g              testGrammar
	err            error
	warnings       int
	examples       ratio
	unread         []string // the examples that are not parsed, and why
	sentences      int
	redrawn        int
	accepted       ratio
	reasons        map[string]int
	alts, withMore ratio
	missing        []string
	cover          ratio
	unlaid         int
	native         ratio
}

func (r *row) String() string {
	if r.err != nil {
		return fmt.Sprintf("| %s | %v |", r.g.path, r.err)
	}
	return fmt.Sprintf("| %s | %d | %v | %d | %d | %v | %v | %v | %v | %v |", r.g.path, r.warnings, r.examples, r.sentences, r.redrawn,
		r.accepted, r.alts, r.withMore, r.cover, r.native)
}

// explain prints what is not as it should be.
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

// parseExamples parses the examples that are not too long to wait for.
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

// sentences draws sentences, and some more that reach every alternative, and
// asks ANTLR about them.
func (b *bench) sentences(ctx context.Context, r *row, g *grammar.Grammar) error {
	layout, err := derive.NewLayout(g, lex.Tight)
	if err != nil {
		return err
	}
	watch, err := coverage.New(g, coverage.Options{})
	if err != nil {
		return err
	}
	texts, err := b.draw(ctx, r, g, watch)
	if err != nil {
		return err
	}
	r.alts, r.missing = occurring(watch)
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
	if r.native, err = b.nativeShare(ctx, r.g, texts); err != nil {
		return err
	}
	cover, err := watch.Alternatives(ctx)
	if err != nil {
		return err
	}
	var more []string
	for _, t := range cover {
		laid, err := layout.Tree(t, nil)
		if err != nil {
			r.unlaid++ // no lexer reads it
			continue
		}
		more = append(more, laid.Text())
	}
	r.withMore, r.missing = occurring(watch)
	r.withMore.some -= r.unlaid
	if verdicts, err = b.antlr(ctx, r.g, more); err != nil {
		return err
	}
	for _, v := range verdicts {
		r.cover.all++
		if v.accepted {
			r.cover.some++
		}
	}
	return nil
}

// draw returns the texts of sentences of every size alike.
func (b *bench) draw(ctx context.Context, r *row, g *grammar.Grammar, watch *coverage.Coverage) ([]string, error) {
	s, err := sample.New(ctx, g, sample.Options{Bound: count.Sizes(b.lo, b.hi, grammar.Terminals), Seed: 1})
	if err != nil {
		return nil, err
	}
	src := s.Source()
	var texts []string
	for i, end := uint64(0), time.Now().Add(b.limit); i < uint64(b.n) && time.Now().Before(end); i++ {
		t, err := src.Tree(ctx, i)
		if err != nil {
			return nil, err
		}
		watch.Add(t)
		texts = append(texts, t.Text())
	}
	r.sentences, r.redrawn = len(texts), int(s.Redrawn())
	return texts, nil
}

// occurring returns the share of the alternatives reached, and the others.
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
