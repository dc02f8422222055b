package main

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gramfuzz/gramfuzz/coverage"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/testing/cputime"
	"github.com/gramfuzz/gramfuzz/load"
	"github.com/gramfuzz/gramfuzz/parse"
	"github.com/gramfuzz/gramfuzz/sample"
	"github.com/gramfuzz/gramfuzz/stream"
)

// antlr4Companion replaces the code in the lexer of antlr/antlr4.
//
//go:embed antlr4.gramfuzz
var antlr4Companion string

// furtherGrammars returns grammars of grammars-v4 that the data folder lacks. dir is a copy of
// grammars-v4.
func furtherGrammars(dir string) (out []testGrammar) {
	if dir == "" {
		return nil
	}
	for _, g := range []testGrammar{
		{path: "json5", start: "json5"}, {path: "prolog", start: "p_text"}, {path: "rexx", start: "file_"}, {path: "fusion-tables", start: "fusionTablesSql"},
		{path: "antlr/antlr4", start: "grammarSpec", companion: antlr4Companion},
	} {
		g.dir = filepath.Join(dir, g.path)
		out = append(out, g)
	}
	return out
}

// witnessed is the row of a grammar in the table of witnesses.
type witnessed struct {
	g        testGrammar
	err      error
	alike    ratio         // examples that both ANTLR and gramfuzz accept, or both refuse
	accepted []ratio       // by ANTLR, for each of [sets]
	own      ratio         // accepted by gramfuzz, of all sets
	alts     ratio         // taken by the covering set
	set      int           // the number of sentences in the covering set
	least    int           // a lower bound on that number
	bytes    int           // in the tight sentences
	parse    time.Duration // CPU time to parse these, after loading the grammar
	coverage time.Duration
	notes    []string
	slow     int // sentences that ANTLR did not answer in time
}

// sets are the plans whose sentences ANTLR parses.
var sets = []struct {
	name string
	plan stream.Plan
}{
	{"tight", stream.Plan{Strategy: "broad", Seed: 1}},
	{"spaced", stream.Plan{Strategy: "broad", Seed: 1, Layout: "spaced"}},
	{"random", stream.Plan{Strategy: "broad", Seed: 1, Layout: "random"}},
	{"kpath 1", stream.Plan{KPath: 1}},
	{"kpath 2", stream.Plan{KPath: 2}},
	{"alternatives", stream.Plan{All: true}},
}

const witnessHead = `| grammar | examples alike | tight | spaced | random | --kpath 1 | --kpath 2 | alternatives | sentences for them | at least | read back | KB | parse s | coverage s |
|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|`

func (w *witnessed) String() string {
	if w.err != nil {
		return fmt.Sprintf("| %s | %v |", w.g.path, w.err)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "| %s | %d/%d |", w.g.path, w.alike.some, w.alike.all)
	for _, r := range w.accepted[:len(sets)-1] {
		fmt.Fprintf(&b, " %d/%d |", r.some, r.all)
	}
	set := w.accepted[len(sets)-1]
	fmt.Fprintf(&b, " %d/%d | %d/%d | %d | %d/%d | %d | %.2f | %.2f |", w.alts.some, w.alts.all, set.some, set.all, w.least, w.own.some, w.own.all,
		w.bytes/1000, w.parse.Seconds(), w.coverage.Seconds())
	return b.String()
}

// goals lists the goals that a grammar misses.
func (w *witnessed) goals() (missed []string) {
	miss := func(is bool, what string) {
		if is {
			missed = append(missed, what)
		}
	}
	if w.err != nil {
		return []string{w.err.Error()}
	}
	miss(w.alike.some < w.alike.all, "examples")
	for i, r := range w.accepted {
		share := 1.0
		if sets[i].plan.Strategy != "" {
			share = 0.99
		}
		miss(r.share() < share, sets[i].name)
	}
	miss(w.own.some < w.own.all, "read back")
	miss(w.alts.share() < 0.95, "alternatives")
	miss(float64(w.set) > 1.2*float64(w.least), "smallest set")
	const each = 3 * time.Second
	miss(w.parse > each, "time to parse")
	miss(w.coverage > each, "time of coverage")
	return missed
}

// witness measures one grammar.
func (b *bench) witness(ctx context.Context, tg testGrammar) *witnessed {
	w := &witnessed{g: tg}
	g, _, err := load.File(tg.dir, tg.options())
	if err == nil {
		err = b.witnessLoaded(ctx, w, g)
	}
	w.err = err
	return w
}

func (b *bench) witnessLoaded(ctx context.Context, w *witnessed, g *grammar.Grammar) error {
	p, err := parse.New(ctx, g, parse.Options{})
	if err != nil {
		return err
	}
	var texts []string // for one run of ANTLR
	var ends []int
	for _, s := range sets {
		more, err := b.sentencesOf(ctx, w, g, s.plan)
		if err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		texts = append(texts, more...)
		ends = append(ends, len(texts))
	}
	if err := w.times(ctx, g, texts[:ends[0]]); err != nil {
		return err
	}
	for i, text := range texts {
		w.own.all++
		if _, err := p.Parse(ctx, "", text); err == nil {
			w.own.some++
		} else {
			w.note("sentence %d of %s is not read back: %v", i, setOf(ends, i), err)
		}
	}
	if err := b.askAll(ctx, w, texts, ends); err != nil {
		return err
	}
	return b.examplesAlike(ctx, w, p)
}

