package sample

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"sync"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/base/permutation"
	"github.com/gramfuzz/gramfuzz/internal/base/random"
	"github.com/gramfuzz/gramfuzz/internal/core/marks"
	"github.com/gramfuzz/gramfuzz/sample/internal/fastdraw"
)

// balanced gives every part of the grammar its turn. Sentence i has part i modulo the number
// of parts, in a permutation keyed by the seed. It is drawn uniformly from the derivations of
// its size that have the part. With strength t, every ordered combination of t parts has its
// turn. For the first t-1 parts, which change slowly, balanced makes a table that serves all
// possible last parts; the sentences of one such table are a row.
type balanced struct {
	s     *Sampler
	first *pointing
	turn  []stratum // strata of the first parts, in order
	start []uint64  // strength 2 and more, by first part: the first sentence of its row; then the end of all
	share []uint64  // strength 2 and more, by kind of part: its share, see seldom

	mu   sync.Mutex
	rows []*row // recently used, newest first
}

// row is the strata of some first parts. Each of its first sentences has a part that no
// earlier sentence of the row has, so that few sentences cover many pairs.
type row struct {
	p      *pointing
	strata []stratum

	mu    sync.Mutex
	start []int  // the strata of the first sentences
	drawn int    // number of these drawn: all, or all but the last
	had   []bool // by kind of part: one of these has it
	src   *balancedSource
}

// assignment is the stratum that a sentence is drawn from.
type assignment struct {
	p       *pointing
	stratum stratum

	row   *row   // the row whose first sentences include this one; nil: none
	place uint64 // index among them
}

// The last leastRows rows are always kept: goroutines that draw neighbouring sentences need
// one or two, and strength 3 one more. Others are kept while all together have at most
// rowCells numbers of 16 bytes, so that small grammars do not rebuild their tables repeatedly.
const (
	leastRows = 4
	rowCells  = 1 << 21
)

// firstOfRow is the average number of first sentences of a row. Those of all rows come before
// whole rows, so that the first sentences have parts of all kinds.
const firstOfRow = 10

// seldom holds bounds on the mean number of places of a part in a plain derivation. For each
// bound that its mean is below, a part has twice the share: twice as many sentences at the
// start of its row, and twice the chance to be an early second part in other rows, because it
// is rarer in other sentences. The bounds are not ratios of small numbers, so comparisons with
// rounded numbers come out alike on every machine.
var seldom = []float64{0.0917, 0.2113, 0.4127, 0.8131}

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
	if len(b.turn) == 0 { // no part: one stratum with all derivations
		b.turn = []stratum{b.first.all()}
	}
	return b, b.findStarts(ctx)
}

// findStarts computes the number of first sentences of each row.
func (b *balanced) findStarts(ctx context.Context) error {
	if b.s.o.Strength == 1 || b.turn[0].part.Expr == nil {
		return nil
	}
	d := (&balancedSource{b: b}).pointed
	d.begin(ctx, b.first, b.s.o.Seed, 0)
	n, all := uint64(len(b.turn)), uint64(0)
	b.share = make([]uint64, b.first.kinds+1)
	for _, st := range b.turn {
		at, err := d.marked(st, len(st.steps)/2)
		if err != nil {
			return err
		}
		share := uint64(1)
		for _, bound := range seldom {
			if at.mean < bound {
				share *= 2
			}
		}
		b.share[st.kind] = share
		all += share
	}
	b.start = make([]uint64, n+1)
	for k, st := range b.turn {
		b.start[k+1] = b.start[k] + min(n, 1+(firstOfRow-1)*n*b.share[st.kind]/all)
	}
	return nil
}

// shuffled permutes strata by a key.
func shuffled(list []stratum, key [2]uint64) {
	if len(list) == 0 {
		return
	}
	old := slices.Clone(list)
	p := permutation.New(big.NewInt(int64(len(list))), key)
	for i := range list {
		list[i] = old[p.At(big.NewInt(int64(i))).Int64()]
	}
}

