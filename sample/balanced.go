package sample

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"sync"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/marks"
	"github.com/gramfuzz/gramfuzz/internal/splitmix"
	"github.com/gramfuzz/gramfuzz/sample/internal/fastdraw"
)

// balanced gives every part of the grammar its turn: sentence i has part i modulo their
// number, of a permutation that the seed keys, and is drawn evenly from the
// derivations of its size that have the part. With strength t it gives every t parts in order
// their turn: for the first t-1, which change slowly, it makes a table that serves all
// that can follow. That is a row of sentences.
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

// firstOfRow is how many sentences of each row come before whole rows, so that the first
// sentences have parts of all kinds.
const firstOfRow = 10

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
	of, place := i/firstOfRow, i%firstOfRow // the row, and the place in it
	if i >= n*firstOfRow {
		of, place = (i-n*firstOfRow)/n, (i-n*firstOfRow)%n
	}
	// Rows without a stratum are left out: the next one stands in.
	for skipped := range n {
		k := of + skipped
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
			return r.p, r.strata[place%m], nil
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

func (b *balanced) source() source { return &balancedSource{b: b} }

type balancedSource struct {
	b       *balanced
	m       fastdraw.Recording
	pointed pointedDraw
}

// balancedTries bounds the derivations drawn for one sentence. The least share that is
// taken is one over the number of places that a sentence can have a part at.
const balancedTries = 1 << 20

// sameTurn bounds the tries of a sentence whose text the lexer does not read as its
// tokens, in which it stays with its part: there may be no such text with the part.
const sameTurn = 900

// draw appends the text of a sentence to dst, records its choices and depth in m unless
// that is nil, and returns its size, under a bound of depth in terminals.
func (c *balancedSource) draw(ctx context.Context, dst []byte, m *fastdraw.Recording, a attempt) ([]byte, int, error) {
	turn := a.sentence
	if a.try >= sameTurn {
		turn = a.index()
	}
	p, st, err := c.b.at(ctx, turn)
	if err != nil {
		return dst, 0, err
	}
	return c.drawn(ctx, dst, m, p, st, a.index())
}

// drawn draws the sentence of a stream of bits from a stratum.
func (c *balancedSource) drawn(ctx context.Context, dst []byte, m *fastdraw.Recording, p *pointing, st stratum, index uint64) ([]byte, int, error) {
	d := &c.pointed
	d.begin(ctx, p, c.b.s.o.Seed, index)
	steps := st.steps
	if c.b.s.o.Spread == Even && len(steps) > 1 {
		at := d.r.Bits.Intn(len(steps))
		steps = steps[at : at+1]
	}
	for range balancedTries {
		out, taken, err := d.try(dst, m, st, steps)
		if err == nil {
			err = ctx.Err()
		}
		switch {
		case err != nil:
			return dst, 0, err
		case taken && m != nil && p.prog.ByDepth():
			return out, m.Terminals, nil
		case taken:
			return out, d.size, nil
		}
	}
	return dst, 0, fmt.Errorf("%d derivations in a row were not taken for a sentence with %s", balancedTries, st.part.Name)
}

func (c *balancedSource) text(ctx context.Context, dst []byte, a attempt) ([]byte, error) {
	dst, _, err := c.draw(ctx, dst, nil, a)
	return dst, err
}

func (c *balancedSource) sentence(ctx context.Context, to *Sentence, a attempt) error {
	return to.record(ctx, &c.m, a, c.draw)
}
