package main

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"time"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/base/words"
	"github.com/gramfuzz/gramfuzz/sample"
	"github.com/gramfuzz/gramfuzz/stream"
)

const genAbout = `
Make sentences of a grammar, one on a line. Without a bound they are of up to 50
terminals more than the least, and drawn in three ways in turn: with each part of the
grammar in its turn, by walks with random weights and by plain walks (--strategy broad).
With a bound, and wherever sentences are to be distinct or divided, every derivation is
equally likely: of a range of sizes first each size, then each derivation of it
(--strategy uniform). The same flags and seed give the same sentences, for any -j.
With --over texts every distinct text within the bound is equally likely, however
many derivations it has.

With -o DIR each sentence becomes a file in the folder DIR, and DIR.jsonl has
their records, which reduce and rank need.`

// defaultN is the default number of sentences.
const defaultN = 10

// genFlags are the flags of gen.
type genFlags struct {
	*drawFlags
	n    uint64
	jobs int
	dir  string
	json bool
	zero bool
	from planFlags
	hex  bool
	time time.Duration

	seeds []string
}

func runGen(ctx context.Context, args []string, std streams) error {
	f := newFlags(std, "gen -g GRAMMAR [flags]", genAbout)
	gf := &genFlags{}
	f.Uint64VarP(&gf.n, "number", "n", defaultN, "the number of sentences")
	gf.drawFlags = f.addDraw()
	gf.addWrappers()
	f.StringVarP(&gf.dir, "out", "o", "", "write each sentence to a file in the new folder `DIR`, and records to DIR.jsonl")
	f.BoolVar(&gf.json, "json", false, "print records (JSON, one on a line) instead of texts")
	f.BoolVarP(&gf.zero, "null", "0", false, "end each sentence with a NUL byte instead of a line break")
	f.BoolVar(&gf.hex, "hex", false, "print texts in hexadecimal digits")
	f.StringArrayVar(&gf.seeds, "seeds", nil, "put subtrees of your own texts into a quarter of the sentences: a `FILE` or a folder; may be given again")
	f.durationVar(&gf.time, "time", 0, "stop after this `TIME`, e.g. 10m, or 90 for seconds; without -n nothing else ends it")
	f.IntVarP(&gf.jobs, "jobs", "j", runtime.GOMAXPROCS(0), "goroutines, at most 4 for each processor; the output is the same for any number")
	gf.from.add(f)
	f.addQuiet()
	if err := f.parse(args, 0); err != nil {
		return err
	}
	if err := gf.check(); err != nil {
		return err
	}
	p, g, err := gf.open(ctx)
	if err != nil {
		return err
	}
	if gf.from.print {
		return gf.from.write(f, p)
	}
	s, err := openPlan(ctx, f, p, g)
	if err != nil {
		return err
	}
	set := p.KPath > 0 || p.All
	if !f.Changed("number") && (gf.time > 0 || set) {
		gf.n = math.MaxUint64
	}
	if !f.Changed("seed") && !set && gf.from.path == "" {
		f.note("seed %d", p.Seed)
	}
	if std.api == nil {
		keepLast(p, max(gf.n, gf.from.first+gf.n))
	}
	if o, err := p.SampleOptions(); err == nil && (p.Strategy == "" || p.Strategy == o.Strategy.String()) && p.Swarm == nil && !p.Distinct && p.Containing == "" && !set && p.Over != "texts" {
		f.hintDrowned(ctx, g, o, gf.n)
	}
	if all := s.Len(); p.All && gf.from.first == 0 && all.IsUint64() && all.Uint64() > gf.n {
		f.note("-n %d leaves %s out; -n %d would give all", gf.n, words.Plural(all.Uint64()-gf.n, "sentence"), all)
	}
	exhausted := false
	if all := s.Len(); all != nil && all.IsUint64() {
		rest := max(all.Uint64(), gf.from.first) - gf.from.first
		gf.n, exhausted = min(gf.n, rest), rest < gf.n
	}
	if gf.time > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, gf.time)
		defer cancel()
	}
	err = (&genJob{genFlags: gf, std: std, stream: s}).run(ctx)
	switch {
	case errors.Is(err, sample.ErrExhausted) && p.Over == "texts":
		f.note("these are all texts within %v", s.Bound())
		return nil
	case errors.Is(err, sample.ErrExhausted):
		f.note("%v", err)
		return nil
	case gf.time > 0 && errors.Is(err, context.DeadlineExceeded):
		return nil
	}
	if err == nil && exhausted && !set && gf.from.first == 0 {
		part := ""
		if p.Shards > 1 {
			part = fmt.Sprintf(" of part %d/%d", p.Shard, p.Shards)
		}
		f.note("these are all%s: %s within %v", part, words.Plural(gf.n, "derivation"), s.Bound())
	}
	return err
}

