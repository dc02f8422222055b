package campaign

import (
	"bytes"
	"context"
	"errors"
	"math"
	"math/big"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/lexical/lex"
	"github.com/gramfuzz/gramfuzz/internal/records/record"
	"github.com/gramfuzz/gramfuzz/stream"
)

// input is a text to run and its origin.
type input struct {
	text  []byte
	tree  *derive.Tree // the sentence that it was made from; nil: unknown
	seed  uint64       // the seed of the stream
	index uint64       // the number in the stream
	last  bool         // the last of the places that its worker took at once
	from  string       // "schedule", "enumeration", an operator of the guide, "seed", "shrinking"
}

// clone returns a copy to keep.
func (in *input) clone() *input {
	c := *in
	c.text = bytes.Clone(in.text)
	if in.tree != nil {
		c.tree = in.tree.Clone()
	}
	return &c
}

// generators is the number of generators of the stream. The enumeration replaces the blocks of
// the last one.
var generators = uint64(len(stream.DefaultMix()))

// isEnumerated reports whether place i of the stream belongs to the enumeration.
func isEnumerated(i uint64) bool { return i/stream.Block%generators == generators-1 }

// enumSpan bounds the size of enumerated sentences, in terminals above the least. Their numbers
// are exact and take memory, at most enumMemory bytes.
const (
	enumSpan   = 16
	enumMemory = 64 << 20
)

// enumeration is the stream of all sentences of a grammar by size, the smallest first.
type enumeration struct {
	*stream.Stream
	least  int
	counts []*big.Int // of each size, from the least
}

// newEnumeration returns nil, without an error, where sentences cannot be numbered (there are too
// many states of names), and with a bound of depth.
func newEnumeration(ctx context.Context, g *grammar.Grammar, b count.Bound) (*enumeration, error) {
	if b.ByDepth() {
		return nil, nil
	}
	for span := min(enumSpan, b.Max-b.Min); span >= 0; span = span/2 - 1 {
		bound := count.Sizes(b.Min, b.Min+span, b.Unit)
		table, err := count.New(ctx, g, bound, count.Options{MaxMemory: enumMemory})
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		var memory *count.MemoryError
		if errors.As(err, &memory) {
			continue
		}
		if err != nil {
			return nil, nil
		}
		layout, err := derive.NewLayout(g, derive.Tight)
		if err != nil {
			return nil, err
		}
		e := &enumeration{Stream: stream.Ranked(table, layout), least: bound.Min}
		for n := bound.Min; n <= bound.Max; n++ {
			e.counts = append(e.counts, table.At(n))
		}
		return e, nil
	}
	return nil, nil
}

// enumerated returns the number of sentences enumerated before place i of the stream.
func enumerated(i uint64) uint64 {
	round := generators * stream.Block
	in := max(i%round, round-stream.Block) - (round - stream.Block)
	return i/round*stream.Block + in
}

// The origins of the stream's sentences.
const (
	fromSchedule = "schedule"
	fromRank     = "enumeration"
)

// inputs draws the sentences of a campaign: sentence i is a function of the seed and i. It
// belongs to one goroutine.
type inputs struct {
	seed   uint64
	src    stream.Source
	ranked stream.Source // the source of the enumeration
	last   uint64        // the number of enumerated sentences
	text   []byte        // the buffer of a text
}

// inputs returns the inputs of one goroutine.
func (c *Campaign) inputs() *inputs {
	s := &inputs{seed: c.Seed(), src: c.stream.Source()}
	if c.enum != nil {
		s.ranked, s.last = c.enum.Source(), math.MaxUint64
		if c.enum.Len().IsUint64() {
			s.last = c.enum.Len().Uint64()
		}
	}
	return s
}

// source returns the source of sentence i, its name, and the number there.
func (s *inputs) source(i uint64) (src stream.Source, from string, number uint64) {
	if n := enumerated(i); isEnumerated(i) && n < s.last {
		return s.ranked, fromRank, n
	}
	return s.src, fromSchedule, i
}

// at draws sentence i, with its tree if withTree is set; the text of a damaged sentence is not
// its tree's.
func (s *inputs) at(ctx context.Context, i uint64, withTree bool) (in *input, err error) {
	src, from, number := s.source(i)
	in = &input{seed: s.seed, index: i, from: from}
	draw := func() {
		if !withTree {
			s.text, err = src.Append(ctx, s.text[:0], number)
			return
		}
		s.text, in.tree, err = stream.Draw(ctx, src, s.text[:0], number)
		if err == nil {
			in.tree = in.tree.Clone() // the source overwrites its own
		}
	}
	draw()
	if errors.As(err, new(*lex.JoinError)) { // a derivation without a text
		src, in.from, number = s.src, fromSchedule, i
		draw()
	}
	in.text = bytes.Clone(s.text)
	return in, err
}

// addTree derives the tree of an input of the stream if it has none.
func (s *inputs) addTree(ctx context.Context, in *input) (err error) {
	if in.tree != nil || in.from != fromSchedule && in.from != fromRank {
		return nil
	}
	src, from, number := s.source(in.index)
	if from != in.from { // its rank had no text
		src, number = s.src, in.index
	}
	in.tree, err = src.Tree(ctx, number)
	return err
}

// record makes the record of an input.
func (c *Campaign) record(in *input) *derive.Record {
	rec := record.New(c.o.Version, c.o.Grammar, c.stream.Bound(), grammar.Structure)
	rec.Strategy, rec.Alphabet, rec.Seed, rec.Index = in.from, c.o.Alphabet, in.seed, in.index
	if c.layout != nil {
		rec.Layout = derive.Tight.String()
	}
	if in.tree == nil {
		rec.Text = in.text
		return &rec
	}
	record.SetTree(&rec, in.tree, c.facts)
	record.SetText(&rec, in.text)
	return &rec
}
