package swarm

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"
)

// defaultOutcomes is the number of outcomes that [Swarm.Each] enumerates without a limit.
const defaultOutcomes = 1 << 18

// ErrTooMany is the error of more configurations than the limit of an enumeration.
var ErrTooMany = errors.New("too many configurations to enumerate")

// Weighed is a configuration with its exact probability.
type Weighed struct {
	Config *Config
	P      *big.Rat
}

// Each returns every configuration with its exact probability; they sum to 1. Configurations with
// the same usable features count as one, and so do all that derive nothing. Each enumerates the
// outcomes of all random draws, each at the cost of making a configuration. Where there are more
// than limit (0 means 262144), the error is [ErrTooMany].
func (s *Swarm) Each(ctx context.Context, limit int) ([]Weighed, error) {
	if limit == 0 {
		limit = defaultOutcomes
	}
	coins := 0
	for _, f := range s.features {
		if s.o.Mode != Off && f.coin.Num > 0 && f.coin.Num < f.coin.Den {
			coins++
		}
	}
	tooMany := fmt.Errorf("%w: those of %d features are more than %d", ErrTooMany, coins, limit)
	if coins > 40 || 1<<coins > limit {
		return nil, tooMany
	}
	var all []Weighed
	index := map[string]int{}
	key := make([]byte, len(s.features))
	for o, n := (&outcomes{}), 0; o != nil; o, n = o.next(), n+1 {
		if n == limit {
			return nil, tooMany
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		t := s.draw(o)
		for i, on := range t.takesPart() {
			key[i] = '0'
			if on {
				key[i] = '1'
			}
		}
		at, ok := index[string(key)]
		if !ok {
			at = len(all)
			index[string(key)] = at
			all = append(all, Weighed{s.config(t, 0), new(big.Rat)})
		}
		all[at].P.Add(all[at].P, o.probability())
	}
	return all, nil
}

// outcomes makes recorded draws instead of random ones, so that a loop over next
// meets every outcome once. The probability of an outcome is the product of the
// probabilities of its draws.
type outcomes struct {
	drawn []outcome
	at    int
}

// outcome is the result v of a draw of one of n; for a coin, n is 2 and num/den
// the probability of 1.
type outcome struct {
	v, n     int
	num, den uint64 // den 0: all n equally likely
}

func (o *outcomes) take(of outcome) int {
	if o.at == len(o.drawn) {
		o.drawn = append(o.drawn, of)
	}
	o.at++
	return o.drawn[o.at-1].v
}

func (o *outcomes) coin(num, den uint64) bool {
	if num == 0 || num == den {
		return num == den
	}
	return o.take(outcome{n: 2, num: num, den: den}) == 1
}

func (o *outcomes) below(n int) int {
	if n == 1 {
		return 0
	}
	return o.take(outcome{n: n})
}

// next returns the draws of the next outcome, nil after the last one. The last draw with a value
// left takes it, and the later draws start again from their first values.
func (o *outcomes) next() *outcomes {
	for i := len(o.drawn) - 1; i >= 0; i-- {
		if d := &o.drawn[i]; d.v < d.n-1 {
			d.v++
			return &outcomes{drawn: slices.Clone(o.drawn[:i+1])}
		}
	}
	return nil
}

func (o *outcomes) probability() *big.Rat {
	num, den := big.NewInt(1), big.NewInt(1)
	f := new(big.Int)
	for _, d := range o.drawn {
		switch {
		case d.den == 0:
			den.Mul(den, f.SetInt64(int64(d.n)))
		case d.v == 1:
			num.Mul(num, f.SetUint64(d.num))
			den.Mul(den, f.SetUint64(d.den))
		default:
			num.Mul(num, f.SetUint64(d.den-d.num))
			den.Mul(den, f.SetUint64(d.den))
		}
	}
	return new(big.Rat).SetFrac(num, den)
}
