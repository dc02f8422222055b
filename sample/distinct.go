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
	"github.com/gramfuzz/gramfuzz/internal/base/permutation"
	"github.com/gramfuzz/gramfuzz/internal/base/random"
	"github.com/gramfuzz/gramfuzz/internal/core"
	"github.com/gramfuzz/gramfuzz/sample/internal/randombits"
)

// ErrExhausted is the error of a sentence beyond the last one of a [Sampler] with
// [Options].Distinct.
var ErrExhausted = errors.New("every derivation within the bound has been given")

// distinct enumerates the derivations within a bound in a random order without repetition. It
// does not remember earlier ones: sentence i is the derivation whose rank is the image of i
// under a keyed permutation of 0 … N-1.
type distinct struct {
	s     *Sampler
	table *count.Table
	turns []turn // ascending by number; one if sizes do not take turns
	pure  bool   // no token texts to draw
}

// turn is a set of derivations with consecutive ranks that has its own order.
type turn struct {
	first *big.Int // rank
	n     *big.Int
	order permutation.Permutation
}

func newDistinct(ctx context.Context, s *Sampler) (*distinct, error) {
	if s.o.Strategy != Uniform {
		return nil, fmt.Errorf("distinct sentences are drawn uniformly; strategy %v draws with repetition", s.o.Strategy)
	}
	b := s.o.Bound
	p, err := count.NewProgram(s.g, b, s.countOptions())
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
	d := &distinct{s: s, table: table, pure: true}
	for i := range p.Nodes {
		d.pure = d.pure && !p.Nodes[i].IsToken()
	}
	d.takeTurns()
	return d, nil
}

// Len returns the number of sentences, or nil without [Options].Distinct, where there is no
// end.
func (s *Sampler) Len() *big.Int {
	if s.distinct == nil {
		return nil
	}
	return new(big.Int).Set(s.distinct.table.Total())
}

// Rank returns the rank of sentence i, or nil if there is no such sentence or without
// [Options].Distinct.
func (s *Sampler) Rank(i uint64) *big.Int {
	if s.distinct == nil {
		return nil
	}
	position := new(big.Int).SetUint64(i)
	if position.Cmp(s.distinct.table.Total()) >= 0 {
		return nil
	}
	return s.distinct.rank(position)
}

// takeTurns makes one turn for each size, or one for all derivations.
func (d *distinct) takeTurns() {
	b := d.s.o.Bound
	if b.ByDepth() || d.s.o.Spread == ByCount || b.Min == b.Max {
		d.turns = []turn{{new(big.Int), d.table.Total(), permutation.New(d.table.Total(), d.key(0))}}
		return
	}
	first := new(big.Int)
	for n := b.Min; n <= b.Max; n++ {
		if c := d.table.At(n); c.Sign() > 0 {
			d.turns = append(d.turns, turn{new(big.Int).Set(first), c, permutation.New(c, d.key(uint64(n)+1))})
			first.Add(first, c)
		}
	}
	slices.SortStableFunc(d.turns, func(a, b turn) int { return a.n.Cmp(b.n) })
}

func (d *distinct) key(i uint64) [2]uint64 { return [2]uint64{d.s.o.Seed, i} }

// rank returns the rank of the sentence at a position below the total.
func (d *distinct) rank(position *big.Int) *big.Int {
	t, at := &d.turns[0], position
	if len(d.turns) > 1 {
		t, at = d.turnOf(position)
	}
	rank := t.order.At(at)
	return rank.Add(rank, t.first)
}

// turnOf returns the turn of a position, and the number of positions of that turn before it.
// Rounds are alike as long as the same sizes have derivations left, so the search takes few
// steps.
func (d *distinct) turnOf(position *big.Int) (*turn, *big.Int) {
	rest := new(big.Int).Set(position)
	round := new(big.Int) // the first round not counted yet
	for i := range d.turns {
		left := d.turns[i:] // those with a derivation in this round
		width := big.NewInt(int64(len(left)))
		rounds := new(big.Int).Sub(left[0].n, round)
		if all := new(big.Int).Mul(rounds, width); rest.Cmp(all) >= 0 {
			rest.Sub(rest, all)
			round.Set(left[0].n)
			continue
		}
		full, place := new(big.Int).QuoRem(rest, width, new(big.Int))
		round.Add(round, full)
		order := permutation.NewShuffle(len(left), [2]uint64{d.s.o.Seed, random.Mix(lowBits(round)) ^ 0x9fb21c651e98df25})
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

func (d *distinct) source() source {
	return &derived{d.s, (&distinctSource{d: d, m: d.s.mustMachine(derive.Options{})}).tree}
}

type distinctSource struct {
	d   *distinct
	m   *derive.Machine
	str randombits.Stream
}

func (c *distinctSource) tree(ctx context.Context, a attempt) (*derive.Tree, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	rank := c.d.s.Rank(a.index())
	if rank == nil {
		return nil, ErrExhausted
	}
	choices, err := c.d.table.UnrankChoices(rank)
	if err != nil {
		return nil, err
	}
	t, err := c.m.Run(ctx, derive.Strict(choices))
	if err != nil || c.d.pure {
		return t, err
	}
	c.str.Reset(c.d.s.o.Seed, lowBits(rank))
	return c.m.Run(ctx, derive.Strict(c.drawTokens(t)))
}

// drawTokens returns the choices of a tree with the texts of its tokens redrawn.
func (c *distinctSource) drawTokens(t *derive.Tree) []int {
	var choices []int
	kept := 0 // the tree's choices are copied up to here
	for i := 0; i < len(t.Nodes()); i++ {
		n := &t.Nodes()[i]
		if n.Name || n.Expr.Op != grammar.Ref || !c.d.s.facts.Leaf(n.Expr) {
			continue
		}
		choices = append(choices, t.Choices()[kept:n.From]...)
		choices = append(choices, c.drawToken((*core.Table)(c.d.table).Program().Token(n.Expr.Rule), len(t.SubText(i)))...)
		kept = n.To
		i = n.End - 1
	}
	return append(choices, t.Choices()[kept:]...)
}

// drawToken draws the text of a token: first its length, then a text of that length. least is
// the length of its shortest text there.
func (c *distinctSource) drawToken(texts *core.Texts, least int) []int {
	lengths := texts.Lengths()
	length := max(least, lengths[0]) // tokens that begin and end blocks count as a byte, but have no text
	if b := c.d.s.o.Bound; b.ByDepth() || b.Unit != grammar.Bytes {
		if least > lengths[0] { // it must not be empty here
			lengths = lengths[1:]
		}
		length = lengths[c.str.Intn(len(lengths))]
	}
	return texts.Choices(length, c.str.Below(c.str.Next(), texts.Count(length)))
}
