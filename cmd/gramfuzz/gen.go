package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"runtime"
	"time"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/sample"
	"github.com/gramfuzz/gramfuzz/stream"
)

const genAbout = `
Make sentences of a grammar, one on a line. Without a bound they have from the
least number of terminals to 50 more, each size equally likely, and within a size
every derivation. The same flags and seed give the same sentences, for any -j.
With --over texts every distinct text within the bound is equally likely, however
many derivations it has.

With -o DIR each sentence becomes a file in the folder DIR, and DIR.jsonl has
their records: what reduce and rank need to work on them.`

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
	time time.Duration
}

func runGen(ctx context.Context, args []string, std streams) error {
	f := newFlags(std, "gen -g GRAMMAR [flags]", genAbout)
	gf := &genFlags{}
	f.Uint64VarP(&gf.n, "number", "n", defaultN, "how many sentences")
	gf.drawFlags = f.addDraw()
	gf.addWrappers()
	f.StringVarP(&gf.dir, "out", "o", "", "write each sentence to a file in the new folder `DIR`, and records to DIR.jsonl")
	f.BoolVar(&gf.json, "json", false, "print records (JSON, one on a line) instead of texts")
	f.BoolVarP(&gf.zero, "null", "0", false, "end each sentence with a NUL byte instead of a line break")
	f.durationVar(&gf.time, "time", 0, "stop after this `TIME`, e.g. 10m, or 90 for seconds; without -n there is no other end")
	f.IntVarP(&gf.jobs, "jobs", "j", runtime.GOMAXPROCS(0), "goroutines; any number gives the same bytes")
	f.addQuiet()
	if err := f.parse(args, 0); err != nil {
		return err
	}
	if err := gf.check(); err != nil {
		return err
	}
	p, err := gf.plan()
	if err != nil {
		return err
	}
	g, err := gf.g.load()
	if err != nil {
		return err
	}
	p.Grammar = refOf(p.Grammar, g)
	s, err := openPlan(ctx, f, p, g)
	if err != nil {
		return err
	}
	set := p.KPath > 0 || p.All
	if !f.Changed("seed") && !set {
		f.note("seed %d", p.Seed)
	}
	keepLast(p, gf.n)
	if o, err := p.SampleOptions(); err == nil && p.Strategy != stream.Mixed && p.Strategy != stream.RandomWeights && p.Swarm == nil && !p.Distinct && p.Containing == "" && !set && p.Over != "texts" {
		f.hintDrowned(ctx, g, o, gf.n)
	}
	if all := s.Len(); p.All && all.IsUint64() && all.Uint64() > gf.n {
		f.note("-n %d leaves %s out; -n %d would give all", gf.n, plural(int(all.Uint64()-gf.n), "sentence"), all)
	}
	exhausted := s.Len() != nil && s.Len().Cmp(new(big.Int).SetUint64(gf.n)) < 0
	if exhausted {
		gf.n = s.Len().Uint64()
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
	if err == nil && exhausted && !set {
		part := ""
		if p.Shards > 1 {
			part = fmt.Sprintf(" of part %d/%d", p.Shard, p.Shards)
		}
		f.note("these are all%s: %s within %v", part, plural(int(gf.n), "derivation"), s.Bound())
	}
	return err
}

// check refuses flags that do not go together, beyond those of the plan.
func (gf *genFlags) check() error {
	f := gf.f
	switch {
	case gf.dir != "" && gf.json:
		return f.wrong("-o writes the records too, to %s.jsonl; leave --json out", gf.dir)
	case gf.dir != "" && gf.zero:
		return f.wrong("-0 goes with texts on standard output; with -o each has a file of its own")
	case gf.json && gf.zero:
		return f.wrong("-0 goes with texts; records are one on a line anyway")
	case gf.jobs < 1:
		return f.wrong("-j %d cannot be; it begins with 1", gf.jobs)
	}
	for _, other := range []string{"number", "time"} {
		if f.Changed("kpath") && f.Changed(other) {
			return f.wrong("--kpath makes a fixed set of sentences; leave --%s out", other)
		}
	}
	if gf.time > 0 && !f.Changed("number") || f.Changed("kpath") || f.Changed("all-alternatives") && !f.Changed("number") {
		gf.n = math.MaxUint64
	}
	return nil
}

// openPlan opens the stream of a plan, with its progress and remarks on standard error.
func openPlan(ctx context.Context, f *flags, p *stream.Plan, g *grammar.Grammar) (*stream.Stream, error) {
	line := f.progress("preparing")
	s, err := p.Open(ctx, g, stream.Options{Progress: line.show, Version: version()})
	line.end()
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

// run makes the sentences and writes them where the flags say.
func (j *genJob) run(ctx context.Context) error {
	if j.dir != "" {
		return j.toFolder(ctx)
	}
	end := byte('\n')
	if j.zero {
		end = 0
	}
	breaks := false
	_, err := stream.InOrder(ctx, j.jobs, j.n, j.worker(j.json, end), func(out []byte, pieces int) error {
		breaks = breaks || !j.json && !j.zero && j.n > 1 && bytes.Count(out, []byte("\n")) > pieces
		if _, err := j.std.out.Write(out); err != nil {
			return writeError("", err)
		}
		return nil
	})
	if breaks && err == nil {
		j.f.note("some sentences have line breaks; -0, -o DIR or --json tells them apart")
	}
	return err
}

// worker returns what appends texts or records, each followed by the byte end.
func (j *genJob) worker(records bool, end byte) func() func(context.Context, []byte, uint64) ([]byte, error) {
	return func() func(context.Context, []byte, uint64) ([]byte, error) {
		appendTo := j.stream.Source().Append
		if records {
			appendTo = j.stream.Records().Append
		}
		return func(ctx context.Context, dst []byte, i uint64) (out []byte, err error) {
			err = guard(func() error {
				out, err = appendTo(ctx, dst, i)
				return err
			})
			return append(out, end), err
		}
	}
}
