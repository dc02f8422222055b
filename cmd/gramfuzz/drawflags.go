package main

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/base/words"
	"github.com/gramfuzz/gramfuzz/internal/records/record"
	"github.com/gramfuzz/gramfuzz/sample"
	"github.com/gramfuzz/gramfuzz/stream"
)

// drawFlags are the flags of drawing sentences.
type drawFlags struct {
	f          *flags
	g          *grammarFlags
	b          *boundFlags
	strategy   string
	spread     string
	layout     string
	mean       int
	seed       uint64
	maxBytes   words.Bytes
	distinct   bool
	shard      string
	over       string
	tries      int
	kpath      int
	all        bool
	strength   int
	containing string
	settled    bool
	damage     damageFlags
	broken     float64
	swarm      *swarmFlags
}

// addDraw adds the flags for the grammar, the bound and the drawing.
func (f *flags) addDraw() *drawFlags {
	d := &drawFlags{f: f, maxBytes: sample.DefaultMaxBytes}
	d.g = f.addGrammar()
	d.b = f.addBound()
	f.StringVar(&d.spread, "spread", "even", "of a range of sizes: even (each size as likely) or count (each sentence as likely)")
	f.StringVar(&d.strategy, "strategy", "", "how to draw: uniform, walk, limit, weighted, boltzmann, balanced, mixed (as tests do), random-weights or broad; without a bound broad, else uniform")
	f.StringVar(&d.layout, "layout", "tight", "between tokens: tight (only where they would join), spaced (everywhere) or random (comments too)")
	f.IntVar(&d.strength, "strength", 1, "with --strategy balanced: how many parts have their turn together, one after the other, 1 to 3")
	f.StringVar(&d.containing, "containing", "", "draw only derivations with these `PARTS`, such as stmt/1 or 'stmt/1,expr/*' or, in order, 'stmt/1<expr/0'")
	f.IntVar(&d.mean, "mean", 0, "with --strategy boltzmann: the intended mean `SIZE`")
	f.Uint64Var(&d.seed, "seed", 0, "the same seed gives the same sentences; random when not given")
	f.BoolVar(&d.distinct, "distinct", false, "make each derivation at most once; ends when there are no more")
	f.StringVar(&d.shard, "shard", "", "part `I/K` of the stream, I from 0: the K parts have nothing in common")
	f.Var(&d.maxBytes, "max-bytes", "refuse bounds whose sentences are longer on average")
	d.swarm = f.addSwarm()
	return d
}

// addWrappers adds the flags of texts, sets of sentences and damage.
func (d *drawFlags) addWrappers() {
	f := d.f
	f.StringVar(&d.over, "over", "trees", "trees: each derivation equally likely; texts: each distinct text")
	f.addTries(&d.tries)
	f.BoolVar(&d.settled, "settled", false, "leave out sentences without a tree under precedences (@prec), which tree-sitter's parsers refuse")
	f.IntVarP(&d.kpath, "kpath", "k", 0, "make a small set of sentences that reaches every path of `K` symbols, instead of drawing")
	f.BoolVar(&d.all, "all-alternatives", false, "make a small set of sentences that takes every alternative, instead of drawing; -n and --size bound it")
	d.damage.add(f, 0)
	f.Float64Var(&d.broken, "break", 0, "make one computed field wrong in this share `P` (0 to 1) of the sentences: a length, a count, a checksum")
}

// broad is the default strategy: no bound, no shard, and no flag of uniform sampling is given. Of
// all measured strategies it reaches most of real parsers (bench/coverage/RESULTS.md).
const broad = "broad"

// choose sets the strategy of a plan if no flag does.
func (d *drawFlags) choose(p *stream.Plan) {
	if d.f.Changed("strategy") || d.f.Changed("shard") || p.Distinct || p.Bound != (derive.BoundRef{}) {
		return
	}
	b := *p
	b.Strategy = broad
	if b.Check(nil) == nil {
		p.Strategy = broad
	}
}