// check refuses flags that exclude each other, beyond those of the plan.
func (gf *genFlags) check() error {
	f := gf.f
	switch {
	case gf.dir != "" && gf.json:
		return f.wrong("-o writes the records too, to %s.jsonl; leave --json out", gf.dir)
	case gf.dir != "" && gf.zero:
		return f.wrong("-0 goes with texts on standard output; with -o each has a file of its own")
	case gf.hex && (gf.json || gf.dir != ""):
		return f.wrong("--hex is for texts on standard output; leave --json and -o out")
	case gf.json && gf.zero:
		return f.wrong("-0 goes with texts; records are one on a line anyway")
	case gf.from.print && gf.dir != "":
		return f.wrong("--print-plan prints no sentences; leave -o out")
	case gf.jobs < 1:
		return f.wrong("-j %d is out of range; the least is 1", gf.jobs)
	}
	gf.jobs = min(gf.jobs, mostJobs())
	for _, other := range []string{"number", "time"} {
		if f.Changed("kpath") && f.Changed(other) {
			return f.wrong("--kpath makes a fixed set of sentences; leave --%s out", other)
		}
	}
	return nil
}

// openPlan opens the stream of a plan, with its progress and remarks on standard error.
func openPlan(ctx context.Context, f *flags, p *stream.Plan, g *grammar.Grammar) (*stream.Stream, error) {
	line := f.progress("preparing")
	s, err := p.Open(ctx, g, stream.Options{Progress: line.Share, Version: version()})
	line.End()
	if err != nil {
		return nil, err
	}
	for _, note := range s.Notes() {
		f.note("%s", note)
	}
	return s, nil
}

// genJob is a prepared run of gen.
type genJob struct {
	*genFlags
	std    streams
	stream *stream.Stream
}

// run makes the sentences and writes them to the output of the flags.
func (j *genJob) run(ctx context.Context) error {
	if j.dir != "" {
		return j.toFolder(ctx)
	}
	end := byte('\n')
	if j.zero {
		end = 0
	}
	breaks, made := false, uint64(0)
	line := j.f.progressBeside("drawing", true)
	defer line.End()
	_, err := stream.InOrder(ctx, j.jobs, j.n, j.worker(j.json, end), func(out []byte, pieces int) error {
		breaks = breaks || !j.json && !j.zero && j.n > 1 && bytes.Count(out, []byte("\n")) > pieces
		made += uint64(pieces)
		line.Done(made, j.total())
		return j.std.print(out)
	})
	if breaks && err == nil {
		j.f.note("some sentences have line breaks; -0, -o DIR or --json tells them apart")
	}
	return err
}

// total returns the number of sentences; 0 if only the time limit ends the run.
func (j *genJob) total() uint64 {
	if j.n > 1<<53 {
		return 0
	}
	return j.n
}

// worker returns a maker of workers. They append texts or records, each followed by the byte end.
func (j *genJob) worker(records bool, end byte) func() func(context.Context, []byte, uint64) ([]byte, error) {
	return func() func(context.Context, []byte, uint64) ([]byte, error) {
		appendTo := j.stream.Source().Append
		if records {
			appendTo = j.stream.Records().Append
		}
		return func(ctx context.Context, dst []byte, i uint64) (out []byte, err error) {
			err = guard(func() error {
				out, err = appendTo(ctx, dst, j.from.first+i)
				return err
			})
			if j.hex {
				text := slices.Clone(out[len(dst):])
				out = hex.AppendEncode(out[:len(dst)], text)
			}
			return append(out, end), err
		}
	}
}
