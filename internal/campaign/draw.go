package campaign

import (
	"bytes"
	"context"
	"errors"
	"math/big"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/core"
	"github.com/gramfuzz/gramfuzz/internal/record"
	"github.com/gramfuzz/gramfuzz/internal/scope"
	"github.com/gramfuzz/gramfuzz/stream"
)

// input is a text to run and its origin.
type input struct {
	text  []byte
	tree  *derive.Tree // of the sentence that it was made from; nil: not known
	seed  uint64       // of the stream
	index uint64       // in the stream
	from  string       // "schedule", "enumeration", the guide's operators, "seed", "shrinking"
}

// clone returns a copy that is kept.
func (in *input) clone() *input {
	c := *in
	c.text = bytes.Clone(in.text)
	return &c
}

// generators is the number of generators of the stream. The blocks of the last one are
// given to the enumeration.
var generators = uint64(len(stream.DefaultMix()))

// isEnumerated reports whether place i of the stream belongs to the enumeration.
func isEnumerated(i uint64) bool { return i/stream.Block%generators == generators-1 }

// enumSpan bounds the size of enumerated sentences, in terminals more than the least.
// Their numbers are exact and take memory, at most enumMemory bytes.
const (
	enumSpan   = 16
	enumMemory = 64 << 20
)

// enumeration numbers the sentences of a grammar by size.
type enumeration struct {
	table  *count.Table
	layout *derive.Layout // nil: nothing stands between tokens
	least  int
	counts []*big.Int // of each size from the least
	total  *big.Int
}

// newEnumeration returns nil, without an error, where sentences cannot be numbered
// (there are too many states of names) or are not to be: with a bound of depth.
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
		e := &enumeration{table: table, least: bound.Min, total: table.Total()}
		for n := bound.Min; n <= bound.Max; n++ {
			e.counts = append(e.counts, table.At(n))
		}
		layout, err := derive.NewLayout(g, derive.Tight)
		e.layout = layout.Lenient()
		return e, err
	}
	return nil, nil
}

// unranker makes the sentences of an enumeration on one goroutine.
type unranker struct {
	*enumeration
	machine *derive.Machine
}

// unranker returns a new one; nil where nothing is enumerated.
func (e *enumeration) unranker() (*unranker, error) {
	if e == nil {
		return nil, nil
	}
	p := (*core.Table)(e.table).Program()
	m, err := scope.Machine(p.Grammar, scope.NamesOf(p), derive.Options{Facts: p.Facts})
	return &unranker{e, m}, err
}

// tree returns the sentence of a rank, nil where there is none. The next one
// overwrites it.
func (u *unranker) tree(ctx context.Context, rank uint64) (*derive.Tree, error) {
	r := new(big.Int).SetUint64(rank)
	if r.Cmp(u.total) >= 0 {
		return nil, nil
	}
	choices, err := u.table.UnrankChoices(r)
	if err != nil {
		return nil, err
	}
	t, err := u.machine.Draft(ctx, derive.Strict(choices))
	if err != nil || u.layout == nil {
		return t, err
	}
	return u.layout.Tree(t, nil)
}

// enumerated returns how many sentences are enumerated before place i of the
// stream.
func enumerated(i uint64) uint64 {
	round := generators * stream.Block
	in := max(i%round, round-stream.Block) - (round - stream.Block)
	return i/round*stream.Block + in
}

// fromRank is where the sentences that are enumerated come from.
const fromRank = "enumeration"

// inputs are the sentences of a campaign: sentence i is a function of the seed and
// i. They belong to one goroutine.
type inputs struct {
	seed uint64
	src  stream.Source
	enum *unranker // nil: nothing is enumerated
}

// at makes in, whose text is overwritten, sentence i. Its tree is made where
// withTree says so; the text of a damaged sentence is not its tree's.
func (s *inputs) at(ctx context.Context, i uint64, withTree bool, in *input) error {
	*in = input{text: in.text[:0], seed: s.seed, index: i, from: "schedule"}
	if s.enum != nil && isEnumerated(i) {
		t, err := s.enum.tree(ctx, enumerated(i))
		if err != nil {
			return err
		}
		if t != nil {
			in.text, in.from = t.AppendText(in.text), fromRank
			if withTree {
				in.tree = t.Clone()
			}
			return nil
		}
	}
	var err error
	if !withTree {
		in.text, err = s.src.Append(ctx, in.text, i)
		return err
	}
	if in.text, in.tree, err = stream.Draw(ctx, s.src, in.text, i); err == nil {
		in.tree = in.tree.Clone() // the source overwrites its own
	}
	return err
}

// addTree derives the tree of an input of the stream if it has none.
func (s *inputs) addTree(ctx context.Context, in *input) error {
	var err error
	switch {
	case in.tree != nil:
	case in.from == "schedule":
		in.tree, err = s.src.Tree(ctx, in.index)
	case in.from == fromRank:
		if in.tree, err = s.enum.tree(ctx, enumerated(in.index)); err == nil {
			in.tree = in.tree.Clone()
		}
	}
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
