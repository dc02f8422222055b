package count_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/load"
)

// TestPublishedSequences compares counts with sequences of the On-Line Encyclopedia of Integer
// Sequences, an oracle that is independent of this code.
func TestPublishedSequences(t *testing.T) {
	tests := []struct {
		oeis, source string
		unit         grammar.Unit
		depth        bool
		step         func(n int) int // the size or depth of the n-th number
		want         string
	}{
		{"A003095 binary trees by height", `t = "x" | "(" t t ")" ;`, 0, true, func(n int) int { return n + 1 },
			"1 2 5 26 677 458330 210066388901 44127887745906175987802"},
		{"A000108 Catalan: binary trees by leaves", `t = "x" | t t ;`, grammar.Terminals, false, func(n int) int { return n + 1 },
			"1 1 2 5 14 42 132 429 1430 4862 16796 58786 208012"},
		{"A000108 Catalan: Dyck words by pairs", `d = "" | "(" d ")" d ;`, grammar.Bytes, false, func(n int) int { return 2 * n },
			"1 1 2 5 14 42 132 429 1430 4862 16796 58786 208012"},
		{"A001006 Motzkin paths", `m = "" | "-" m | "(" m ")" m ;`, grammar.Terminals, false, func(n int) int { return n },
			"1 1 2 4 9 21 51 127 323 835 2188 5798 15511 41835"},
		{"A006318 large Schröder numbers", `s = "" | "--" s | "(" s ")" s ;`, grammar.Bytes, false, func(n int) int { return 2 * n },
			"1 2 6 22 90 394 1806 8558 41586 206098 1037718"},
		{"A000045 Fibonacci: tilings by squares and dominoes", `f = "" | "1" f | "22" f ;`, grammar.Bytes, false, func(n int) int { return n },
			"1 1 2 3 5 8 13 21 34 55 89 144 233 377 610"},
		{"A001764 ternary trees", `t = "" | "(" t t t ;`, grammar.Terminals, false, func(n int) int { return n },
			"1 1 3 12 55 273 1428 7752 43263 246675 1430715"},
		{"A000984 central binomials: balanced words", `b = "" | "+" u "-" b | "-" d "+" b ; u = "" | "+" u "-" u ; d = "" | "-" d "+" d ;`, grammar.Terminals, false, func(n int) int { return 2 * n },
			"1 2 6 20 70 252 924 3432 12870 48620 184756"},
		{"A000244 powers of 3", `w = [abc]* ;`, grammar.Terminals, false, func(n int) int { return n },
			"1 3 9 27 81 243 729 2187 6561"},
	}
	for _, test := range tests {
		g, _, err := load.Source("sequence.ebnf", []byte(test.source), load.Options{})
		if err != nil {
			t.Errorf("%s: %v", test.oeis, err)
			continue
		}
		want := strings.Fields(test.want)
		last := test.step(len(want) - 1)
		b := count.Sizes(0, last, test.unit)
		if test.depth {
			b = count.Depth(last)
		}
		table, err := count.New(ctx, g, b, count.Options{})
		if err != nil {
			t.Errorf("%s: %v", test.oeis, err)
			continue
		}
		var got []string
		for n := range want {
			got = append(got, fmt.Sprint(table.At(test.step(n))))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got)\n%s", test.oeis, diff)
		}
	}
}
