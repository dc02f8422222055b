package stream

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"

	gctx "github.com/gramfuzz/gramfuzz/context"
	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/lexical/lex"
	"github.com/gramfuzz/gramfuzz/internal/records/record"
	"github.com/gramfuzz/gramfuzz/sample"
	"github.com/gramfuzz/gramfuzz/swarm"
)

// Records makes the records of a stream's sentences on one goroutine.
type Records struct {
	s        *Stream
	src      source
	rec      derive.Record
	swarm    derive.SwarmRef
	sentence sample.Sentence
	head     []byte // of the last record: its fields before the seed
}

// Records returns a maker of records. Records of a stream without a [Plan] name no grammar and no
// seed.
func (s *Stream) Records() *Records { return &Records{s: s, src: s.open(), rec: s.origin} }

// Record returns the record of sentence i. The next one overwrites it.
func (r *Records) Record(ctx context.Context, i uint64) (*derive.Record, error) {
	s := &r.sentence
	if err := r.src.Sentence(ctx, s, i); err != nil {
		return nil, err
	}
	r.rec.Choices, r.rec.Text, r.rec.Depth, r.rec.Size, r.rec.Edits = s.Choices, s.Text, s.Depth, s.Size, s.Edits
	place, err := r.src.Place(ctx, i)
	if err != nil {
		return nil, err
	}
	r.rec.Index, r.rec.Rank = place.Index, ""
	if place.Rank != nil {
		r.rec.Rank = place.Rank.String()
	}
	if r.rec.Swarm != nil && place.Config != r.rec.Swarm.Config {
		r.swarm = *r.rec.Swarm
		r.swarm.Config = place.Config
		r.rec.Swarm, r.head = &r.swarm, nil
	}
	return &r.rec, nil
}

// Append appends the record of sentence i to dst, one line of JSON without its end.
func (r *Records) Append(ctx context.Context, dst []byte, i uint64) ([]byte, error) {
	rec, err := r.Record(ctx, i)
	if err != nil {
		return dst, err
	}
	if r.head == nil {
		r.head = rec.AppendOrigin(nil)
	}
	return rec.AppendSentence(append(dst, r.head...)), nil
}

// origin returns the common part of the records of the plan's sentences.
func (p *Plan) origin(g *grammar.Grammar, version string, b count.Bound, named bool) derive.Record {
	ref := p.Grammar
	ref.SHA256, ref.Start = g.SHA256, g.Start.Name
	if ref.Name == "" && ref.Path == "" {
		ref.Name = g.Name
	}
	m, err := record.ParseMeasure(p.measure())
	if err != nil {
		panic(err) // the plan was checked
	}
	r := record.New(version, ref, b, m)
	r.Seed, r.KPath, r.Damage, r.Break, r.Words = p.Seed, p.KPath, p.Damage, p.Break, p.Words
	r.Strength, r.Containing = p.Strength, p.Containing
	if p.All {
		r.All = cmp.Or(p.Bound.Max, unlimited)
	}
	r.Bound.Spread, r.Bound.Mean = p.spread(), p.Bound.Mean
	if b.ByDepth() || b.Min == b.Max {
		r.Bound.Spread = ""
	}
	if v, _ := p.value("strategy"); v != sample.Uniform.String() {
		r.Strategy = v
	}
	if p.Seeds != nil {
		r.Strategy = seeded
	}
	if p.Alphabet != "ascii" {
		r.Alphabet = p.Alphabet
	}
	if lex.UsesLexer(g) {
		r.Layout, _ = p.value("layout")
	}
	if named {
		r.Names = cmp.Or(p.Names, gctx.Options{}.String())
	}
	if p.Swarm != nil {
		r.Swarm = p.Swarm.ref()
	}
	numbered := p.Distinct && r.Strategy == "" && (p.Swarm == nil || p.Swarm.one())
	r.Distinct = numbered
	if !numbered && p.Over == overTexts {
		r.Over = p.Over
	}
	return r
}

// ref returns the reference to the swarm in all records.
func (p *SwarmPlan) ref() *derive.SwarmRef {
	r := &derive.SwarmRef{Mode: p.Mode, P: 0.5, Every: cmp.Or(p.Every, defaultEvery), Saved: p.Saved}
	if p.one() {
		r.Every = 0
	}
	if c, err := swarm.ParseCoins("", []byte(p.Coins)); err == nil && c.Default.Den > 0 {
		r.P = float64(c.Default.Num) / float64(c.Default.Den)
	}
	if p.Coins != "* 1/2" {
		r.Coins = p.Coins
	}
	return r
}

// unlimited is the value of Record.All for sentences of any size.
const unlimited = -1

// PlanOf returns the plan that opens the stream of a record, and the sentence's number
// in it: the stream that [Plan.Open] opens has the record's sentence under this number.
// Damage is part of the plan; shards, and repeats that were left out, are not.
func PlanOf(r *derive.Record) (*Plan, uint64, error) {
	if r.Strategy == seeded {
		return nil, 0, errors.New("the record leads to no plan: it does not have the seeds; give the plan that gen --print-plan prints")
	}
	p := &Plan{
		Version: currentVersion, Grammar: r.Grammar, Alphabet: r.Alphabet, Bound: r.Bound, Measure: r.Measure, Strategy: r.Strategy,
		Names: r.Names, Layout: r.Layout, Over: r.Over, Distinct: r.Distinct, KPath: r.KPath, All: r.All != 0, Strength: r.Strength, Containing: r.Containing, Damage: r.Damage, Break: r.Break, Words: r.Words, Seed: r.Seed,
		MaxBytes: -1,
	}
	if r.Strategy != "" && r.Strategy != sample.Balanced.String() { // records name a spread that has no effect
		p.Bound.Spread = ""
	}
	if r.KPath != 0 || r.All != 0 {
		p.Bound, p.Names, p.Measure = derive.BoundRef{}, "", ""
	}
	if r.All > 0 {
		p.Bound = derive.BoundRef{Max: r.All}
	}
	if w := r.Swarm; w != nil {
		p.Swarm = &SwarmPlan{Mode: w.Mode, Every: w.Every, Coins: w.Coins, Saved: w.Saved}
		if w.Every == 0 && w.Saved == "" {
			p.Swarm.Config = w.Config
		}
		if w.Coins == "" && w.Saved == "" && w.P != 0.5 {
			p.Swarm.Coins = "* " + strconv.FormatFloat(w.P, 'g', -1, 64)
		}
	}
	if err := p.Check(nil); err != nil {
		return nil, 0, fmt.Errorf("the record leads to no plan: %w", err)
	}
	return p, r.Index, nil
}
