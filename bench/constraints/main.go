// Constraints draws sentences of the subjects of ISLa's evaluation: equal columns in CSV,
// checksums in TAR, lines under titles in reStructuredText, names in C and in XML; and those of
// Fandango's own study of compilers: names and types in C (lang). It asks programs that read these
// formats for the number of valid sentences, and prints a table in Markdown.
//
//	go -C bench run ./constraints -python PYTHON -isla PYTHON -fandango PYTHON -study FOLDER
//
// PYTHON is a Python interpreter: the first one has docutils, the second isla-solver, the third
// fandango-fuzzer. FOLDER is compiler-testing-fandango-py of the Rust package fandango 0.1.0, which
// has the study's grammar and checker. If one is missing, its rows are left out, with a note on
// standard error. All tools get the same CPU time.
package main

import (
	"context"
	"embed"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"strings"
	"time"

	"github.com/gramfuzz/gramfuzz/coverage"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/internal/testing/cputime"
	"github.com/gramfuzz/gramfuzz/load"
	"github.com/gramfuzz/gramfuzz/parse"
	"github.com/gramfuzz/gramfuzz/stream"
)

//go:embed subjects witness.py rival.py
var files embed.FS

// pathLength is the length of the counted paths, in symbols.
const pathLength = 5

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "bench/constraints:", err)
		os.Exit(1)
	}
}

type options struct {
	python, isla, fandango string
	study                  string // the folder of Fandango's study, "" if there is none
	time                   time.Duration
	n                      int
	notes                  io.Writer
}

func run(ctx context.Context, args []string, out, notes io.Writer) error {
	o := options{notes: notes}
	flags := flag.NewFlagSet("constraints", flag.ContinueOnError)
	flags.StringVar(&o.python, "python", "python3", "a python; with docutils for reStructuredText")
	flags.StringVar(&o.isla, "isla", "", "a python that has isla-solver")
	flags.StringVar(&o.fandango, "fandango", "", "a python that has fandango-fuzzer")
	flags.StringVar(&o.study, "study", "", "the folder of Fandango's study of compilers")
	flags.DurationVar(&o.time, "time", 10*time.Second, "how long a tool computes for a subject")
	flags.IntVar(&o.n, "n", 10_000, "inputs of a tool that are looked at, the first ones; gramfuzz makes no fewer")
	only := flags.String("only", "", "only this subject")
	if err := flags.Parse(args); err != nil {
		return err
	}
	fmt.Fprintln(out, "| subject | tool | inputs | CPU s | a minute of CPU | valid | distinct | 5-paths |\n|---|---|--:|--:|--:|---|--:|--:|")
	for _, s := range subjects {
		if *only != "" && s.name != *only {
			continue
		}
		if err := o.subject(ctx, out, s); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
	}
	return nil
}

// subject writes the rows of one subject.
func (o options) subject(ctx context.Context, out io.Writer, s subject) error {
	g, err := s.grammar()
	if err != nil {
		return err
	}
	paths, err := coverage.New(g, coverage.Options{K: pathLength, Measure: grammar.Exact})
	if err != nil {
		return err
	}
	m, err := o.ours(ctx, s, g, paths)
	if err != nil {
		return err
	}
	if s.studied && o.study != "" { // paths are those of the study's grammar
		if g, err = o.studyGrammar(); err != nil {
			return err
		}
		if paths, err = o.read(ctx, g, m.texts); err != nil {
			return err
		}
	}
	if err := o.row(ctx, out, s, "gramfuzz", m, paths); err != nil {
		return err
	}
	for _, r := range []struct{ tool, python string }{{"isla", o.isla}, {"fandango", o.fandango}} {
		tool := r.tool
		if r.python == "" {
			fmt.Fprintf(o.notes, "%s: no python with %s; name one with -%s\n", s.name, tool, tool)
			continue
		}
		m, err := o.rival(ctx, r.python, tool, s)
		if err != nil {
			fmt.Fprintf(o.notes, "%s: %s: %v\n", s.name, tool, err)
			continue
		}
		if paths, err = o.read(ctx, g, m.texts); err != nil {
			return err
		}
		if err := o.row(ctx, out, s, tool, m, paths); err != nil {
			return err
		}
	}
	return nil
}

