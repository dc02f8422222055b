package jsong

import (
	"math"
	"strconv"
)

// weightScale is the precision of probabilities: 1 in a million.
const weightScale = 1_000_000

// options reads the options of an alternative; ok when there is a probability.
func (b *builder) options(v value) (prob float64, ok bool) {
	for i := 0; i+1 < len(v.items); i += 2 {
		key, val := v.items[i], v.items[i+1]
		if key.text != "prob" {
			b.note(key.at, "option", "the option "+strconv.Quote(key.text)+" is not used")
			continue
		}
		if val.kind == other && val.text == "<nil>" { // null: not given
			continue
		}
		p, err := strconv.ParseFloat(val.text, 64)
		if val.kind != other || err != nil || p < 0 || p > 1 {
			b.fail(val.at, "write a number from 0 to 1", "%s is no probability", b.s.src[val.at:val.end])
			continue
		}
		prob, ok = p, true
	}
	return prob, ok
}

// weights turns probabilities into weights. Alternatives without one (negative)
// share what the others leave.
func (b *builder) weights(v value, probs []float64) []int {
	sum, open := 0.0, 0
	for _, p := range probs {
		if p < 0 {
			open++
		} else {
			sum += p
		}
	}
	if sum > 1+1e-6 || open == 0 && sum <= 0 {
		b.fail(v.at, "make them add up to 1", "the probabilities add up to %g", sum)
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