func setOf(ends []int, i int) string {
	for s, end := range ends {
		if i < end {
			return sets[s].name
		}
	}
	return ""
}

func (w *witnessed) note(format string, args ...any) {
	w.notes = append(w.notes, strings.ReplaceAll(fmt.Sprintf(format, args...), "\n", " "))
}

// sentencesOf returns the texts of a plan: all if the plan is finite, otherwise b.n.
func (b *bench) sentencesOf(ctx context.Context, w *witnessed, g *grammar.Grammar, p stream.Plan) (texts []string, err error) {
	s, err := p.Open(ctx, g, stream.Options{})
	if err != nil {
		return nil, err
	}
	src := s.Source()
	n := uint64(b.n)
	if p.Strategy == "" {
		n = s.Len().Uint64()
	}
	var trees []*derive.Tree
	for i := range n {
		text, err := src.Append(ctx, nil, i)
		if errors.Is(err, sample.ErrExhausted) {
			break
		}
		if err != nil {
			return nil, err
		}
		texts = append(texts, string(text))
		if p.All {
			tree, err := src.Tree(ctx, i)
			if err != nil {
				return nil, err
			}
			trees = append(trees, tree)
		}
	}
	if !p.All {
		return texts, nil
	}
	c, err := coverage.New(g, coverage.Options{})
	if err != nil {
		return nil, err
	}
	for _, t := range trees {
		c.Add(t)
	}
	var missing []string
	w.alts, missing = occurring(c)
	for _, m := range missing {
		w.note("did not occur: %s", m)
	}
	w.set, w.least = len(trees), leastSet(g, trees)
	return texts, nil
}

// times measures the CPU time of the commands parse and coverage.
func (w *witnessed) times(ctx context.Context, g *grammar.Grammar, texts []string) error {
	begin := cputime.Used()
	p, err := parse.New(ctx, g, parse.Options{})
	if err != nil {
		return err
	}
	var forests []*parse.Forest
	for _, text := range texts {
		w.bytes += len(text)
		if f, err := p.Parse(ctx, "", text); err == nil {
			forests = append(forests, f)
		}
	}
	w.parse = cputime.Used() - begin
	begin = cputime.Used()
	c, err := coverage.New(g, coverage.Options{K: 2})
	if err != nil {
		return err
	}
	for _, f := range forests {
		t, err := f.Outline(ctx)
		if err != nil {
			return err
		}
		c.Add(t)
	}
	w.coverage = w.parse + cputime.Used() - begin
	return nil
}

// askAll runs ANTLR on the texts of all sets.
func (b *bench) askAll(ctx context.Context, w *witnessed, texts []string, ends []int) error {
	asked := slices.Clone(texts)
	for i := range asked {
		if len(asked[i]) > b.longest {
			asked[i] = ""
		}
	}
	verdicts, err := b.antlr(ctx, w.g, asked)
	if err != nil {
		return err
	}
	begin := 0
	for _, end := range ends {
		r := ratio{all: end - begin}
		for i := begin; i < end; i++ {
			switch v := verdicts[i]; {
			case len(texts[i]) > b.longest:
				w.slow++
				r.all--
			case v.accepted:
				r.some++
			case v.reason == "timeout":
				w.slow++
				r.all--
			default:
				w.note("%s: %s: `%.150q`", setOf(ends, i), v.reason, texts[i])
			}
		}
		w.accepted = append(w.accepted, r)
		begin = end
	}
	return nil
}

// examplesAlike counts the examples of the grammar that gramfuzz and ANTLR both accept, or
// both refuse.
func (b *bench) examplesAlike(ctx context.Context, w *witnessed, p *parse.Parser) error {
	paths := w.g.examples()
	var texts []string
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		texts = append(texts, string(text))
	}
	verdicts, err := b.antlr(ctx, w.g, texts)
	if err != nil {
		return err
	}
	for i, text := range texts {
		if verdicts[i].reason == "timeout" {
			continue
		}
		one, cancel := context.WithTimeout(ctx, 20*time.Second)
		_, err := p.Parse(one, filepath.Base(paths[i]), text)
		cancel()
		w.alike.all++
		if (err == nil) == verdicts[i].accepted {
			w.alike.some++
		} else {
			w.note("example %s: gramfuzz: %v, ANTLR: %s", filepath.Base(paths[i]), err, verdicts[i].reason)
		}
	}
	return nil
}

// witnesses prints the table of all grammars, then the goals that a grammar misses.
func (b *bench) witnesses(ctx context.Context, gs []testGrammar) {
	fmt.Println(witnessHead)
	var all []*witnessed
	for _, g := range gs {
		w := b.witness(ctx, g)
		if ctx.Err() != nil {
			break
		}
		fmt.Println(w)
		all = append(all, w)
	}
	fmt.Println()
	for _, w := range all {
		if missed := w.goals(); len(missed) > 0 {
			fmt.Printf("- %s misses: %s\n", w.g.path, strings.Join(missed, ", "))
		}
		if w.slow > 0 {
			fmt.Printf("- %s: ANTLR had no answer about %d sentences in time; they do not count\n", w.g.path, w.slow)
		}
		for i, note := range w.notes {
			if i == 6 {
				fmt.Printf("  - … and %d more\n", len(w.notes)-i)
				break
			}
			fmt.Printf("  - %s: %s\n", w.g.path, note)
		}
	}
}
