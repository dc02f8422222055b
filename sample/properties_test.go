package sample_test

import (
	"testing"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/testing/brute"
	"github.com/gramfuzz/gramfuzz/load"
	"github.com/gramfuzz/gramfuzz/sample"
)

// texts draws n sentences and counts their texts in the order of want.
func texts(t *testing.T, source string, o sample.Options, n int, want []string) []int {
	t.Helper()
	g, _, err := load.Source("claims.ebnf", []byte(source), load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := sample.New(ctx, g, o)
	if err != nil {
		t.Fatal(err)
	}
	index := map[string]int{}
	for i, text := range want {
		index[text] = i
	}
	counts := make([]int, len(want))
	src := s.Source()
	for i := range uint64(n) {
		text, err := src.Text(ctx, i)
		if err != nil {
			t.Fatal(err)
		}
		at, ok := index[text]
		if !ok {
			t.Fatalf("sentence %q was not expected", text)
		}
		counts[at]++
	}
	return counts
}

// TestClaimedDistributions checks each claimed distribution by chi-square against one worked
// out by hand; the same counts reject the uniform one.
func TestClaimedDistributions(t *testing.T) {
	words := []string{"", "a", "b", "aa", "ab", "ba", "bb"}
	tests := []struct {
		name, source string
		o            sample.Options
		want         []string
		p            []float64
	}{
		{"sizes even", `w = [ab]* ;`, sample.Options{Bound: count.Sizes(0, 2, grammar.Bytes)},
			words, []float64{1. / 3, 1. / 6, 1. / 6, 1. / 12, 1. / 12, 1. / 12, 1. / 12}},
		{"sizes by count", `w = [ab]* ;`, sample.Options{Bound: count.Sizes(0, 2, grammar.Bytes), Spread: sample.ByCount},
			words, brute.Even(7)},
		{"token texts even by length", `w = T ; @token T = [ab]{1,2} ;`, sample.Options{Bound: count.Size(1, grammar.Terminals)},
			words[1:], []float64{1. / 4, 1. / 4, 1. / 8, 1. / 8, 1. / 8, 1. / 8}},
		{"walk", `w = [ab]* ;`, sample.Options{Bound: count.Bound{Depth: 1, Repeat: 2}, Strategy: sample.Walk},
			words, []float64{1. / 2, 1. / 8, 1. / 8, 1. / 16, 1. / 16, 1. / 16, 1. / 16}},
		{"weighted", `w = "a" %3 | "b" %1 | v %4 ; v = "c" %1 | "d" %7 ;`, sample.Options{Bound: count.Depth(2), Strategy: sample.Weighted},
			[]string{"a", "b", "c", "d"}, []float64{3. / 8, 1. / 8, 1. / 16, 7. / 16}},
		{"limit", `w = "a" | "b" w ;`, sample.Options{Bound: count.Depth(1), Strategy: sample.Limit},
			[]string{"a", "ba"}, []float64{1. / 2, 1. / 2}},
	}
	for _, test := range tests {
		test.o.Seed = 12
		counts := texts(t, test.source, test.o, 20_000, test.want)
		if p := brute.ChiSquare(counts, test.p); p < alpha {
			t.Errorf("%s: %v, p = %g", test.name, counts, p)
		}
		if even := brute.Even(len(test.p)); test.p[0] != even[0] {
			if p := brute.ChiSquare(counts, even); p > alpha {
				t.Errorf("%s: the even distribution is not refused, p = %g", test.name, p)
			}
		}
	}
}
