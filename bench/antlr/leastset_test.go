package main

import (
	"testing"

	"github.com/gramfuzz/gramfuzz/coverage"
	"github.com/gramfuzz/gramfuzz/load"
)

// TestLeastSet compares the bound for small grammars with the sizes of their covering sets. A set
// may be as small as the bound, but no smaller.
func TestLeastSet(t *testing.T) {
	for _, tt := range []struct {
		src       string
		set, want int
	}{
		{`s : 'a' | 'b' | 'c' ;`, 3, 3},
		{`s : ('a' | 'b' | 'c')* ;`, 1, 1},
		{`s : e? ; e : 'a' | 'b' ;`, 2, 2},
		{`s : e e ; e : 'a' | 'b' | '(' e ')' | '[' e ']' ;`, 1, 1},
		{`s : t u ; t : 'a' | 'b' ; u : 'c' | 'd' | 'e' ;`, 3, 3},
	} {
		g, _, err := load.Source("g.g4", []byte("grammar g; "+tt.src), load.Options{})
		if err != nil {
			t.Fatal(err)
		}
		c, err := coverage.New(g, coverage.Options{})
		if err != nil {
			t.Fatal(err)
		}
		trees, err := c.Alternatives(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if got := leastSet(g, trees); len(trees) != tt.set || got != tt.want {
			t.Errorf("%s: %d sentences, at least %d; want %d and %d", tt.src, len(trees), got, tt.set, tt.want)
		}
	}
}
