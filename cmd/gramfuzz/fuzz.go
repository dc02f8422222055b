package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/gramfuzz/gramfuzz/internal/base/words"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/campaign"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/target"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/target/afl"
	"github.com/gramfuzz/gramfuzz/internal/ui/screen"
	"github.com/gramfuzz/gramfuzz/stream"
)

const fuzzAbout = `
Run a program on sentences of a grammar, again and again, until the time is up, and
keep failures: a signal, a report of a sanitizer, a panic, an uncaught exception,
a hang, memory. The program gets the sentence as a file if an argument has {}
or @@, otherwise on standard input. It runs in a scratch folder of its own.

Failures of the same kind (by class and the place that failed, see docs/fuzzing.md) are
one finding, which is shrunk and kept in DIR/findings; DIR/reports says what it is and
how to run it again. When the program has changed, its findings are run again first. The
same command resumes where the last one ended, and several may run on one DIR at once; on
many machines with --hub, see gramfuzz hub --help and docs/fleet.md. For each finding a
line goes to standard output: its name, its size, its signature. The exit code is 1 when
DIR has findings.

Without --strategy sentences are drawn by size, under swarm configurations and in walks
with random weights. They are also enumerated, smallest first, and a share is
damaged. With --guide the
program's own behaviour guides the search: its exit codes, output (--label), lines
that it writes to the file $GRAMFUZZ_LABELS, and edges if it is compiled for AFL or
is a function of Go.

--go PACKAGE.FUNC fuzzes a Go function that takes a []byte, a string or an io.Reader,
in the module of the current folder, into which nothing is written. It is called
again and again in one process, and its edges are recorded. Its results are ignored,
except that errors as the last result are distinguished. A panic, a fatal error,
os.Exit, memory (2 GiB, or --target-memory) and a hang are findings. DIR keeps the
program that was built: DIR/NAME TEXT runs one text again.`

// fuzzTimeout is the default time limit of the program for one sentence.
const fuzzTimeout = time.Second

// mostJobs returns the greatest -j: 4 for each processor.
func mostJobs() int { return 4 * max(runtime.NumCPU(), runtime.GOMAXPROCS(0)) }

// fuzzFlags are the flags of fuzz.
type fuzzFlags struct {
	*flags
	damageFlags
	targetFlags
	goFlags
	failFlags
	fleet   fleetFlags
	g       *grammarFlags
	b       *boundFlags
	seed    uint64
	o       campaign.Options
	seeds   []string
	parsing *words.Bytes
	replay  string
	json    bool
	exports exportFlags
	screen  screenFlags
}

func runFuzz(ctx context.Context, args []string, std streams) error {
	f := &fuzzFlags{flags: newFlags(std, "fuzz -g GRAMMAR [flags] (-- PROGRAM [ARGUMENTS] | --go PACKAGE.FUNC)", fuzzAbout)}
	f.g = f.addGrammar()
	f.StringVarP(&f.o.Dir, "out", "o", "", "the folder of findings; fuzz-GRAMMAR when not given")
	f.durationVar(&f.o.Time, "time", 0, "stop after this `TIME`, e.g. 10m, or 90 for seconds; without it only --idle, -n, --findings or Ctrl-C ends")
	f.durationVar(&f.o.Idle, "idle", 0, "stop when the program showed nothing new (see --guide) for this `TIME`")
	f.Uint64VarP(&f.o.Runs, "number", "n", 0, "stop after `N` runs of the program")
	f.IntVar(&f.o.Enough, "findings", 0, "stop after `N` new findings")
	f.IntVar(&f.o.MaxFindings, "max-findings", campaign.DefaultMaxFindings, "keep at most `N` findings in the folder; further kinds of failures are counted")
	f.IntVarP(&f.o.Jobs, "jobs", "j", runtime.GOMAXPROCS(0), "programs that run at once; at most 4 for each processor")
	f.StringVar(&f.o.Guide, "guide", "none", "how the program's behaviour guides the search: "+guideNames())
	f.Uint64Var(&f.seed, "seed", 0, "the same seed gives the same sentences; random when not given")
	f.StringVar(&f.o.Strategy, "strategy", "", "how to draw, as gen does; mixed when not given")
	strength := f.Int("strength", 1, "with --strategy balanced: how many parts have their turn together, 1 to 3")
	f.goFlags.add(f.flags)
	f.targetFlags.add(f.flags)
	f.failFlags.add(f.flags)
	f.b, f.parsing = f.addWithin(), f.addParsing()
	f.damageFlags.add(f.flags, stream.DefaultDamage)
	f.StringArrayVar(&f.seeds, "seeds", nil, "your own texts to start from: a `FILE` or a folder; may be given again")
	f.StringVar(&f.o.CmpLog, "cmplog", "", "with --guide cover: a `BINARY` of the program compiled with AFL_LLVM_CMPLOG=1 (AFL++ "+afl.CmpLogVersions+"); the values that it compares are put into sentences")
	f.StringVar(&f.replay, "replay", "", "instead of a campaign: run the texts of this `FILE` or folder once, and print for each the edges that it reaches, the new ones among them, and how it ended")
	f.exports.add(f.flags)
	f.fleet.add(f.flags)
	f.durationVar(&f.o.ShrinkTime, "shrink-time", campaign.DefaultShrinkTime, "the time for shrinking one finding; 0 not at all")
	f.BoolVar(&f.json, "json", false, "print events (JSON, one on a line) instead of findings")
	f.screen.add(f.flags)
	if err := f.parse(args, -1); err != nil {
		return err
	}
	if f.Changed("strength") {
		f.o.Strength = *strength
	}
	if err := f.check(); err != nil {
		return err
	}
	return f.run(ctx)
}

