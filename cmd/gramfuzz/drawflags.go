package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/gramfuzz/gramfuzz/internal/record"
	"github.com/gramfuzz/gramfuzz/sample"
)

// drawFlags say how sentences are drawn.
type drawFlags struct {
	f        *flags
	g        *grammarFlags
	b        *boundFlags
	strategy string
	spread   string
	layout   string
	mean     int
	seed     uint64
	maxBytes bytesValue
	distinct bool
	shard    string
	swarm    *swarmFlags
}

// addDraw adds the flags for the grammar, the bound and the drawing.
func (f *flags) addDraw() *drawFlags {
	d := &drawFlags{f: f, maxBytes: sample.DefaultMaxBytes}
	d.g = f.addGrammar()
	d.b = f.addBound()
	f.StringVar(&d.spread, "spread", "even", "of a range of sizes: even (each size as likely) or count (each sentence as likely)")
	f.StringVar(&d.strategy, "strategy", "uniform", "how to draw: uniform, walk, limit, weighted or boltzmann")
	f.StringVar(&d.layout, "layout", "tight", "between tokens: tight (only where they would join), spaced (everywhere) or random (comments too)")
	f.IntVar(&d.mean, "mean", 0, "with --strategy boltzmann: the mean `SIZE` aimed at")
	f.Uint64Var(&d.seed, "seed", 0, "the same seed gives the same sentences; random when not given")
	f.BoolVar(&d.distinct, "distinct", false, "give no derivation twice; ends when there are no more")
	f.StringVar(&d.shard, "shard", "", "part `I/K` of the stream, I from 0: the K parts have nothing in common")
	f.Var(&d.maxBytes, "max-bytes", "refuse bounds whose sentences are longer on average")
	d.swarm = f.addSwarm()
	return d
}

// plan returns the plan of the flags, with a random seed where none is given.
func (d *drawFlags) plan() (*plan, error) {
	f := d.f
	b, err := d.b.bound()
	switch {
	case err != nil:
		return nil, err
	case f.Changed("mean") && d.strategy != sample.Boltzmann.String():
		return nil, f.wrong("--mean goes with --strategy boltzmann only")
	case f.Changed("mean") && d.mean < 1:
		return nil, f.wrong("--mean %d is no size", d.mean)
	case d.distinct && d.strategy != sample.Uniform.String():
		return nil, f.wrong("--distinct draws uniformly; leave --strategy %s out", d.strategy)
	case f.Changed("shard") && !f.Changed("seed"):
		return nil, f.wrong("--shard needs --seed; all shards must have the same one")
	case f.Changed("spread") && b.ByDepth():
		return nil, f.wrong("--spread goes with a range of sizes; give --size M..N, not --depth")
	}
	p := &plan{
		Grammar: d.g.ref(), Alphabet: d.g.alphabet, Measure: d.b.measure, Strategy: d.strategy, Layout: d.layout, Seed: f.seedOrRandom(d.seed),
		MaxBytes: int64(d.maxBytes), Memory: int64(d.b.memory),
	}
	if f.Changed("depth") || f.Changed("size") {
		p.Bound = record.Bound(b)
	}
	p.Bound.Spread, p.Bound.Mean = d.spread, d.mean
	p.Distinct = d.distinct
	names, err := d.b.namesOptions()
	if err != nil {
		return nil, err
	}
	p.Names = names.String()
	if f.Changed("shard") {
		if p.Shard, p.Shards, err = parseShard(d.shard); err != nil {
			return nil, f.wrong("%v", err)
		}
	}
	if _, err = p.options(); err != nil {
		return nil, f.wrong("%v", err)
	}
	if p.Swarm, err = d.swarm.plan(); err != nil {
		return nil, err
	}
	if p.Distinct && p.Swarm != nil && !p.Swarm.one() {
		return nil, f.wrong("--distinct goes with one configuration, such as --swarm %s:77; sentences of several are not numbered together", d.swarm.mode)
	}
	return p, nil
}

// tellSeed prints the seed if it was not given.
func (d *drawFlags) tellSeed(p *plan) {
	if !d.f.Changed("seed") {
		d.f.note("seed %d", p.Seed)
	}
}

// parseShard reads I/K, 0 ≤ I < K.
func parseShard(s string) (i, k int, err error) {
	part, of, _ := strings.Cut(s, "/")
	i, err1 := strconv.Atoi(part)
	k, err2 := strconv.Atoi(of)
	switch {
	case err1 != nil || err2 != nil || k < 1 || i < 0:
		return 0, 0, fmt.Errorf("--shard %s is no part; write I/K, such as 0/3, 1/3 and 2/3", s)
	case i >= k:
		return 0, 0, fmt.Errorf("--shard %s does not exist; parts are numbered from 0, the last of %d is %d/%d", s, k, k-1, k)
	}
	return i, k, nil
}
