package guide

import (
	"bytes"
	"context"
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/gramfuzz/gramfuzz/internal/fuzzing/target/gocov"
)

// mostWanted bounds the changes tried for the comparisons of one input, mostPlaces the places of
// one value, and mostRefused the changes in a row that give no sentence.
const (
	mostWanted  = 16
	mostPlaces  = 4
	mostRefused = 8
)

// wanted is a change of a text: a value in it gets the value that it was compared with.
type wanted struct {
	from, to int
	with     string
	place    uint32 // of the comparison in the program
}

// satisfy lists sentences in which a value that the program compared has the other value of the
// comparison, or one beside it. A string is looked for in the text as it is, an integer in decimal
// and in bytes. If an integer is not there, other numbers of the text are taken for terms of it:
// they are made greater by the difference to the constant. A changed text must be a sentence;
// computed fields and names are made anew.
func (s *Sentences) satisfy(rng *rand.Rand, in *Input, compared []gocov.Comparison) candidates {
	if in.Tree == nil {
		return none0
	}
	changes := s.changesOf(rng, in.Text, compared)
	return func(ctx context.Context) (*Input, error) {
		for refused := 0; len(changes) > 0 && refused < mostRefused; refused++ {
			c := changes[0]
			changes = changes[1:]
			s.tried[c.place]++
			text := string(in.Text[:c.from]) + c.with + string(in.Text[c.to:])
			t, err := s.o.Parse(ctx, []byte(text))
			if err != nil {
				if ctx.Err() != nil {
					return nil, ctx.Err()
				}
				continue
			}
			if out, err := s.Replay(ctx, t.Choices(), "compare"); out != nil || err != nil {
				return out, err
			}
		}
		return nil, nil
	}
}

// changesOf returns some changes of a text that comparisons ask for: those of the places in the
// program that were tried least, in random order.
func (s *Sentences) changesOf(rng *rand.Rand, text []byte, compared []gocov.Comparison) (changes []wanted) {
	known := map[wanted]bool{}
	add := func(w wanted) {
		if !known[w] && string(text[w.from:w.to]) != w.with {
			known[w] = true
			changes = append(changes, w)
		}
	}
	numbers := numbersOf(text)
	rng.Shuffle(len(compared), func(a, b int) { compared[a], compared[b] = compared[b], compared[a] })
	slices.SortStableFunc(compared, func(a, b gocov.Comparison) int { return s.tried[a.Place] - s.tried[b.Place] })
	for i := 0; i < len(compared) && len(changes) < mostWanted; i++ {
		c, found := &compared[i], false
		for _, p := range pairsOf(c) {
			for _, from := range p.places(text) {
				found = true
				add(wanted{from, from + len(p.seen), p.want, c.Place})
			}
		}
		if found || !c.Constant || len(numbers) == 0 {
			continue
		}
		for range mostPlaces {
			n := numbers[rng.IntN(len(numbers))]
			add(wanted{n.from, n.to, strconv.FormatInt(n.value+c.Signed(c.X)-c.Signed(c.Y), 10), c.Place})
		}
	}
	return changes
}

// pair is a text that may be in an input, and the one wanted in its place.
type pair struct {
	seen, want string
	fold       bool
}

// places returns the places of the seen text.
func (p pair) places(text []byte) (at []int) {
	if p.fold {
		text, p.seen = bytes.ToLower(text), strings.ToLower(p.seen)
	}
	for from := 0; len(at) < mostPlaces; {
		k := bytes.Index(text[from:], []byte(p.seen))
		if k < 0 {
			break
		}
		at = append(at, from+k)
		from += k + len(p.seen)
	}
	return at
}

// pairsOf returns the forms that the values of a comparison can have in a text. A constant integer
// is not looked for.
func pairsOf(c *gocov.Comparison) (pairs []pair) {
	if c.Width == 0 {
		return []pair{{c.S, c.T, c.Fold}, {c.T, c.S, c.Fold}}
	}
	integers := func(seen, want uint64) {
		for _, want := range []uint64{want, want + 1, want - 1} {
			if want == seen {
				continue
			}
			is, be := c.Decimals(seen), c.Decimals(want)
			pairs = append(pairs, pair{seen: is[len(is)-1], want: be[len(be)-1]})
			if seen < 1<<8 {
				continue // shorter forms are in texts by chance
			}
			for _, order := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
				pairs = append(pairs, pair{seen: inBytes(order, c.Width, seen), want: inBytes(order, c.Width, want)})
			}
		}
	}
	integers(c.Y, c.X)
	if !c.Constant {
		integers(c.X, c.Y)
	}
	return pairs
}

func inBytes(order binary.AppendByteOrder, width int, v uint64) string {
	switch width {
	case 2:
		return string(order.AppendUint16(nil, uint16(v)))
	case 4:
		return string(order.AppendUint32(nil, uint32(v)))
	}
	return string(order.AppendUint64(nil, v))
}

// number is a decimal number in a text.
type number struct {
	from, to int
	value    int64
}

// numbersOf returns the numbers in a text that fit into 64 bits.
func numbersOf(text []byte) (numbers []number) {
	digit := func(c byte) bool { return '0' <= c && c <= '9' }
	for i := 0; i < len(text); i++ {
		from := i
		for ; i < len(text) && digit(text[i]); i++ {
		}
		if v, err := strconv.ParseInt(string(text[from:i]), 10, 64); err == nil {
			numbers = append(numbers, number{from, i, v})
		}
	}
	return numbers
}

// compareOp is the name of the operator that satisfies comparisons.
const compareOp = "compare"

// compare makes the next sentence that satisfies a comparison of an example; nil if there is
// none. The first call runs the example again, to record its comparisons.
func (l *cover) compare(ctx context.Context, op *scoredOperator, from *example) (*Input, error) {
	in, err := l.open(ctx, from.kept)
	if err != nil {
		return nil, err
	}
	if from.satisfies == nil {
		compared, err := l.o.Compare(ctx, in)
		if err != nil {
			return nil, err
		}
		op.work++
		from.satisfies = l.src.satisfy(l.rng, in, compared)
	}
	out, err := from.satisfies(ctx)
	if out == nil {
		op.work += mostRefused * op.meanCost() // up to as many texts were parsed
	}
	return out, err
}
