package sample

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/core"
	"github.com/gramfuzz/gramfuzz/internal/splitmix"
	"github.com/gramfuzz/gramfuzz/sample/internal/randombits"
)

// ErrExhausted says that a [Distinct] has no more derivations.
var ErrExhausted = errors.New("every derivation within the bound has been given")

// Distinct is a stream of all N derivations within a bound, in a random order and none
// twice. It keeps no memory of earlier ones: sentence i is the derivation whose rank a
// keyed permutation of 0 … N-1 has at i.
//
// Under a bound of depth, of one size, or with [ByCount], every sentence is uniform
// over the derivations not given before, as closely as the permutation is random: up
// to a million derivations exactly, given an ideal key. Over a range of sizes with
// [Even] the sizes take turns until they are used up, in a random order each round.
//
// The measure says which derivations differ. With measure structure the texts of
// tokens are drawn as by a [Sampler]; measure exact tells them apart. Layout does not
// count, and is that of [derive.Layout.Lenient].
//
// A Distinct needs exact tables, and so more memory than a Sampler; it fails with
// [count.MemoryError] before making tables that are too large. It is safe for
// concurrent use.
type Distinct struct {
	s      *Sampler
	o      Options
	table  *count.Table
	facts  *grammar.Facts
	layout *derive.Layout
	turns  []turn // ascending by number; one where sizes do not take turns
	pure   bool   // no token has a text to be drawn
	shard  *big.Int
	shards *big.Int
}

// turn is a set of derivations with consecutive ranks that are given in an order
// of their own.
type turn struct {
	first *big.Int // rank
	n     *big.Int
	order permutation
}

// NewDistinct prepares to draw from g. Options.Strategy must be Uniform. Errors are
// those of [New].
func NewDistinct(ctx context.Context, g *grammar.Grammar, o Options) (*Distinct, error) {
	if o.Strategy != Uniform {
		return nil, fmt.Errorf("distinct sentences are drawn uniformly; strategy %v draws with repetition", o.Strategy)
	}
	s, err := newSampler(g, o)
	if err != nil {
		return nil, err
	}
	if o.Bound == (count.Bound{}) {
		s.o.Bound = s.defaultBound()
	}
	if o.MaxBytes == 0 {
		s.o.MaxBytes = DefaultMaxBytes
	}
	b := s.o.Bound
	p, err := count.NewProgram(g, b, s.countOptions())
	if err != nil {
		return nil, err
	}
	if err := s.checkLength(p); err != nil {
		return nil, err
	}
	table, err := count.NewTable(ctx, p, b, s.countOptions())
	if err != nil {
		return nil, err
	}
	if _, err := s.machine(derive.Options{}); err != nil {
		return nil, err
	}
	d := &Distinct{s: s, o: s.o, table: table, facts: s.facts, pure: true, shard: new(big.Int), shards: one}
	layout, err := derive.NewLayout(g, s.o.Layout)
	if err != nil {
		return nil, err
	}
	d.layout = layout.Lenient()
	for i := range p.Nodes {
		d.pure = d.pure && !p.Nodes[i].IsToken()
	}
	d.takeTurns()
	return d, nil
}

// takeTurns divides the derivations into those of each size, or not.
func (d *Distinct) takeTurns() {
	b := d.o.Bound
	if b.ByDepth() || d.o.Spread == ByCount || b.Min == b.Max {
		d.turns = []turn{{new(big.Int), d.table.Total(), newPermutation(d.table.Total(), d.key(0))}}
		return
	}
	first := new(big.Int)
	for n := b.Min; n <= b.Max; n++ {
		if c := d.table.At(n); c.Sign() > 0 {
			d.turns = append(d.turns, turn{new(big.Int).Set(first), c, newPermutation(c, d.key(uint64(n)+1))})
			first.Add(first, c)
		}
	}
	slices.SortStableFunc(d.turns, func(a, b turn) int { return a.n.Cmp(b.n) })
}

func (d *Distinct) key(i uint64) [2]uint64 { return [2]uint64{d.o.Seed, i} }

// Shard returns the part i of k, 0 ≤ i < k: the sentences i, i+k, i+2k, … of d.
// The k shards have nothing in common and together give all of d.
func (d *Distinct) Shard(i, k int) (*Distinct, error) {
	if k < 1 || i < 0 || i >= k {
		return nil, fmt.Errorf("there is no shard %d of %d; they are numbered from 0", i, k)
	}
	s := *d
	s.shard = new(big.Int).Add(d.shard, new(big.Int).Mul(d.shards, big.NewInt(int64(i))))
	s.shards = new(big.Int).Mul(d.shards, big.NewInt(int64(k)))
	return &s, nil
}

// Total returns the number of derivations within the bound, those of all shards.
func (d *Distinct) Total() *big.Int { return new(big.Int).Set(d.table.Total()) }

// Len returns the number of sentences of this shard.
func (d *Distinct) Len() *big.Int {
	n := new(big.Int).Sub(d.table.Total(), d.shard)
	if n.Sign() <= 0 {
		return new(big.Int)
	}
	n.Add(n, d.shards).Sub(n, one)
	return n.Quo(n, d.shards)
}

// Bound returns the bound of the sentences.
func (d *Distinct) Bound() count.Bound { return d.o.Bound }

