package sample

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"sync"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/marks"
	"github.com/gramfuzz/gramfuzz/internal/splitmix"
	"github.com/gramfuzz/gramfuzz/sample/internal/randombits"
)

// balanced gives every part of the grammar its turn: sentence i has part i modulo their
// number, of a permutation that the seed keys, and is drawn evenly from the
// derivations of its size that have the part. With strength t it gives every t parts in order
// their turn: for the first t-1, which change slowly, it makes a table that serves all
// that can follow.
type balanced struct {
	s     *Sampler
	first *pointing
	turn  []stratum // of the first parts, in their order

	mu   sync.Mutex
	rows []*row // the last ones used, the newest first
}

// row is the strata of some first parts.
type row struct {
	p      *pointing
	strata []stratum
}

// mostRows bounds the rows that are kept: goroutines that draw neighbouring sentences need
// one or two, and strength 3 one more.
const mostRows = 4

// maxStrength bounds Options.Strength.
const maxStrength = 3

func newBalanced(ctx context.Context, s *Sampler) (*balanced, error) {
	if s.o.Strength == 0 {
		s.o.Strength = 1
	}
	if s.o.Strength < 1 || s.o.Strength > maxStrength {
		return nil, fmt.Errorf("strength %d cannot be; it is 1 to %d", s.o.Strength, maxStrength)
	}
	b := &balanced{s: s}
	var err error
	if b.first, err = newPointing(ctx, s, nil); err != nil {
		return nil, err
	}
	b.turn = b.first.strata(marks.Parts(s.g))
	shuffled(b.turn, [2]uint64{s.o.Seed, 0})
	if len(b.turn) == 0 { // nothing is decided: one stratum with all derivations
		b.turn = []stratum{b.first.all()}
	}
	return b, nil
}

// shuffled permutes strata by a key.
func shuffled(list []stratum, key [2]uint64) {
	if len(list) == 0 {
		return
	}
	old := slices.Clone(list)
	p := newPermutation(big.NewInt(int64(len(list))), key)
	for i := range list {
		list[i] = old[p.at(big.NewInt(int64(i))).Int64()]
	}
}

// turns returns how many parts have a turn, and the names of those that no derivation
// within the bound has. Parts inside tokens that are leaves are neither.
func (b *balanced) turns() (n int, without []string) {
	has := map[*grammar.Expr]bool{}
	for _, st := range b.turn {
		has[st.part.Expr] = true
	}
	for _, p := range marks.Parts(b.s.g) {
		if inToken := b.s.o.Measure == grammar.Structure && p.Rule.Kind.Lexical(); !has[p.Expr] && !inToken {
			without = append(without, p.Name)
		}
	}
	return len(b.turn), without
}

// at returns the stratum of sentence i.
func (b *balanced) at(ctx context.Context, i uint64) (*pointing, stratum, error) {
	n := uint64(len(b.turn))
	if b.s.o.Strength == 1 || b.turn[0].part.Expr == nil {
		return b.first, b.turn[i%n], nil
	}
	// Rows without a stratum are left out: the next one stands in.
	for skipped := range n {
		k := i/n + skipped
		chain := marks.Chain{b.turn[k%n].part.Expr}
		r, err := b.row(ctx, chain)
		if err != nil {
			return nil, stratum{}, err
		}
		if b.s.o.Strength == 3 && len(r.strata) > 0 {
			second := splitmix.Mix(b.s.o.Seed+k/n*splitmix.Gamma) ^ splitmix.Mix(k)
			chain = append(chain, r.strata[second%uint64(len(r.strata))].part.Expr)
			if r, err = b.row(ctx, chain); err != nil {
				return nil, stratum{}, err
			}
		}
		if m := uint64(len(r.strata)); m > 0 {
			return r.p, r.strata[i%n%m], nil
		}
	}
	return nil, stratum{}, fmt.Errorf("no sentence within %v has %d parts one after the other; take a larger bound, or less --strength", b.s.o.Bound, b.s.o.Strength)
}

// row returns the row of a chain, which is made where it is not among those kept.
func (b *balanced) row(ctx context.Context, chain marks.Chain) (*row, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	at := slices.IndexFunc(b.rows, func(r *row) bool { return slices.Equal(r.p.chain, chain) })
	if at < 0 {
		p, err := newPointing(ctx, b.s, chain)
		if err != nil {
			return nil, err
		}
		r := &row{p: p, strata: p.strata(marks.Parts(b.s.g))}
		shuffled(r.strata, [2]uint64{b.s.o.Seed, uint64(chain[len(chain)-1].ID) + 1})
		b.rows = append(b.rows, r)
		at = len(b.rows) - 1
	}
	r := b.rows[at]
	b.rows = slices.Insert(slices.Delete(b.rows, at, at+1), 0, r)
	b.rows = b.rows[:min(len(b.rows), mostRows)]
	return r, nil
}

func (b *balanced) source() source {
	m, err := b.s.machine(derive.Options{})
	if err != nil {
		panic(err) // New made one
	}
	return &balancedSource{b: b, m: m}
}

type balancedSource struct {
	b    *balanced
	m    *derive.Machine
	turn *uint64 // the sentence whose turn it is, where that is another than the one drawn
	str  randombits.Stream
	draw pointedDraw

	choices []int
}

// balancedTries bounds the derivations drawn for one sentence. The least share that is
// taken is one over the number of places that a sentence can have a part at.
const balancedTries = 1 << 20

// sameTurn bounds the tries of a sentence whose text the lexer does not read as its
// tokens, in which it stays with its part: there may be no such text with the part.
const sameTurn = 200

// again says that what is drawn next is a further try at sentence i.
func (c *balancedSource) again(i uint64, try int) {
	if c.turn = nil; try < sameTurn {
		c.turn = &i
	}
}

func (c *balancedSource) tree(ctx context.Context, i uint64) (*derive.Tree, error) {
	turn := i
	if c.turn != nil {
		turn = *c.turn
	}
	p, st, err := c.b.at(ctx, turn)
	if err != nil {
		return nil, err
	}
	return c.drawn(ctx, p, st, i)
}

// drawn draws sentence i from a stratum.
func (c *balancedSource) drawn(ctx context.Context, p *pointing, st stratum, i uint64) (*derive.Tree, error) {
	c.str.Reset(c.b.s.o.Seed, i)
	c.draw.p, c.draw.str = p, &c.str
	steps := st.steps
	if c.b.s.o.Spread == Even && len(steps) > 1 {
		at := c.str.Intn(len(steps))
		steps = steps[at : at+1]
	}
	for range balancedTries {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		taken, err := c.draw.try(st, steps)
		if err != nil {
			return nil, err
		}
		if taken {
			c.choices = c.draw.appendChoices(c.choices[:0])
			return c.m.Run(ctx, derive.Strict(c.choices))
		}
	}
	return nil, fmt.Errorf("sentence %d: %d derivations in a row were not taken for %s", i, balancedTries, st.part.Name)
}

func (c *balancedSource) text(ctx context.Context, dst []byte, i uint64) ([]byte, error) {
	t, err := c.tree(ctx, i)
	if err != nil {
		return dst, err
	}
	return t.AppendText(dst), nil
}

func (c *balancedSource) sentence(ctx context.Context, to *Sentence, i uint64) error {
	t, err := c.tree(ctx, i)
	if err == nil {
		to.Set(t, c.b.s.facts, c.b.s.o.Bound.Unit)
	}
	return err
}
