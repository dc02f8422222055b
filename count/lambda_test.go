package count_test

import (
	"math/big"
	"testing"

	"github.com/google/go-cmp/cmp"

	gctx "github.com/gramfuzz/gramfuzz/context"
	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/grammars"
)

// TestClosedLambdaTerms counts closed lambda terms up to renaming of variables, by size:
// variables, abstractions and applications count 1 each. A term of size n has 2n-1 terminals in
// the grammar lambda.
func TestClosedLambdaTerms(t *testing.T) {
	const most = 24
	// OEIS A135501 from size 1 on.
	published := []string{"0", "1", "2", "4", "13", "42", "139", "506", "1915", "7558", "31092", "132170", "580466", "2624545", "12190623", "58083923"}
	table, err := count.New(ctx, grammars.Must("lambda"), count.Sizes(1, 2*most-1, grammar.Terminals), count.Options{Names: gctx.Options{Mode: gctx.Canonical}})
	if err != nil {
		t.Fatal(err)
	}
	for n := 1; n <= most; n++ {
		got := table.At(2*n - 1)
		if want := lambdaTerms(n, 0, map[[2]int]*big.Int{}); got.Cmp(want) != 0 {
			t.Errorf("size %d: %v, the recurrence says %v", n, got, want)
		}
		if n <= len(published) {
			if diff := cmp.Diff(published[n-1], got.String()); diff != "" {
				t.Errorf("size %d: (-published +got)\n%s", n, diff)
			}
		}
	}
}

// lambdaTerms is the recurrence for terms of size n with m free variables: a variable, an
// abstraction that binds one more, or an application.
func lambdaTerms(n, m int, memo map[[2]int]*big.Int) *big.Int {
	if n < 1 {
		return new(big.Int)
	}
	if v := memo[[2]int{n, m}]; v != nil {
		return v
	}
	v := new(big.Int)
	if n == 1 {
		v.SetInt64(int64(m))
	}
	v.Add(v, lambdaTerms(n-1, m+1, memo))
	for k := 1; k < n-1; k++ {
		v.Add(v, new(big.Int).Mul(lambdaTerms(k, m, memo), lambdaTerms(n-1-k, m, memo)))
	}
	memo[[2]int{n, m}] = v
	return v
}
