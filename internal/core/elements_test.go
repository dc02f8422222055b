package core_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/core"
	"github.com/gramfuzz/gramfuzz/load"
)

// TestElements: repetitions with very many elements are refused before nodes are made for them.
func TestElements(t *testing.T) {
	for _, test := range []struct {
		src     string
		refused bool
	}{
		{`s = t{0,1000} ; t = "a"? ;`, false},
		{`s = t{0,1000000} ; t = "a"? ;`, true},
		{`s = "a"{1000000} ;`, true},
		{`s = "a"{1000000,} ;`, true},
		{"s = " + strings.Repeat(`("a"|"b"){0,100000} `, 3) + ";", true},
		{"s = " + strings.Repeat("r ", 300) + "; r = t{0,1000} ; t = \"a\"? ;", false}, // one rule, with one set of nodes for each demand
	} {
		g := load.MustString(test.src)
		for _, repeat := range []int{0, 4} {
			_, err := core.New(g, nil, g.Facts(nil, grammar.Structure), grammar.Terminals, repeat, 0)
			if elements := new(core.ElementsError); errors.As(err, &elements) != test.refused || errors.Is(err, core.ErrMemory) != test.refused {
				t.Errorf("%.40s, repeat %d: %v", test.src, repeat, err)
			}
		}
	}
}
