package grammars_test

import (
	"math/big"
	"testing"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/parse"
)

// TestOneDerivation: sentences read back, and where the grammar's file says
// that every sentence has one derivation there is one.
func TestOneDerivation(t *testing.T) {
	tests := []struct {
		name      string
		sizes     []int
		ambiguous bool
	}{
		{"expr", []int{1, 9, 20}, false},
		{"json", []int{1, 9, 20}, false},
		{"url", []int{4, 12, 30}, false},
		{"select", []int{4, 12, 30}, false},
		{"go", []int{12, 30, 60}, false},
		{"lopsided", []int{1}, false},
		{"tree", []int{1, 10, 22}, false},
		{"assign", []int{10, 24}, true},
	}
	for _, test := range tests {
		g := grammars.Must(test.name)
		p, err := parse.New(t.Context(), g, parse.Options{Measure: grammar.Exact})
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		one := big.NewInt(1)
		several := false
		for _, text := range sentences(t, test.name, perBound()/10, sizes(test.sizes...)...) {
			f, err := p.Parse(t.Context(), test.name, text)
			if err != nil {
				t.Errorf("%s: %v\n%q", test.name, err, text)
				break
			}
			n, err := f.Count(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if n.Cmp(one) != 0 {
				several = true
				if !test.ambiguous {
					t.Errorf("%s: %v derivations of %q", test.name, n, text)
					break
				}
			}
		}
		if several != test.ambiguous {
			t.Errorf("%s: ambiguous: %v", test.name, several)
		}
	}
}
