package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	gctx "github.com/gramfuzz/gramfuzz/context"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/internal/base/folder"
	"github.com/gramfuzz/gramfuzz/internal/base/words"
	"github.com/gramfuzz/gramfuzz/internal/core"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/predicate"
	"github.com/gramfuzz/gramfuzz/internal/records/record"
	"github.com/gramfuzz/gramfuzz/internal/ui/language"
	"github.com/gramfuzz/gramfuzz/internal/ui/screen"
	"github.com/gramfuzz/gramfuzz/reduce"
)

const reduceAbout = `
Shrink a sentence for which a predicate holds. The predicate is a program that
gets a candidate on standard input, as the file $1, and under the name of FILE in
its working directory, a scratch folder; exit code 0 means that the candidate is
interesting. Exit codes 126 and 127 and death by a signal are errors, not "no",
until it has said yes. For simple cases no script is needed:

  gramfuzz reduce --exit 1 --stderr 'stack overflow' FILE -- CMD {}

runs CMD with the candidate's file for {}, or on standard input without {}.

FILE is any text, one that gen -o wrote (its record is found beside it), a record
or a file of records. In a folder files are removed and then shrunk, with their
names; the candidate's folder is the working directory and $1. A sentence with a
record stays a sentence of its grammar. Any other text is reduced by the grammar of
-g, or by the shipped one of its language, and also without it; if it is no sentence
as a whole, its parts that are sentences are reduced by the grammar. Without FILE the
sentences of the last gen in this folder are tried, smallest first, and then new
ones, until the predicate holds for one; that one is shrunk.

The result goes to standard output, or to the file that -o names, which always
has the best so far, also when the run is interrupted.`

// candidateMemory is the memory of a reduction for each byte of its text.
const candidateMemory = 300

// reduceFlags are the flags of reduce.
type reduceFlags struct {
	*flags
	g         *grammarFlags
	pred      *predFlags
	file      string // "" means the sentences of the last gen
	algorithm string
	out       string
	trace     string
	json      bool
	jobs      int
	time      time.Duration
	calls     int
	certify   int
	few       bool
	memory    *words.Bytes
	search    uint64 // new sentences
	recheck   bool
	noGrammar bool
	verbose   bool
	model     bool
	screen    screenFlags
	known     int // the number of answers in the cache at the start
}

func runReduce(ctx context.Context, args []string, std streams) (err error) {
	f := &reduceFlags{flags: newFlags(std, "reduce -pred COMMAND [flags] [FILE]", reduceAbout)}
	f.pred = addPred(f.flags)
	f.g, f.memory = f.addGrammar(), f.addParsing()
	f.StringVar(&f.algorithm, "algorithm", "auto", "how to shrink: one or several (a,b) of "+strings.Join(reduce.Algorithms(), ", "))
	f.StringVarP(&f.out, "out", "o", "", "write the result to `FILE`")
	f.BoolVar(&f.json, "json", false, "write the record of the result instead of its text; with -o, statistics of the run to standard output")
	f.StringVar(&f.trace, "trace", "", "write a page about the run to `FILE`: its size over the calls, every step as a difference")
	f.IntVarP(&f.jobs, "jobs", "j", 1, "predicates that run at once, at most 4 for each processor; any number gives the same result")
	f.durationVar(&f.time, "time", 0, "stop after this `TIME`, e.g. 10m, or 90 for seconds, with the best so far")
	f.IntVar(&f.calls, "max-calls", 0, "stop after `N` calls of the predicate with the best so far")
	f.IntVar(&f.certify, "certify", 0, "spend at most `N` calls at the end on smaller sentences that no edit makes, and report the sets tried completely")
	f.BoolVar(&f.few, "few-calls", false, "for a slow predicate: a plan with fewer calls, whose result may be larger")
	f.Uint64Var(&f.search, "search", 10000, "without FILE: try `N` new sentences if none made by gen fails")
	f.BoolVar(&f.recheck, "recheck", true, "check the result again, and the best after every 32 steps, in case the predicate is flaky")
	f.BoolVar(&f.noGrammar, "no-grammar", false, "without -g: reduce a text without a grammar, even if a shipped one reads it")
	f.BoolVarP(&f.verbose, "verbose", "v", false, "print what each pass did")
	f.BoolVar(&f.model, "model", false, "print the plan, how often edits of each kind were expected to hold in each pass, how often they did, and how many are tried first")
	f.screen.add(f.flags)
	if err := f.parse(args, -1); err != nil {
		return err
	}
	if err := f.check(); err != nil {
		return err
	}
	in, err := f.input(ctx)
	if err != nil {
		return err
	}
	if err := core.Budget(*f.memory).Ask("the candidates and trees of "+f.file, candidateMemory*float64(len(in.text))); err != nil {
		return err
	}
	if in.folder && f.out == "" {
		return f.wrong("the result of a folder is a folder; name it with -o")
	}
	if f.json && f.out == "" && in.g == nil {
		return f.wrong("%s has no grammar, and so no record; name one with -g, or the result's file with -o to get statistics", f.file)
	}
	err = f.attempt(ctx, in)
	var not *notHeld
	if f.pred.pred == "" || f.file == "" || !errors.As(err, &not) {
		return err
	}
	// Scripts for C-Reduce and Perses may refuse the argument that others need.
	f.pred.bare = true
	if bare := f.attempt(ctx, in); !errors.As(bare, &not) {
		return bare
	}
	return err
}

// notHeld is the error of a sentence for which the predicate does not hold.
type notHeld struct{ what string }

func (e *notHeld) Error() string {
	return fmt.Sprintf("the predicate does not hold for %s; there is nothing to shrink", e.what)
}