// Rank returns the rank of sentence i, 0 ≤ i < Len; nil where there is none.
func (d *Distinct) Rank(i *big.Int) *big.Int {
	position := new(big.Int).Mul(i, d.shards)
	position.Add(position, d.shard)
	if i.Sign() < 0 || position.Cmp(d.table.Total()) >= 0 {
		return nil
	}
	t, at := &d.turns[0], position
	if len(d.turns) > 1 {
		t, at = d.turnOf(position)
	}
	rank := t.order.at(at)
	return rank.Add(rank, t.first)
}

// turnOf returns the turn of a position, and the number of its turns before. Rounds
// are alike as long as the same sizes have derivations left, so few steps find the
// round.
func (d *Distinct) turnOf(position *big.Int) (*turn, *big.Int) {
	rest := new(big.Int).Set(position)
	round := new(big.Int) // the first one not counted yet
	for i := range d.turns {
		left := d.turns[i:] // those that have one in this round
		width := big.NewInt(int64(len(left)))
		rounds := new(big.Int).Sub(left[0].n, round)
		if all := new(big.Int).Mul(rounds, width); rest.Cmp(all) >= 0 {
			rest.Sub(rest, all)
			round.Set(left[0].n)
			continue
		}
		full, place := new(big.Int).QuoRem(rest, width, new(big.Int))
		round.Add(round, full)
		order := newShuffle(len(left), [2]uint64{d.o.Seed, splitmix.Mix(lowBits(round)) ^ 0x9fb21c651e98df25})
		return &left[order[place.Int64()]], round
	}
	panic("sample: a position beyond the last derivation")
}

// lowBits returns the low 64 bits of x.
func lowBits(x *big.Int) uint64 {
	var low big.Int
	return low.And(x, maxWord).Uint64()
}

var maxWord = new(big.Int).SetUint64(1<<64 - 1)

// Source returns a new source; all sources of a Distinct give the same sentences.
func (d *Distinct) Source() *DistinctSource {
	return &DistinctSource{d: d, m: d.s.mustMachine(derive.Options{Layout: d.layout}), bare: d.s.mustMachine(derive.Options{})}
}

// DistinctSource draws the sentences of a [Distinct]. It belongs to one goroutine.
type DistinctSource struct {
	d    *Distinct
	m    *derive.Machine
	bare *derive.Machine // puts nothing between tokens
	str  randombits.Stream
	gaps randombits.Stream // of random layout
}

// derivation returns the choices of sentence i but for its layout.
func (c *DistinctSource) derivation(ctx context.Context, i uint64) ([]int, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	rank := c.d.Rank(new(big.Int).SetUint64(i))
	if rank == nil {
		return nil, ErrExhausted
	}
	choices, err := c.d.table.UnrankChoices(rank)
	if err != nil || c.d.pure {
		return choices, err
	}
	least, err := c.bare.Run(ctx, derive.Strict(choices))
	if err != nil {
		return nil, err
	}
	c.str.Reset(c.d.o.Seed, lowBits(rank))
	return c.drawTokens(least), nil
}

// drawTokens returns the choices of a tree with the texts of its tokens drawn
// anew.
func (c *DistinctSource) drawTokens(t *derive.Tree) []int {
	var choices []int
	kept := 0 // up to where the tree's choices are taken over
	for i := 0; i < len(t.Nodes); i++ {
		n := &t.Nodes[i]
		if n.Name || n.Expr.Op != grammar.Ref || !c.d.facts.Leaf(n.Expr) {
			continue
		}
		choices = append(choices, t.Choices()[kept:n.From]...)
		choices = append(choices, c.drawToken((*core.Table)(c.d.table).Program().Token(n.Expr.Rule), len(t.SubText(i)))...)
		kept = n.To
		i = n.End - 1
	}
	return append(choices, t.Choices()[kept:]...)
}

// drawToken draws the text of a token: its length, then one of that length.
// least is the length of its least text there.
func (c *DistinctSource) drawToken(texts *core.Texts, least int) []int {
	length := least
	if b := c.d.o.Bound; b.ByDepth() || b.Unit != grammar.Bytes {
		lengths := texts.Lengths
		if least > lengths[0] { // it must not be empty here
			lengths = lengths[1:]
		}
		length = lengths[c.str.Intn(len(lengths))]
	}
	return texts.Choices(length, c.str.Below(c.str.Next(), texts.Count(length)))
}

// Tree returns the derivation tree of sentence i. The error is [ErrExhausted]
// where there is none.
func (c *DistinctSource) Tree(ctx context.Context, i uint64) (*derive.Tree, error) {
	choices, err := c.derivation(ctx, i)
	if err != nil {
		return nil, err
	}
	c.gaps.Reset(c.d.o.Seed^layoutKey, i)
	given := derive.Strict(choices)
	return c.m.Run(ctx, derive.ChooserFunc(func(d *derive.Decision) (int, error) {
		if d.Kind == derive.Gap {
			return d.Value(c.gaps.Intn(d.N)), nil
		}
		return given.Choose(d)
	}))
}

// Append appends the text of sentence i to dst. The error is [ErrExhausted]
// where there is none.
func (c *DistinctSource) Append(ctx context.Context, dst []byte, i uint64) ([]byte, error) {
	t, err := c.Tree(ctx, i)
	if err != nil {
		return dst, err
	}
	return t.AppendText(dst), nil
}

// Text returns the text of sentence i. The error is [ErrExhausted] where there
// is none.
func (c *DistinctSource) Text(ctx context.Context, i uint64) (string, error) {
	b, err := c.Append(ctx, nil, i)
	return string(b), err
}
