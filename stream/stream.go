package stream

import (
	"context"
	"fmt"
	"math/big"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/sample"
)

// Source makes the sentences of a stream on one goroutine. Sentence i is a function of the stream
// and i alone, for every source and in any order. After the last sentence the error is
// [sample.ErrExhausted].
type Source interface {
	// Append appends the text of sentence i to dst.
	Append(ctx context.Context, dst []byte, i uint64) ([]byte, error)

	// Tree returns the derivation tree of sentence i. The text of a damaged sentence
	// is not the tree's.
	Tree(ctx context.Context, i uint64) (*derive.Tree, error)
}

// source is a Source with the further methods that records and tests need. All sources of this
// package have them; [New] adds them to others.
type source interface {
	Source

	// Sentence makes *to sentence i.
	Sentence(ctx context.Context, to *sample.Sentence, i uint64) error

	// Draw is Append and Tree at once. The next sentence overwrites the tree.
	Draw(ctx context.Context, dst []byte, i uint64) ([]byte, *derive.Tree, error)

	// Place tells the origin of sentence i.
	Place(ctx context.Context, i uint64) (Place, error)
}

// Place is the origin of a sentence.
type Place struct {
	// Index is the sentence's number in the stream that the [Plan] of its record opens: the
	// number before sharding and before repeats were left out.
	Index  uint64
	Config string   // the name of its swarm configuration; "" without a swarm
	Rank   *big.Int // nil where it is not known

	Damaged bool // the text may have been changed after it was derived
}

// Stream is a numbered stream of sentences of one grammar. It is immutable and safe for
// concurrent use; each goroutine takes a [Source] of its own, and all sources of a
// stream make the same sentences. Methods that change a stream return a new one.
type Stream struct {
	open   func() source
	bound  count.Bound
	len    *big.Int       // nil: endless, or not known
	facts  *grammar.Facts // for the depth and size of sentences
	origin derive.Record  // the common part of all records
	notes  []string
}

// New returns the stream of another generator, for g and within the bound. open is called for
// each goroutine. len is the number of sentences; nil where there is no end or the number is not
// known. Sizes count a token as one terminal.
func New(g *grammar.Grammar, b count.Bound, len *big.Int, open func() Source) *Stream {
	s := &Stream{bound: b, len: len, facts: g.Facts(nil, grammar.Structure)}
	s.open = func() source { return &completed{Source: open(), facts: s.facts, unit: b.Unit} }
	return s
}

// Source returns a new source.
func (s *Stream) Source() Source { return s.open() }

// Bound returns the bound of the sentences.
func (s *Stream) Bound() count.Bound { return s.bound }

// Len returns the number of sentences; nil where there is no end or the number is not
// known.
func (s *Stream) Len() *big.Int { return s.len }

// Notes returns remarks for people: why walks replace the requested strategy, how
// many trees a text costs, which paths no sentence takes. Each is one line without a
// full stop.
func (s *Stream) Notes() []string { return s.notes }

// with returns the stream with other sources.
func (s *Stream) with(open func() source) *Stream {
	c := *s
	c.open = open
	return &c
}

func (s *Stream) note(format string, a ...any) {
	s.notes = append(s.notes[:len(s.notes):len(s.notes)], fmt.Sprintf(format, a...))
}

// Sample returns a stream of package sample. Errors are those of [sample.New].
func Sample(ctx context.Context, g *grammar.Grammar, o sample.Options) (*Stream, error) {
	drawn, err := sample.New(ctx, g, o)
	if err != nil {
		return nil, err
	}
	s := &Stream{bound: drawn.Bound(), len: drawn.Len(), facts: g.Facts(o.Mask, o.Measure)}
	s.open = func() source { return sampled{drawn.Source(), drawn} }
	if why := drawn.Uncertified(); why != nil {
		s.note("walks are drawn instead: %v", why)
	}
	return s, nil
}

// sampled is a source of package sample.
type sampled struct {
	*sample.Source
	s *sample.Sampler
}

func (c sampled) Draw(ctx context.Context, dst []byte, i uint64) ([]byte, *derive.Tree, error) {
	return drawTree(ctx, c, dst, i)
}

func (c sampled) Place(_ context.Context, i uint64) (Place, error) {
	return Place{Index: i, Rank: c.s.Rank(i)}, nil
}

// drawTree draws a sentence with the text of its tree.
func drawTree(ctx context.Context, src Source, dst []byte, i uint64) ([]byte, *derive.Tree, error) {
	t, err := src.Tree(ctx, i)
	if err != nil {
		return dst, nil, err
	}
	return t.AppendText(dst), t, nil
}

// Draw is a source's Append and Tree at once: the sentence is drawn once.
// The next sentence overwrites the tree.
func Draw(ctx context.Context, src Source, dst []byte, i uint64) ([]byte, *derive.Tree, error) {
	if d, ok := src.(interface {
		Draw(context.Context, []byte, uint64) ([]byte, *derive.Tree, error)
	}); ok {
		return d.Draw(ctx, dst, i)
	}
	dst, err := src.Append(ctx, dst, i)
	if err != nil {
		return dst, nil, err
	}
	t, err := src.Tree(ctx, i)
	return dst, t, err
}

// PlaceOf tells the origin of sentence i of a source. Only its number is known if the source has
// no method Place; the sources of this package have one.
func PlaceOf(ctx context.Context, src Source, i uint64) (Place, error) {
	if s, ok := src.(interface {
		Place(context.Context, uint64) (Place, error)
	}); ok {
		return s.Place(ctx, i)
	}
	return Place{Index: i}, nil
}

// completed makes the rest of a source from its trees.
type completed struct {
	Source
	facts *grammar.Facts
	unit  grammar.Unit
}

func (c *completed) Sentence(ctx context.Context, to *sample.Sentence, i uint64) error {
	t, err := c.Tree(ctx, i)
	if err == nil {
		to.Set(t, c.facts, c.unit)
	}
	return err
}

func (c *completed) Draw(ctx context.Context, dst []byte, i uint64) ([]byte, *derive.Tree, error) {
	return Draw(ctx, c.Source, dst, i)
}

func (c *completed) Place(ctx context.Context, i uint64) (Place, error) {
	return PlaceOf(ctx, c.Source, i)
}

// list is a stream of finished trees.
type list []*derive.Tree

func (l list) Tree(_ context.Context, i uint64) (*derive.Tree, error) {
	if i >= uint64(len(l)) {
		return nil, sample.ErrExhausted
	}
	return l[i], nil
}

func (l list) Append(ctx context.Context, dst []byte, i uint64) ([]byte, error) {
	t, err := l.Tree(ctx, i)
	if err != nil {
		return dst, err
	}
	return t.AppendText(dst), nil
}