// attempt opens the predicate and reduces.
func (f *reduceFlags) attempt(ctx context.Context, in *reduceInput) (err error) {
	ask := &predicate.Caller{Also: f.pred.also, Keep: f.keep(in)}
	if f.std.ask != nil {
		return f.run(ctx, in, ask)
	}
	if ask.Predicate, err = f.pred.open(in.name, in.folder); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, ask.Predicate.Close()) }()
	if ask.Cache, err = f.pred.openCache(in.name); err != nil {
		return err
	}
	if ask.Cache != nil {
		f.known = ask.Cache.Len()
		defer func() { err = errors.Join(err, ask.Cache.Close()) }()
	}
	return f.run(ctx, in, ask)
}

// check separates files from the command after --, and refuses flags that exclude each other.
func (f *reduceFlags) check() error {
	files := f.Args()
	if n := f.ArgsLenAtDash(); n >= 0 {
		files, f.pred.command = files[:n], files[n:]
	}
	switch {
	case len(files) > 1:
		return f.wrong("%q is one argument too many", files[1])
	case f.jobs < 1:
		return f.wrong("-j %d is out of range; the least is 1", f.jobs)
	case f.calls < 0:
		return f.wrong("--max-calls cannot be negative")
	case f.certify < 0:
		return f.wrong("--certify cannot be negative")
	}
	f.jobs = min(f.jobs, mostJobs())
	if len(files) == 1 {
		f.file = files[0]
	}
	if f.Changed("also-interesting") && f.out == "" {
		return f.wrong("--also-interesting keeps inputs in a folder beside the result; name the result with -o")
	}
	if f.std.ask != nil {
		f.jobs = 1 // answers have no numbers
		return nil
	}
	return f.pred.check()
}

// run finds the sentence to shrink, shrinks it, and writes the result.
func (f *reduceFlags) run(ctx context.Context, in *reduceInput, ask *predicate.Caller) error {
	line := f.progress("reducing")
	defer line.End()
	started := time.Now()
	found, err := f.find(ctx, in, ask, func(n int) { line.Text("looking for a sentence: %d tried", n) })
	if err != nil {
		return err
	}
	o, err := f.options(ctx, in, found)
	if err != nil {
		return err
	}
	if ask.Cache != nil {
		o.Cache = ask.Cache
	}
	if in.folder {
		o.Valid = folder.Valid
		if !f.noGrammar {
			o.Islands = new(language.Files).Islands
		}
	}
	best, err := f.openBest(in, ask.Cache)
	if err != nil {
		return err
	}
	saved := false
	o.Best = func(text []byte, _ *derive.Tree) error {
		saved = true
		return best.Put(in.stored(text))
	}
	line.End()
	view, std := screen.NewReduction(f.trace != ""), f.std
	scr, closeScreen, err := f.screen.start(f.flags, false, screen.Options{View: view, Title: "gramfuzz reduce " + found.what, Page: func() (string, error) {
		if f.trace == "" {
			return "", errors.New("there is no page; --trace FILE makes one")
		}
		return f.trace, f.writeTrace(std, view, found.what, time.Since(started))
	}})
	if err != nil {
		return err
	}
	defer closeScreen()
	view.Line = f.progress("reducing")
	o.Trace = view.Event
	test := ask.Test
	if f.std.ask != nil {
		test = f.std.ask
	}
	result, err := reduce.Run(ctx, reduce.Input{Text: found.text, Tree: found.tree, Below: found.below}, scr.Predicate(test), o)
	view.Line.End()
	err = errors.Join(ask.Explain(err), closeScreen())
	if errors.Is(err, reduce.ErrNotInteresting) {
		return &exitError{exitNo, &notHeld{found.what}}
	}
	if result == nil {
		return err
	}
	took := time.Since(started)
	report := ask.Report(version(), f.algorithm, &result.Stats, took)
	if saved {
		err = errors.Join(err, best.Finish(in.stored(result.Text), err == nil && !result.Stats.Stopped), f.result(in, found, result, report))
	}
	err = errors.Join(err, f.writeTrace(f.std, view, found.what, took))
	f.report(report, &result.Stats, ask, best, took)
	return err
}

// writeTrace writes the page of --trace.
func (f *reduceFlags) writeTrace(std streams, view *screen.Reduction, what string, took time.Duration) error {
	html, err := view.HTML("gramfuzz reduce: "+what, fmt.Sprintf("algorithm %s, %v", f.algorithm, took.Round(time.Millisecond)))
	if err != nil || html == nil {
		return err
	}
	return writeFile(std, f.trace, html)
}

// options returns the options of the reduction; some of them come from the sentence.
func (f *reduceFlags) options(ctx context.Context, in *reduceInput, found *found) (o reduce.Options, err error) {
	o = reduce.Options{Algorithm: f.algorithm, Jobs: f.jobs, MaxCalls: f.calls, Time: f.time, Recheck: f.recheck, Certify: f.certify, FewCalls: f.few, Yes: f.pred.yes, Asks: f.pred.asks}
	if in.g == nil {
		return o, nil
	}
	if o.Names, err = gctx.ParseOptions(found.record.Names); err != nil {
		return o, err
	}
	if p := in.parser(ctx, f.memory); p != nil {
		names, err := gctx.New(in.g, o.Names)
		if err != nil {
			return o, err
		}
		o.Parse = func(ctx context.Context, text []byte) (*derive.Tree, error) {
			forest, err := p.Parse(ctx, in.name, string(text))
			if err != nil {
				return nil, err
			}
			return forest.Obeying(ctx, names)
		}
	}
	o.Derive.Layout, err = record.Layout(in.g, &found.record)
	return o, err
}
