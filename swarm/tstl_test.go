package swarm_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// This file models how TSTL (github.com/agroce/tstl) runs a grammar: bottom-up, from values
// stored in pools. The published shares of the lopsided grammar come from TSTL. gramfuzz walks
// from the top, and has other shares (see docs/lopsided.md).

// action is a line of the model: it consumes pool from (0: none) and fills pool to; to 0 prints.
// A line without from supplies the letter.
type action struct {
	to, from int
	letter   int
}

// lopsided is the grammar: pools 1 (a) to 6 (f).
func lopsided() []action {
	as := []action{{to: 0, from: 1}}
	for pool := 1; pool <= 6; pool++ {
		as = append(as, action{to: pool, letter: pool})
		if pool < 6 {
			as = append(as, action{to: pool, from: pool + 1})
		}
	}
	return as
}

// tstl draws configurations: sets of actions that are in.
type tstl struct {
	as       []action
	needs    [][]int // by action: the actions that define its input; nil: it consumes nothing
	parents  [][]int // by action: the actions that need it
	down, up bool
	rng      *rand.Rand
}

func newTSTL(down, up bool) *tstl {
	t := &tstl{as: lopsided(), down: down, up: up, rng: rand.New(rand.NewPCG(9, 9))}
	t.needs, t.parents = make([][]int, len(t.as)), make([][]int, len(t.as))
	for i, a := range t.as {
		for j, b := range t.as {
			if a.from != 0 && b.to == a.from && b.from != a.from {
				t.needs[i] = append(t.needs[i], j)
				t.parents[j] = append(t.parents[j], i)
			}
		}
	}
	return t
}

func (t *tstl) pick(of []int) int { return of[t.rng.IntN(len(of))] }

func (t *tstl) configuration() []bool {
	in := make([]bool, len(t.as))
	for i := range in {
		in[i] = t.rng.IntN(2) == 0
	}
	if !slices.Contains(in, true) {
		in[t.rng.IntN(len(in))] = true
	}
	for changed := t.down; changed; {
		changed = false
		add := func(can []int) {
			if len(can) > 0 && !slices.ContainsFunc(can, func(i int) bool { return in[i] }) {
				in[t.pick(can)], changed = true, true
			}
		}
		for i := range in {
			if in[i] && t.up {
				add(t.parents[i])
			}
		}
		for i := range in {
			if in[i] {
				add(t.needs[i])
			}
		}
		for i := range in {
			if in[i] && t.needs[i] == nil {
				add(t.parents[i])
			}
		}
	}
	return in
}

// test runs the actions that are in for a number of steps and counts the letters
// printed.
func (t *tstl) test(in []bool, steps int, printed *[7]int) {
	var pools [7]int
	var can []int
	for range steps {
		can = can[:0]
		for i, a := range t.as {
			if in[i] && (a.from == 0 || pools[a.from] != 0) {
				can = append(can, i)
			}
		}
		if len(can) == 0 {
			return
		}
		a := t.as[t.pick(can)]
		value := a.letter
		if a.from != 0 {
			value = pools[a.from]
		}
		if a.to == 0 {
			printed[value]++
			continue
		}
		pools[a.to] = value
	}
}

// run makes tests, each with a configuration of its own. It returns the shares of A to F in
// percent: of all lines printed, or with each test counting once.
func (t *tstl) run(tests, steps int, swarm, once bool) []float64 {
	all := slices.Repeat([]bool{true}, len(t.as))
	shares, sum := make([]float64, 6), 0.0
	for range tests {
		in := all
		if swarm {
			in = t.configuration()
		}
		var printed [7]int
		t.test(in, steps, &printed)
		total := 0
		for _, n := range printed {
			total += n
		}
		if total == 0 {
			continue
		}
		weight := 1.0
		if once {
			weight = 1 / float64(total)
		}
		for i := range shares {
			shares[i] += weight * float64(printed[i+1])
		}
		sum += weight * float64(total)
	}
	for i := range shares {
		shares[i] *= 100 / sum
	}
	return shares
}

func checkShares(t *testing.T, got, want []float64, within float64) {
	t.Helper()
	for i := range want {
		t.Logf("%c %.1f, want %.1f", 'A'+i, got[i], want[i])
		if math.Abs(got[i]-want[i]) > within {
			t.Errorf("%c: %.1f%%, not within %v of %.1f%%", 'A'+i, got[i], within, want[i])
		}
	}
}

func TestTSTL(t *testing.T) {
	for _, tc := range []struct {
		name            string
		swarm, down, up bool
		want            []float64
	}{
		{"no swarm", false, false, false, []float64{51.4, 25.4, 12.7, 6.2, 3.0, 1.3}},
		{"no dependencies", true, false, false, []float64{70.1, 20.5, 6.5, 2.0, 0.7, 0.3}},
		{"dependencies", true, true, false, []float64{53.5, 22.8, 11.6, 6.0, 3.0, 3.0}},
		{"with parents", true, true, true, []float64{28.1, 21.8, 15.9, 10.9, 9.5, 13.7}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			checkShares(t, newTSTL(tc.down, tc.up).run(20_000, 100, tc.swarm, false), tc.want, 3)
		})
	}
}

// TestTSTLMeetsWalks compares the model with walks from the top (docs/lopsided.md). With enough
// steps, the shares without a swarm and with mode both are equal to ours; counted once per test,
// so are those of plain.
func TestTSTLMeetsWalks(t *testing.T) {
	checkShares(t, newTSTL(false, false).run(1000, 1000, false, false), []float64{50, 25, 12.5, 6.3, 3.1, 3.1}, 1.5)
	checkShares(t, newTSTL(true, true).run(3000, 1000, true, false), []float64{26.6, 19.6, 14.5, 11.3, 10.4, 17.6}, 2.5)
	checkShares(t, newTSTL(false, false).run(20_000, 100, true, true), []float64{62.5, 23.5, 8.8, 3.3, 1.3, 0.6}, 1.5)
}