// made holds the sentences of one tool for one subject.
type made struct {
	texts  [][]byte // the first ones, up to options.n
	inputs int
	took   time.Duration // CPU time
}

// ours draws sentences until the time is over. It then draws the first o.n again, with trees, to
// count their paths.
func (o options) ours(ctx context.Context, s subject, g *grammar.Grammar, paths *coverage.Coverage) (m made, err error) {
	begin := cputime.Used()
	all, err := (&stream.Plan{Strategy: "broad", Seed: 1, Names: s.names}).Open(ctx, g, stream.Options{})
	if err != nil {
		return m, err
	}
	source := all.Source()
	var text []byte
	for m.inputs < o.n || m.took < o.time {
		if text, err = source.Append(ctx, text[:0], uint64(m.inputs)); err != nil {
			return m, err
		}
		m.inputs++
		if m.inputs <= o.n {
			m.texts = append(m.texts, []byte(string(text)))
		}
		if m.inputs%64 == 0 || m.inputs >= o.n {
			m.took = cputime.Used() - begin
		}
	}
	for i := range m.texts {
		var t *derive.Tree
		if text, t, err = stream.Draw(ctx, source, text[:0], uint64(i)); err != nil {
			return m, err
		}
		paths.Add(t)
	}
	return m, nil
}

// read parses the texts by a grammar and returns the paths in those that are sentences.
func (o options) read(ctx context.Context, g *grammar.Grammar, texts [][]byte) (*coverage.Coverage, error) {
	paths, err := coverage.New(g, coverage.Options{K: pathLength, Measure: grammar.Exact})
	if err != nil {
		return nil, err
	}
	trees, err := sentences(ctx, g, texts)
	if err != nil {
		return nil, err
	}
	n := 0
	for _, t := range trees {
		if t != nil {
			n++
			paths.Add(t)
		}
	}
	fmt.Fprintf(o.notes, "%d of %d are sentences of the grammar\n", n, len(texts))
	return paths, nil
}

// sentences returns the trees of the texts, nil for one that is no sentence of the grammar.
func sentences(ctx context.Context, g *grammar.Grammar, texts [][]byte) ([]*derive.Tree, error) {
	p, err := parse.New(ctx, g, parse.Options{})
	if err != nil {
		return nil, err
	}
	trees := make([]*derive.Tree, len(texts))
	for i, text := range texts {
		forest, err := p.Parse(ctx, "input", string(text))
		if err != nil {
			continue
		}
		if trees[i], err = forest.Tree(ctx); err != nil {
			return nil, err
		}
	}
	return trees, nil
}

// row writes a row of the table.
func (o options) row(ctx context.Context, out io.Writer, s subject, tool string, m made, paths *coverage.Coverage) error {
	distinct := map[string]bool{}
	for _, text := range m.texts {
		distinct[string(text)] = true
	}
	var valid []string
	for _, w := range s.witnesses {
		ok, err := w.accepts(ctx, o, s.name, m.texts)
		if err != nil {
			fmt.Fprintf(o.notes, "%s: %s was not asked: %v\n", s.name, w.name, err)
			continue
		}
		valid = append(valid, fmt.Sprintf("%s %s", w.name, percent(ok, len(m.texts))))
	}
	part := paths.Report().Paths
	_, err := fmt.Fprintf(out, "| %s | %s | %d | %.1f | %.0f | %s | %s | %d of %d |\n", s.name, tool, m.inputs, m.took.Seconds(),
		float64(m.inputs)/m.took.Minutes(), strings.Join(valid, ", "), percent(len(distinct), len(m.texts)), part.Reached, part.Total)
	return err
}

func percent(n, of int) string { return fmt.Sprintf("%.2f %%", 100*float64(n)/float64(max(of, 1))) }

// grammar loads the subject's grammar from the folder subjects, or else the shipped one.
func (s subject) grammar() (*grammar.Grammar, error) {
	name := s.name + ".ebnf"
	text, err := files.ReadFile("subjects/" + name)
	if errors.Is(err, fs.ErrNotExist) {
		g, _, err := grammars.Load(s.name, load.Options{})
		return g, err
	}
	if err != nil {
		return nil, err
	}
	g, _, err := load.Source(name, text, load.Options{})
	return g, err
}
