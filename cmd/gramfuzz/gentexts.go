package main

import (
	"context"
	"math"
	"math/big"

	gctx "github.com/gramfuzz/gramfuzz/context"
	"github.com/gramfuzz/gramfuzz/coverage"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/parse"
	"github.com/gramfuzz/gramfuzz/sample"
	"github.com/gramfuzz/gramfuzz/texts"
)

// overFlags choose between drawing trees, drawing distinct texts, and a set of
// sentences that covers the grammar.
type overFlags struct {
	over  string
	tries int
	kpath int
}

func (o *overFlags) add(f *flags) {
	f.StringVar(&o.over, "over", "trees", "trees: each derivation equally likely; texts: each distinct text")
	f.addTries(&o.tries)
	f.IntVar(&o.kpath, "kpath", 0, "make a small set of sentences that reaches every path of `K` symbols, instead of drawing")
}

// check refuses flags that do not go together, and sets those that follow.
func (o *overFlags) check(gf *genFlags) error {
	f := gf.f
	if f.Changed("kpath") {
		for _, other := range []string{"over", "number", "depth", "size", "strategy", "time", "distinct", "shard", "swarm"} {
			if f.Changed(other) {
				return f.wrong("--kpath makes a fixed set of sentences; leave --%s out", other)
			}
		}
		if o.kpath < 1 {
			return f.wrong("--kpath %d is no length; it begins with 1", o.kpath)
		}
		gf.n = math.MaxUint64
		return nil
	}
	switch {
	case o.over == "trees" && f.Changed("tries"):
		return f.wrong("--tries goes with --over texts")
	case o.over == "trees":
		return nil
	case f.Changed("tries") && o.tries < 1:
		return f.wrong("--tries %d cannot be; it begins with 1", o.tries)
	case o.over != "texts":
		return f.wrong("--over %s cannot be; it is trees or texts", o.over)
	case f.Changed("strategy") && gf.strategy != sample.Uniform.String():
		return f.wrong("--over texts makes texts equally likely; leave --strategy %s out", gf.strategy)
	case f.Changed("measure") && gf.b.measure != grammar.Exact.String():
		return f.wrong("--over texts counts texts, those of tokens too; leave --measure out")
	case f.Changed("spread") && gf.spread != "count":
		return f.wrong("--over texts makes all texts of a range equally likely; leave --spread out")
	case !f.Changed("depth") && !f.Changed("size"):
		return f.wrong("--over texts needs a bound; give --depth D or --size N")
	}
	gf.b.measure = grammar.Exact.String()
	if f.Changed("size") {
		gf.spread = "count"
	}
	return nil
}

// costTries is the number of trees that the cost of a text is estimated from.
const costTries = 500

// texts turns a stream of trees into one of distinct texts. It reports a high cost
// of a text, and refuses a hopeless one.
func (o *overFlags) texts(ctx context.Context, gf *genFlags, g *grammar.Grammar, s *stream, facts *grammar.Facts) error {
	p, err := parse.New(ctx, g, parse.Options{})
	if err != nil {
		return err
	}
	no, err := gf.b.namesOptions()
	if err != nil {
		return err
	}
	names, err := gctx.New(g, no)
	if err != nil {
		return err
	}
	trees := s.source
	if s.block != nil {
		return o.swarmTexts(ctx, gf, s, p, names)
	}
	within := parse.Within{Bound: s.bound, Facts: facts, Names: names}
	if gf.distinct {
		// No tree comes twice, so no text does; which is text i is known only
		// when all before it are.
		gf.jobs = 1
		d := texts.NewDistinct(p, trees(), s.len, within)
		d.MaxTries = o.tries
		kept, err := d.Estimate(ctx, costTries)
		s.source, s.len, s.rank = func() drawer { return d }, nil, nil
		return o.tellCost(gf.f, kept, err)
	}
	source := func() *texts.Stream {
		t := texts.New(p.Clone(), trees(), within)
		t.MaxTries = o.tries
		return t
	}
	kept, err := source().Estimate(ctx, costTries)
	s.source = func() drawer { return source() }
	return o.tellCost(gf.f, kept, err)
}

// swarmTexts does so for a stream from many configurations: within each
// configuration all its texts are equally likely.
func (o *overFlags) swarmTexts(ctx context.Context, gf *genFlags, s *stream, p *parse.Parser, names *gctx.Names) error {
	source := func() *swarmTexts {
		return &swarmTexts{stream: *s, p: p.Clone(), names: names, tries: o.tries}
	}
	first, err := source().at(ctx, 0)
	if err != nil {
		return err
	}
	kept, err := first.Estimate(ctx, costTries)
	s.source = func() drawer { return source() }
	return o.tellCost(gf.f, kept, err)
}

// swarmTexts draws texts from the configuration of each sentence.
type swarmTexts struct {
	stream stream
	p      *parse.Parser
	names  *gctx.Names
	tries  int

	from  *sample.Sampler // of the last sentence
	texts *texts.Stream
}

func (t *swarmTexts) at(ctx context.Context, index uint64) (*texts.Stream, error) {
	mask, sampler, err := t.stream.block(ctx, index)
	if err != nil {
		return nil, err
	}
	if sampler != t.from {
		t.from = sampler
		w := parse.Within{Bound: t.stream.bound, Facts: t.p.Grammar().Facts(mask, grammar.Exact), Names: t.names}
		t.texts = texts.New(t.p, sampler.Source(), w)
		t.texts.MaxTries = t.tries
	}
	return t.texts, nil
}

func (t *swarmTexts) Tree(ctx context.Context, i uint64) (*derive.Tree, error) {
	index := t.stream.index(i)
	texts, err := t.at(ctx, index)
	if err != nil {
		return nil, err
	}
	return texts.Tree(ctx, index)
}

func (t *swarmTexts) Append(ctx context.Context, dst []byte, i uint64) ([]byte, error) {
	tree, err := t.Tree(ctx, i)
	if err != nil {
		return dst, err
	}
	return tree.AppendText(dst), nil
}

// tellCost reports the cost of a text if it is high.
func (o *overFlags) tellCost(f *flags, kept float64, err error) error {
	switch {
	case err != nil:
		return err
	case kept < 0.5:
		f.note("a text takes about %.0f trees: the grammar is ambiguous", math.Ceil(1/kept))
	}
	return nil
}

// cover replaces the stream by the sentences that cover all paths.
func (o *overFlags) cover(ctx context.Context, gf *genFlags, g *grammar.Grammar, s *stream) error {
	f := gf.f
	layout, err := parseLayout(gf.layout)
	if err != nil {
		return err
	}
	res, err := coverage.Cover(ctx, g, o.kpath, coverage.Options{Layout: layout})
	if err != nil {
		return err
	}
	f.note("%s for %s of length %d", plural(len(res.Trees), "sentence"), plural(res.Paths-len(res.Missed), "path"), o.kpath)
	for _, path := range res.Missed {
		f.note("no sentence was found for the path %s", path)
	}
	s.source, s.len = func() drawer { return made(res.Trees) }, big.NewInt(int64(len(res.Trees)))
	return nil
}

// made is a stream of finished sentences.
type made []*derive.Tree

func (m made) Tree(_ context.Context, i uint64) (*derive.Tree, error) { return m[i], nil }

func (m made) Append(_ context.Context, dst []byte, i uint64) ([]byte, error) {
	return m[i].AppendText(dst), nil
}