// ordered returns the strata of a row in a random order, in which those of a larger share tend to
// come earlier.
func (b *balanced) ordered(strata []stratum, key [2]uint64) []stratum {
	var tickets []stratum // each stratum as often as its share; the first of these counts
	for _, st := range strata {
		for range b.share[st.kind] {
			tickets = append(tickets, st)
		}
	}
	shuffled(tickets, key)
	list, taken := strata[:0], make([]bool, len(b.share))
	for _, st := range tickets {
		if !taken[st.kind] {
			taken[st.kind] = true
			list = append(list, st)
		}
	}
	return list
}

// turns returns the number of parts that have a turn, and the names of the parts that no
// derivation within the bound has. Parts inside tokens that are leaves are not counted in
// either.
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

// at returns the assignment of sentence i.
func (b *balanced) at(ctx context.Context, i uint64) (assignment, error) {
	n := uint64(len(b.turn))
	if b.s.o.Strength == 1 || b.turn[0].part.Expr == nil {
		return assignment{p: b.first, stratum: b.turn[i%n]}, nil
	}
	var of, place uint64 // the row, and the index in it
	starts := i < b.start[n]
	if starts {
		after, _ := slices.BinarySearch(b.start, i+1)
		of = uint64(after) - 1
		place = i - b.start[of]
	} else {
		of, place = (i-b.start[n])/n, (i-b.start[n])%n
	}
	// Rows without a stratum are skipped: the next row takes their sentences, at further
	// indices.
	for skipped := range n {
		k := (of + skipped) % n
		r, err := b.rowOf(ctx, of/n, k)
		if err != nil {
			return assignment{}, err
		}
		m := uint64(len(r.strata))
		switch {
		case m > 0 && starts:
			st, err := b.unseen(ctx, r, place, func(place uint64) uint64 { return b.number(k, place) })
			return assignment{r.p, st, r, place}, err
		case m > 0:
			return assignment{p: r.p, stratum: r.strata[place%m]}, nil
		case starts:
			place += b.begins((k + 1) % n)
		}
	}
	return assignment{}, fmt.Errorf("no sentence within %v has %d parts one after the other; take a larger bound, or less --strength", b.s.o.Bound, b.s.o.Strength)
}

// begins returns the number of first sentences of row k.
func (b *balanced) begins(k uint64) uint64 { return b.start[k+1] - b.start[k] }

// number returns the number of the sentence at an index among the first of row k. The row's
// own sentences are followed by those of the skipped rows before it.
func (b *balanced) number(k, place uint64) uint64 {
	for place >= b.begins(k) {
		place -= b.begins(k)
		k = (k + uint64(len(b.turn)) - 1) % uint64(len(b.turn))
	}
	return b.start[k] + place
}

// rowOf returns row k of a cycle through the first parts.
func (b *balanced) rowOf(ctx context.Context, cycle, k uint64) (*row, error) {
	chain := marks.Chain{b.turn[k].part.Expr}
	r, err := b.row(ctx, chain)
	if b.s.o.Strength < 3 || err != nil || len(r.strata) == 0 {
		return r, err
	}
	second := random.Mix(b.s.o.Seed+cycle*random.Gamma) ^ random.Mix(k)
	return b.row(ctx, append(chain, r.strata[second%uint64(len(r.strata))].part.Expr))
}

// unseen returns the stratum of the sentence at an index among the first of a row: the first
// stratum whose part no earlier one of these sentences has. number gives the sentences'
// numbers; sentences not drawn yet are drawn. When all parts were seen, the strata take turns.
func (b *balanced) unseen(ctx context.Context, r *row, place uint64, number func(place uint64) uint64) (stratum, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for uint64(len(r.start)) <= place {
		if last := len(r.start) - 1; r.drawn == last {
			t := assignment{p: r.p, stratum: r.strata[r.start[last]]}
			if _, _, err := r.src.drawn(ctx, nil, nil, t, number(uint64(last))); err != nil {
				return stratum{}, err
			}
			r.learn(last, r.src.pointed.r.Counts)
		}
		next := slices.IndexFunc(r.strata, func(st stratum) bool { return !r.had[st.kind] })
		if next < 0 {
			return r.strata[place%uint64(len(r.strata))], nil
		}
		r.start = append(r.start, next)
	}
	return r.strata[r.start[place]], nil
}