func (f *fuzzFlags) check() error {
	switch {
	case f.NArg() == 0 && f.fn == "":
		return f.wrong("no program to run; give it after --, such as -- jq . {}, or a Go function with --go")
	case f.o.Jobs < 1:
		return f.wrong("-j %d is out of range; the least is 1", f.o.Jobs)
	case f.o.Jobs > mostJobs():
		return f.wrong("-j %d is more than 4 for each processor: the programs would wait for each other, and run into their time limit; give at most %d", f.o.Jobs, mostJobs())
	case f.o.MaxFindings < 1:
		return f.wrong("--max-findings %d is out of range; the least is 1", f.o.MaxFindings)
	case f.timeout == 0 || f.o.Enough < 0:
		return f.wrong("--timeout cannot be 0, nor --findings negative")
	case f.o.CmpLog != "" && (f.fn != "" || f.o.Guide != "cover"):
		return f.wrong("--cmplog is for --guide cover and a program; comparisons of Go functions are known without it")
	}
	if err := (&stream.Plan{Strategy: f.o.Strategy, Strength: f.o.Strength}).Check(func(field, value string) string {
		return strings.TrimRight("--"+field+" "+value, " ")
	}); err != nil {
		return f.wrong("%v", err)
	}
	if f.o.ShrinkTime == 0 {
		f.o.ShrinkTime = -1
	}
	return errors.Join(f.damageFlags.check(f.flags), f.goFlags.check(f), f.exports.check(f.flags), f.fleet.check(f.flags), checkGuide(f.flags, f.o.Guide))
}

// drive sets the command, its kinds of failures, and its labels.
func (f *fuzzFlags) drive(ctx context.Context, program []string) (err error) {
	o := &f.o
	if o.Failing, err = f.failing(f.flags); err != nil {
		return err
	}
	o.Labels, o.Accepted = f.label.Regexp, f.accept.Regexp
	if err := f.cage(f.flags); err != nil {
		return err
	}
	if f.fn != "" {
		return f.goFlags.drive(ctx, f)
	}
	return f.targetFlags.drive(o, program)
}

// run makes the campaign and runs it.
func (f *fuzzFlags) run(ctx context.Context) error {
	g, err := f.g.load()
	if err != nil {
		return err
	}
	o := &f.o
	if o.Dir == "" {
		o.Dir = "fuzz-" + filepath.Base(g.Name)
	}
	o.Command, o.Version, o.Grammar = f.Args(), version(), refOf(f.g.ref(), g)
	if f.g.alphabet != "ascii" {
		o.Alphabet = f.g.alphabet
	}
	if o.Bound, err = f.b.of(g); err != nil {
		return err
	}
	o.Damage = f.share
	if o.Words, err = f.words(); err != nil {
		return err
	}
	o.Memory = int64(*f.parsing)
	o.Seeds, err = campaign.ReadSeeds(f.seeds, o.Memory)
	if err != nil {
		return err
	}
	if err := f.drive(ctx, f.Args()); err != nil {
		return err
	}
	if f.replay != "" {
		_, err := f.replayed(ctx, f.replay)
		return err
	}
	o.Seed, o.AnySeed = f.seedOrRandom(f.seed), !f.Changed("seed")
	if _, err := target.Sweep(""); err != nil { // folders of killed runs
		return err
	}
	debug.SetGCPercent(400) // the heap is small, and every run makes a tree
	view := screen.NewCampaign()
	scr, closeScreen, err := f.screen.start(f.flags, f.json, screen.Options{View: view, Title: "gramfuzz fuzz " + g.Name, Page: view.Page})
	if err != nil {
		return err
	}
	defer closeScreen()
	out := &fuzzPrinter{f: f, line: f.progress("fuzzing"), view: view}
	o.Event, o.Drive = out.event, view.Drive(scr, o.Drive)
	if err := f.fleet.join(ctx, f); err != nil {
		return err
	}
	c, err := campaign.New(ctx, g, *o)
	if err != nil {
		return errors.Join(fmt.Errorf("%s: %w", o.Dir, err), f.fleet.leave())
	}
	if err := f.fleet.start(ctx, c); err != nil {
		return errors.Join(err, c.Close(), f.fleet.leave())
	}
	if c.Resumed() {
		f.note("resuming the run in %s, seed %d", o.Dir, c.Seed())
	} else {
		f.note("findings go to %s; seed %d", o.Dir, c.Seed())
	}
	if o.Time == 0 && o.Idle == 0 && o.Runs == 0 && o.Enough == 0 {
		f.note("this campaign has no end of its own; Ctrl-C ends it, as would --time, -n, --idle or --findings")
	}
	view.Begin(c)
	sum, err := c.Run(ctx)
	out.line.End()
	err = errors.Join(err, f.fleet.leave(), closeScreen())
	if sum != nil {
		for _, line := range sum.Lines(o.Dir) {
			f.note("%s", line)
		}
	}
	if err == nil {
		err = out.err
	}
	if err == nil {
		err = f.exports.write(c.Folder())
	}
	if err == nil && len(sum.Findings) > 0 {
		return &exitError{code: exitNo}
	}
	return err
}
