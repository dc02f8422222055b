package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"golang.org/x/term"

	gctx "github.com/gramfuzz/gramfuzz/context"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/reduce"
	"github.com/gramfuzz/gramfuzz/target"
)

const reduceAbout = `
Shrink a sentence for which a predicate holds. The predicate is a program that
gets a candidate on standard input, as the file $1, and under the name of FILE in
its working directory, a scratch folder; exit code 0 means that the candidate is
interesting. Exit codes 126 and 127 and death by a signal are errors, not "no".

FILE is a text that gen -o wrote (its record is found beside it), a record or a
file of records, or, with -g, any sentence of the grammar. Without FILE the
sentences that the last gen in this folder made are tried, the smallest first,
and then new ones, until the predicate holds for one; that one is shrunk.

The result goes to standard output, or to the file that -o names, which always
has the best so far, also when the run is interrupted.`

// defaultTimeout is how long a predicate may take for one candidate.
const defaultTimeout = 10 * time.Second

// reduceFlags are the flags of reduce.
type reduceFlags struct {
	*flags
	g         *grammarFlags
	pred      string
	algorithm string
	out       string
	json      bool
	jobs      int
	timeout   time.Duration
	time      time.Duration
	calls     int
	tries     uint64
	recheck   bool
	verbose   bool
}

func runReduce(ctx context.Context, args []string, std streams) (err error) {
	f := &reduceFlags{flags: newFlags(std, "reduce -pred COMMAND [flags] [FILE]", reduceAbout)}
	f.StringVar(&f.pred, "pred", "", "the predicate: a program, perhaps with arguments; `COMMAND`")
	f.g = f.addGrammar()
	f.StringVar(&f.algorithm, "algorithm", reduce.Auto, "how to shrink: one or several (a,b) of "+strings.Join(reduce.Algorithms(), ", "))
	f.StringVarP(&f.out, "out", "o", "", "write the result to `FILE`")
	f.BoolVar(&f.json, "json", false, "write the record of the result instead of its text")
	f.IntVarP(&f.jobs, "jobs", "j", 1, "predicates that run at once; any number gives the same result")
	f.DurationVar(&f.timeout, "timeout", defaultTimeout, "how long the predicate may take for one candidate")
	f.DurationVar(&f.time, "time", 0, "stop after this `TIME` with the best so far")
	f.IntVar(&f.calls, "calls", 0, "stop after `N` candidates with the best so far")
	f.Uint64Var(&f.tries, "tries", 10000, "without FILE: how many new sentences are tried")
	f.BoolVar(&f.recheck, "recheck", false, "ask again for the result at the end, in case the predicate is flaky")
	f.BoolVarP(&f.verbose, "verbose", "v", false, "print what each pass did")
	f.addQuiet()
	if err := f.parse(args, 1); err != nil {
		return err
	}
	if err := f.check(); err != nil {
		return err
	}
	in, err := f.input(ctx)
	if err != nil {
		return err
	}
	pred, err := f.predicate(in.name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, pred.Close()) }()
	return f.run(ctx, in, pred)
}

func (f *reduceFlags) check() error {
	switch {
	case f.pred == "":
		return f.wrong("no predicate; give -pred ./check.sh, a program that says with exit code 0 that a candidate is interesting")
	case f.jobs < 1:
		return f.wrong("-j %d cannot be; it begins with 1", f.jobs)
	case f.timeout <= 0 || f.time < 0 || f.calls < 0:
		return f.wrong("--timeout, --time and --calls cannot be negative")
	}
	return nil
}

// predicate makes the predicate; name is what candidates are called. The command
// is a path as it is, or a program with arguments.
func (f *reduceFlags) predicate(name string) (*target.Predicate, error) {
	cmd := target.Command{Args: []string{f.pred}, Name: name, Timeout: f.timeout, Reuse: true}
	if _, err := os.Stat(f.pred); err != nil {
		cmd.Args = strings.Fields(f.pred)
	}
	if len(cmd.Args) == 0 {
		return nil, f.wrong("-pred is empty")
	}
	pred, err := target.NewScript(cmd)
	if err != nil {
		return nil, err
	}
	pred.FollowTimeout()
	return pred, nil
}

