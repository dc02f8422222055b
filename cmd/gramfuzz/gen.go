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

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/mutate"
	"github.com/gramfuzz/gramfuzz/sample"
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
	overFlags
	damageFlags
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
	f.StringVarP(&gf.dir, "out", "o", "", "write each sentence to a file in the new folder `DIR`, and records to DIR.jsonl")
	f.BoolVar(&gf.json, "json", false, "print records (JSON, one on a line) instead of texts")
	f.BoolVarP(&gf.zero, "null", "0", false, "end each sentence with a NUL byte instead of a line break")
	gf.overFlags.add(f)
	gf.damageFlags.add(f, 0)
	f.durationVar(&gf.time, "time", 0, "stop after this `TIME`, e.g. 10m, or 90 for seconds; without -n there is no other end")
	f.IntVarP(&gf.jobs, "jobs", "j", runtime.GOMAXPROCS(0), "goroutines; any number gives the same bytes")
	f.addQuiet()
	if err := f.parse(args, 0); err != nil {
		return err
	}
	if err := gf.check(); err != nil {
		return err
	}
	if err := gf.overFlags.check(gf); err != nil {
		return err
	}
	p, err := gf.plan()
	if err != nil {
		return err
	}
	p.N = gf.n
	g, err := gf.g.load()
	if err != nil {
		return err
	}
	damager, err := gf.damager(f, g)
	if err != nil {
		return err
	}
	s, err := p.open(ctx, f, g)
	if err != nil {
		return err
	}
	job := &genJob{genFlags: gf, std: std, stream: s, damager: damager, record: p.record(g, s.bound), facts: g.Facts(s.mask, measureOf(p.Measure))}
	switch {
	case gf.kpath > 0:
		err = gf.cover(ctx, gf, g, s)
	case gf.over == "texts":
		gf.tellSeed(p)
		err = gf.texts(ctx, gf, g, s, job.facts)
	default:
		gf.tellSeed(p)
		if damager == nil { // a plan cannot repeat the damage
			keepLast(p, g)
		}
	}
	if err != nil {
		return err
	}
	if o, err := p.options(); err == nil && p.Swarm == nil && !p.Distinct && gf.kpath == 0 && gf.over != "texts" {
		f.hintDrowned(ctx, g, o, gf.n)
	}
	exhausted := s.len != nil && s.len.Cmp(new(big.Int).SetUint64(gf.n)) < 0
	if exhausted {
		gf.n = s.len.Uint64()
	}
	if gf.time > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, gf.time)
		defer cancel()
	}
	err = job.run(ctx)
	if errors.Is(err, sample.ErrExhausted) {
		f.note("these are all texts within %v", s.bound)
		return nil
	}
	if gf.time > 0 && errors.Is(err, context.DeadlineExceeded) {
		return nil
	}
	if err == nil && exhausted && gf.kpath == 0 {
		part := ""
		if p.Shards > 1 {
			part = fmt.Sprintf(" of part %d/%d", p.Shard, p.Shards)
		}
		f.note("these are all%s: %s within %v", part, plural(int(gf.n), "derivation"), s.bound)
	}
	return err
}

// check refuses flags that do not go together.
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
	if gf.time > 0 && !f.Changed("number") {
		gf.n = math.MaxUint64
	}
	return nil
}

func measureOf(name string) grammar.Measure {
	m, err := parseMeasure(name)
	if err != nil {
		panic(err) // the plan was checked
	}
	return m
}

// genJob is a prepared run of gen.
type genJob struct {
	*genFlags
	*stream
	std     streams
	damager *mutate.Damager // nil: none
	record  derive.Record   // the common part of all records
	facts   *grammar.Facts
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
	worker := j.texts(end)
	if j.json {
		worker = j.records
	}
	_, err := inOrder(ctx, j.jobs, j.n, worker, func(out []byte, pieces int) error {
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

// texts returns workers that append texts, each followed by the byte end.
func (j *genJob) texts(end byte) func() func(context.Context, []byte, uint64) ([]byte, error) {
	return func() func(context.Context, []byte, uint64) ([]byte, error) {
		src := j.source()
		draw := src.Append
		if j.damager != nil {
			draw = j.damaged(src)
		}
		return func(ctx context.Context, dst []byte, i uint64) ([]byte, error) {
			dst, err := draw(ctx, dst, i)
			return append(dst, end), err
		}
	}
}

// records is the worker that appends records, one on a line.
func (j *genJob) records() func(context.Context, []byte, uint64) ([]byte, error) {
	src := j.source()
	rec := j.record
	var sentence sample.Sentence
	var origin []byte
	of := rec.Swarm
	return func(ctx context.Context, dst []byte, i uint64) ([]byte, error) {
		if err := j.fill(ctx, src, &rec, &sentence, i); err != nil {
			return dst, err
		}
		if origin == nil || of != rec.Swarm {
			origin, of = rec.AppendOrigin(origin[:0]), rec.Swarm
		}
		return append(rec.AppendSentence(append(dst, origin...)), '\n'), nil
	}
}

// recorder is a drawer that makes records of sentences without their trees.
type recorder interface {
	Sentence(ctx context.Context, to *sample.Sentence, i uint64) error
}

// fill completes the record of sentence i, which it makes in s.
func (j *genJob) fill(ctx context.Context, src drawer, rec *derive.Record, s *sample.Sentence, i uint64) error {
	if quick, ok := src.(recorder); ok {
		if err := quick.Sentence(ctx, s, i); err != nil {
			return err
		}
	} else {
		t, err := src.Tree(ctx, i)
		if err != nil {
			return err
		}
		s.Set(t, j.facts, j.bound.Unit)
	}
	rec.Choices, rec.Text, rec.Depth, rec.Size = s.Choices, s.Text, s.Depth, s.Size
	if err := j.place(ctx, rec, i); err != nil {
		return err
	}
	if j.rank != nil {
		rec.Rank = j.rank(i).String()
	}
	j.damageRecord(rec, i)
	return nil
}
