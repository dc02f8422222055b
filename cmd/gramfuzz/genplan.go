package main

import (
	"context"
	"fmt"
	"math/big"

	gctx "github.com/gramfuzz/gramfuzz/context"
	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/lex"
	"github.com/gramfuzz/gramfuzz/internal/record"
	"github.com/gramfuzz/gramfuzz/sample"
)

// plan determines the sentences of gen completely, so that they can be made again.
type plan struct {
	Grammar  derive.GrammarRef `json:"grammar"`
	Alphabet string            `json:"alphabet,omitempty"`
	Bound    derive.BoundRef   `json:"bound"`
	Measure  string            `json:"measure"`
	Strategy string            `json:"strategy"`
	Layout   string            `json:"layout,omitempty"`
	Names    string            `json:"names,omitempty"`
	Seed     uint64            `json:"seed"`
	MaxBytes int64             `json:"max-bytes,omitempty"`
	Memory   int64             `json:"max-memory,omitempty"`
	N        uint64            `json:"n"`
	Distinct bool              `json:"distinct,omitempty"`
	Shard    int               `json:"shard,omitempty"`
	Shards   int               `json:"shards,omitempty"` // 0: there is one
	Swarm    *swarmPlan        `json:"swarm,omitempty"`
}

// options returns the options of the sampler that the plan asks for.
func (p *plan) options() (o sample.Options, err error) {
	if o.Bound, err = boundOf(p.Bound); err != nil {
		return o, err
	}
	if o.Strategy, err = sample.ParseStrategy(p.Strategy); err != nil {
		return o, err
	}
	if o.Measure, err = parseMeasure(p.Measure); err != nil {
		return o, err
	}
	if o.Layout, err = parseLayout(p.Layout); err != nil {
		return o, err
	}
	if o.Names, err = gctx.ParseOptions(p.Names); err != nil {
		return o, err
	}
	switch p.Bound.Spread {
	case "", "even":
	case "count":
		o.Spread = sample.ByCount
	default:
		return o, fmt.Errorf("there is no spread %q; there are even and count", p.Bound.Spread)
	}
	o.Seed, o.Mean, o.MaxBytes, o.MaxMemory = p.Seed, p.Bound.Mean, p.MaxBytes, p.Memory
	return o, nil
}

// drawer draws the sentences of a stream. It belongs to one goroutine.
type drawer interface {
	Append(ctx context.Context, dst []byte, i uint64) ([]byte, error)
	Tree(ctx context.Context, i uint64) (*derive.Tree, error)
}

// stream is a numbered stream of sentences.
type stream struct {
	source func() drawer // one for each goroutine
	bound  count.Bound
	len    *big.Int // number of sentences; nil if there is no end

	// rank returns the rank of a sentence; nil if ranks are not known.
	rank func(i uint64) *big.Int

	// index returns the number in the unsharded stream.
	index func(i uint64) uint64

	mask *grammar.Mask // switched off in all sentences; nil if nothing is

	// block returns the sampler and the mask of a sentence, by its number in the
	// unsharded stream; nil if all sentences have the same.
	block func(ctx context.Context, index uint64) (*grammar.Mask, *sample.Sampler, error)

	// config names the configuration of a sentence by its number in the
	// unsharded stream; nil without a swarm.
	config func(ctx context.Context, index uint64) (string, error)
}

// place fills in where a record's sentence comes from.
func (s *stream) place(ctx context.Context, rec *derive.Record, i uint64) (err error) {
	rec.Index = s.index(i)
	if s.config == nil {
		return nil
	}
	ref := *rec.Swarm // all records share it
	ref.Config, err = s.config(ctx, rec.Index)
	rec.Swarm = &ref
	return err
}

// open prepares the stream, with progress shown on f.
func (p *plan) open(ctx context.Context, f *flags, g *grammar.Grammar) (*stream, error) {
	o, err := p.options()
	if err != nil {
		return nil, err
	}
	shards := uint64(max(p.Shards, 1))
	index := func(i uint64) uint64 { return i*shards + uint64(p.Shard) }
	var config func(context.Context, uint64) (string, error)
	if p.Swarm != nil {
		sw, err := p.Swarm.swarm(g, p.Swarm.Mode, o.Measure)
		if err != nil {
			return nil, err
		}
		if !p.Swarm.one() {
			return p.Swarm.open(ctx, sw, o, index)
		}
		c, err := p.Swarm.only(sw)
		if err != nil {
			return nil, err
		}
		o.Mask = c.Mask()
		config = func(context.Context, uint64) (string, error) { return c.Name(), nil }
	}
	line := f.progress("preparing")
	defer line.end()
	o.Progress = line.show
	if p.Distinct {
		d, err := sample.NewDistinct(ctx, g, o)
		if err != nil {
			return nil, err
		}
		if d, err = d.Shard(p.Shard, int(shards)); err != nil {
			return nil, err
		}
		rank := func(i uint64) *big.Int { return d.Rank(new(big.Int).SetUint64(i)) }
		return &stream{source: func() drawer { return d.Source() }, bound: d.Bound(), len: d.Len(), rank: rank, index: index, mask: o.Mask, config: config}, nil
	}
	s, err := sample.New(ctx, g, o)
	if err != nil {
		return nil, err
	}
	if why := s.Uncertified(); why != nil {
		f.note("not certified to be uniform: %v", why)
	}
	source := func() drawer { return &strided{s.Source(), index} }
	return &stream{source: source, bound: s.Bound(), index: index, mask: o.Mask, config: config}, nil
}

// strided draws every so many sentences of a source: a shard.
type strided struct {
	src interface {
		drawer
		recorder
	}
	index func(i uint64) uint64
}

func (s *strided) Append(ctx context.Context, dst []byte, i uint64) ([]byte, error) {
	return s.src.Append(ctx, dst, s.index(i))
}

func (s *strided) Tree(ctx context.Context, i uint64) (*derive.Tree, error) {
	return s.src.Tree(ctx, s.index(i))
}

func (s *strided) Sentence(ctx context.Context, to *sample.Sentence, i uint64) error {
	return s.src.Sentence(ctx, to, s.index(i))
}

// record returns the common part of the records of all sentences.
func (p *plan) record(g *grammar.Grammar, b count.Bound) derive.Record {
	r := record.New(version(), refOf(p.Grammar, g), b, measureOf(p.Measure))
	r.Seed = p.Seed
	r.Bound.Spread, r.Bound.Mean = p.Bound.Spread, p.Bound.Mean
	if b.ByDepth() || b.Min == b.Max {
		r.Bound.Spread = ""
	}
	if p.Strategy != sample.Uniform.String() {
		r.Strategy = p.Strategy
	}
	if p.Alphabet != "ascii" {
		r.Alphabet = p.Alphabet
	}
	if lex.UsesLexer(g) {
		r.Layout = p.Layout
	}
	if o, err := gctx.ParseOptions(p.Names); err == nil {
		if names, err := gctx.New(g, o); err == nil && names != nil {
			r.Names = p.Names
		}
	}
	if p.Swarm != nil {
		r.Swarm = p.Swarm.ref()
	}
	return r
}