// run looks for what to shrink, shrinks it, and writes the result.
func (f *reduceFlags) run(ctx context.Context, in *reduceInput, pred *target.Predicate) error {
	line := f.progress("reducing")
	defer line.end()
	started := time.Now()
	ask := &asker{pred: pred}
	found, err := f.find(ctx, in, ask, line)
	if err != nil {
		return err
	}
	o := reduce.Options{Algorithm: f.algorithm, Parse: in.parser(ctx), Jobs: f.jobs, MaxCalls: f.calls, Time: f.time, Recheck: f.recheck}
	if o.Derive.Layout, err = layoutOf(in.g, &found.record); err != nil {
		return err
	}
	if o.Names, err = gctx.ParseOptions(found.record.Names); err != nil {
		return err
	}
	saved := false
	o.Best = func(text []byte, tree *derive.Tree) error {
		saved = true
		line.text("reducing: %d bytes", len(text))
		if f.out == "" {
			return nil
		}
		return writeFile(f.std, f.out, f.format(in, found, text, tree))
	}
	result, err := reduce.Run(ctx, reduce.Input{Text: found.text, Tree: found.tree}, ask.test, o)
	line.end()
	if errors.Is(err, reduce.ErrNotInteresting) {
		if late := ask.hung.Load(); late != nil && !ask.once.Load() {
			return late
		}
		return no("the predicate does not hold for %s; there is nothing to shrink", found.what)
	}
	if result == nil {
		return err
	}
	if f.out == "" && saved {
		err = errors.Join(err, f.print(f.format(in, found, result.Text, result.Tree)))
	}
	f.report(result, ask, time.Since(started))
	return err
}

// format returns what is written: the text as it is, or the record.
func (f *reduceFlags) format(in *reduceInput, found *found, text []byte, tree *derive.Tree) []byte {
	if !f.json {
		return text
	}
	rec := found.record
	rec.Gramfuzz, rec.Text, rec.Choices, rec.Rank, rec.Edits = version(), text, nil, "", nil
	rec.Depth, rec.Size = 0, 0
	if tree != nil {
		facts := in.g.Facts(nil, measureOf(rec.Measure))
		unit, err := parseUnit(rec.Bound.Unit)
		if err != nil {
			unit = grammar.Terminals
		}
		rec.Choices, rec.Depth, rec.Size = tree.Choices(), derive.Depth(tree, facts), derive.Size(tree, facts, unit)
	}
	return append(rec.Append(nil), '\n')
}

// print writes the result to standard output. On a terminal a line break follows
// a text that has none; a file gets the text as it is.
func (f *reduceFlags) print(out []byte) error {
	if file, ok := f.std.out.(*os.File); ok && term.IsTerminal(int(file.Fd())) && !strings.HasSuffix(string(out), "\n") {
		out = append(out, '\n')
	}
	if _, err := f.std.out.Write(out); err != nil {
		return writeError("", err)
	}
	return nil
}

// report prints what the run did.
func (f *reduceFlags) report(r *reduce.Result, ask *asker, took time.Duration) {
	s := r.Stats
	msg := fmt.Sprintf("%s to %d, %s, %v", plural(s.From, "byte"), s.To, plural(int(ask.calls.Load()), "call"), took.Round(time.Millisecond))
	if n := ask.late.Load(); n > 0 {
		msg += fmt.Sprintf("; %s took too long and counted as no", plural(int(n), "candidate"))
	}
	if s.Flaky > 0 {
		msg += fmt.Sprintf("; the predicate is flaky: %s did not hold when asked again", plural(s.Flaky, "step"))
	}
	if s.Stopped {
		msg += "; stopped early, it may get smaller"
	}
	f.note("%s", msg)
	if f.verbose {
		for _, p := range s.Passes {
			f.note("  %s: %d tries, %d calls, %d accepted, %d bytes", p.Name, p.Tries, p.Calls, p.Accepted, p.Bytes)
		}
	}
}