// learn records the parts of the sentence at an index, once.
func (r *row) learn(place int, counts []int32) {
	if r.drawn != place || place >= len(r.start) {
		return
	}
	r.drawn++
	for kind, n := range counts {
		r.had[kind] = r.had[kind] || n > 0
	}
}

// row returns the row of a chain from the cache, or makes it.
func (b *balanced) row(ctx context.Context, chain marks.Chain) (*row, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	at := slices.IndexFunc(b.rows, func(r *row) bool { return slices.Equal(r.p.chain, chain) })
	if at < 0 {
		p, err := newPointing(ctx, b.s, chain)
		if err != nil {
			return nil, err
		}
		r := &row{p: p, had: make([]bool, p.kinds+1), src: &balancedSource{b: b}}
		r.strata = b.ordered(p.strata(marks.Parts(b.s.g)), [2]uint64{b.s.o.Seed, uint64(chain[len(chain)-1].ID) + 1})
		b.rows = append(b.rows, r)
		at = len(b.rows) - 1
	}
	r := b.rows[at]
	b.rows = slices.Insert(slices.Delete(b.rows, at, at+1), 0, r)
	cells := 0
	for i, r := range b.rows {
		cells += 2 * len(r.p.prog.Nodes) * (r.p.most + 1)
		if i >= leastRows && (cells > rowCells || r.p.prog.ByDepth()) { // exact numbers are larger
			b.rows = slices.Delete(b.rows, i, len(b.rows))
			break
		}
	}
	return r, nil
}

func (b *balanced) source() source { return &recorded{drawing: &balancedSource{b: b}} }

type balancedSource struct {
	b       *balanced
	pointed pointedDraw
}

// balancedTries bounds the derivations drawn for one sentence. The smallest acceptance
// probability is one over the maximum number of places of a part in a sentence.
const balancedTries = 1 << 20

// sameTurn bounds the tries that a sentence keeps its part while the lexer does not read its
// text as its tokens; there may be no readable text with the part. Pairs without a readable
// text are more common, and changing turns needs tables, so each later turn lasts for
// otherTurn tries.
const (
	sameTurn  = 900
	samePairs = 400
	otherTurn = 20
)

// draw draws as described at [recorded].
func (c *balancedSource) draw(ctx context.Context, dst []byte, m *fastdraw.Recording, a attempt) ([]byte, int, error) {
	number, stays := a.sentence, sameTurn
	if c.b.s.o.Strength > 1 {
		stays = samePairs
	}
	if a.try >= stays {
		number = attempt{sentence: a.sentence, try: a.try / otherTurn}.index()
	}
	t, err := c.b.at(ctx, number)
	if err != nil {
		return dst, 0, err
	}
	dst, size, err := c.drawn(ctx, dst, m, t, a.index())
	if err == nil && a.try == 0 && t.row != nil {
		t.row.mu.Lock()
		t.row.learn(int(t.place), c.pointed.r.Counts)
		t.row.mu.Unlock()
	}
	return dst, size, err
}

// drawn draws the sentence of a turn from a stream of bits.
func (c *balancedSource) drawn(ctx context.Context, dst []byte, m *fastdraw.Recording, t assignment, index uint64) ([]byte, int, error) {
	p, st := t.p, t.stratum
	d := &c.pointed
	d.begin(ctx, p, c.b.s.o.Seed, index)
	at := len(st.steps)
	if c.b.s.o.Spread == Even {
		at = 0
		if len(st.steps) > 1 {
			at = d.r.Bits.Intn(len(st.steps))
		}
	}
	from, err := d.marked(st, at)
	if err != nil {
		return dst, 0, err
	}
	for range balancedTries {
		out, taken, err := d.try(dst, m, st, from)
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