// fit sets the unit of a plan's bound, which depends on the grammar.
func (d *drawFlags) fit(p *stream.Plan, g *grammar.Grammar) error {
	if !d.f.Changed("size") {
		return nil
	}
	b, err := d.b.of(g)
	p.Bound.Unit = record.Bound(b).Unit
	return err
}

// plan returns the plan of the flags, with a random seed if none is given.
func (d *drawFlags) plan() (*stream.Plan, error) {
	f := d.f
	b, err := d.b.bound()
	switch {
	case err != nil:
		return nil, err
	case f.Changed("mean") && d.mean < 1:
		return nil, f.wrong("--mean %d is out of range; the least is 1", d.mean)
	case f.Changed("tries") && d.tries < 1:
		return nil, f.wrong("--tries %d is out of range; the least is 1", d.tries)
	case f.Changed("kpath") && d.kpath < 1:
		return nil, f.wrong("--kpath %d is out of range; the least is 1", d.kpath)
	case f.Changed("strength") && d.strength < 1:
		return nil, f.wrong("--strength %d is out of range; the least is 1", d.strength)
	case f.Changed("shard") && !f.Changed("seed"):
		return nil, f.wrong("--shard needs --seed; all shards must have the same one")
	}
	p := &stream.Plan{
		Grammar: d.g.ref(), Alphabet: d.g.alphabet,
		Over: d.over, Tries: d.tries, KPath: d.kpath, All: d.all, Containing: d.containing, Distinct: d.distinct, Settled: d.settled, Damage: d.damage.share, Break: d.broken,
		Seed: f.seedOrRandom(d.seed), MaxBytes: int64(d.maxBytes), Memory: int64(d.b.memory),
	}
	if f.Changed("depth") || f.Changed("size") {
		p.Bound = record.Bound(b)
	}
	p.Bound.Mean = d.mean
	if f.Changed("strength") {
		p.Strength = d.strength
	}
	for flag, to := range map[string]struct {
		field *string
		value string
	}{
		"spread": {&p.Bound.Spread, d.spread}, "measure": {&p.Measure, d.b.measure},
		"strategy": {&p.Strategy, d.strategy}, "layout": {&p.Layout, d.layout},
	} {
		if f.Changed(flag) {
			*to.field = to.value
		}
	}
	if names, err := d.b.namesOptions(); err != nil {
		return nil, err
	} else if f.Changed("names") || f.Changed("pool") {
		p.Names = names.String()
	}
	if f.Changed("shard") {
		if p.Shard, p.Shards, err = parseShard(d.shard); err != nil {
			return nil, f.wrong("%v", err)
		}
	}
	if p.Words, err = d.damage.words(); err != nil {
		return nil, err
	}
	if p.Swarm, err = d.swarm.plan(); err != nil {
		return nil, err
	}
	d.choose(p)
	return p, d.f.checkPlan(p, d.swarm)
}

// checkPlan checks a plan. Its error names the flags.
func (f *flags) checkPlan(p *stream.Plan, s *swarmFlags) error {
	flagOf := map[string]string{"words": "dict", "swarm.every": "swarm-every", "swarm.coins": "swarm-p", "all": "all-alternatives"}
	err := p.Check(func(field, value string) string {
		if field == "swarm" && value != "" {
			value = s.mode
		}
		return strings.TrimSpace("--" + cmp.Or(flagOf[field], field) + " " + value)
	})
	if err == nil || errors.As(err, new(grammar.Diagnostics)) {
		return err
	}
	return f.wrong("%v", err)
}

// parseShard reads I/K, 0 ≤ I < K.
func parseShard(s string) (i, k int, err error) {
	part, of, _ := strings.Cut(s, "/")
	i, err1 := strconv.Atoi(part)
	k, err2 := strconv.Atoi(of)
	switch {
	case err1 != nil || err2 != nil || k < 1 || i < 0:
		return 0, 0, fmt.Errorf("--shard %s is not a part; write I/K, such as 0/3, 1/3 and 2/3", s)
	case i >= k:
		return 0, 0, fmt.Errorf("--shard %s does not exist; parts are numbered from 0, the last of %d is %d/%d", s, k, k-1, k)
	}
	return i, k, nil
}
