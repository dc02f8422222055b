package jsong

import (
	"math"
	"strconv"

	"github.com/gramfuzz/gramfuzz/load/internal/jsonvalue"
)

// weightScale is the precision of probabilities: 1 in a million.
const weightScale = 1_000_000

// options reads the options of an alternative. ok tells whether there is a probability.
func (b *builder) options(v jsonvalue.Value) (prob float64, ok bool) {
	for i := 0; i+1 < len(v.Items); i += 2 {
		key, val := v.Items[i], v.Items[i+1]
		if key.Text != "prob" {
			b.note(key.At, "option", "the option "+strconv.Quote(key.Text)+" is not used")
			continue
		}
		if val.Kind == jsonvalue.Other && val.Text == "<nil>" { // null: not given
			continue
		}
		p, err := strconv.ParseFloat(val.Text, 64)
		if val.Kind != jsonvalue.Other || err != nil || p < 0 || p > 1 {
			b.fail(val.At, "write a number from 0 to 1", "%s is not a probability", b.s.Source(val))
			continue
		}
		prob, ok = p, true
	}
	return prob, ok
}

// weights turns probabilities into weights. Alternatives without a probability (negative in probs)
// share the rest equally.
func (b *builder) weights(v jsonvalue.Value, probs []float64) []int {
	sum, open := 0.0, 0
	for _, p := range probs {
		if p < 0 {
			open++
		} else {
			sum += p
		}
	}
	if sum > 1+1e-6 || open == 0 && sum <= 0 {
		b.fail(v.At, "make them add up to 1", "the probabilities add up to %g", sum)
		return nil
	}
	out := make([]int, len(probs))
	div := 0
	for i, p := range probs {
		if p < 0 {
			p = (1 - sum) / float64(open)
		}
		out[i] = int(math.Round(max(p, 0) * weightScale))
		div = gcd(div, out[i])
	}
	for i := range out {
		out[i] /= max(div, 1)
	}
	return out
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
