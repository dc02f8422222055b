package coverage

import (
	"math"

	"github.com/gramfuzz/gramfuzz/grammar"
)

// Weights returns weights for the alternatives of every choice that some tree makes, by the
// choice's Expr.ID. They are the counts of the alternatives in lowest terms. With invert, rare
// alternatives weigh most (after Pavese and others, Inputs from Hell, 2018): the weights are
// proportional to 1/(n+1) for an alternative taken n times, in 1000ths and at least 1. They
// are for [grammar.Grammar.WithWeights].
func (c *Coverage) Weights(invert bool) map[int][]int {
	out := map[int][]int{}
	for _, e := range c.graph.g.Exprs {
		if e.Op != grammar.Choice {
			continue
		}
		counts := c.alts[e.FirstAlt : e.FirstAlt+len(e.Children)]
		met := false
		for _, n := range counts {
			met = met || n > 0
		}
		switch {
		case !met:
		case invert:
			out[e.ID] = inverse(counts)
		default:
			out[e.ID] = lowest(counts)
		}
	}
	return out
}

// lowest divides counts by their greatest common divisor.
func lowest(counts []uint64) []int {
	common := uint64(0)
	for _, n := range counts {
		for a, b := common, n; ; a, b = b, a%b {
			if b == 0 {
				common = a
				break
			}
		}
	}
	out := make([]int, len(counts))
	for i, n := range counts {
		out[i] = int(min(n/common, math.MaxInt32))
	}
	return out
}

// inverse returns weights as 1/(n+1), in 1000ths.
func inverse(counts []uint64) []int {
	sum := 0.0
	for _, n := range counts {
		sum += 1 / float64(n+1)
	}
	out := make([]int, len(counts))
	for i, n := range counts {
		out[i] = max(1, int(math.Round(1000/float64(n+1)/sum)))
	}
	return out
}
