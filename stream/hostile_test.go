package stream_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/core"
	"github.com/gramfuzz/gramfuzz/load"
	"github.com/gramfuzz/gramfuzz/stream"
)

// chain returns a grammar of n rules, each with a body in which NEXT is the next one.
func chain(n int, body string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "r%d = %s ;\n", i, strings.ReplaceAll(body, "NEXT", fmt.Sprint("r", i+1)))
	}
	fmt.Fprintf(&b, "r%d = \"x\" ;\n", n)
	return b.String()
}

// TestHostileGrammars checks that grammars of astronomic numbers give sentences or a refusal that
// says what is too large.
func TestHostileGrammars(t *testing.T) {
	strategies := []string{"uniform", "walk", "weighted", "balanced", "broad", stream.Mixed, stream.RandomWeights}
	for _, tt := range []struct {
		name, grammar string
		refused       string // by each strategy; "": some draw a sentence
	}{
		{"a least sentence of 2^1000 terminals", chain(1000, "NEXT NEXT"), "depth 1001"},
		{"2^1000 terminals or none", chain(1000, `( NEXT NEXT )?`), ""},
		{"numbers of 20^1000 digits", chain(1000, "NEXT{0,20}"), ""},
		{"thirty references in each of twenty levels", chain(20, `"(" ( `+strings.Repeat("NEXT ", 30)+`)? ")"`), ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g, _, err := load.Source("hostile.ebnf", []byte(tt.grammar), load.Options{})
			if err != nil {
				t.Fatal(err)
			}
			drawn := 0
			for _, strategy := range strategies {
				plan := stream.Plan{Strategy: strategy, Seed: 1}
				s, err := plan.Open(t.Context(), g, stream.Options{})
				if err == nil {
					_, err = s.Source().Append(t.Context(), nil, 0)
				}
				switch {
				case err == nil:
					drawn++
				case tt.refused != "" && strings.Contains(err.Error(), tt.refused):
				case tt.refused == "" && (errors.Is(err, core.ErrMemory) || errors.Is(err, derive.ErrTooLarge)):
				default:
					t.Errorf("%v: %v", strategy, err)
				}
			}
			if (drawn == 0) != (tt.refused != "") {
				t.Errorf("%d strategies draw a sentence", drawn)
			}
			_, err = count.New(t.Context(), g, count.Sizes(0, 20, grammar.Terminals), count.Options{})
			if err != nil && !errors.Is(err, core.ErrMemory) && !errors.As(err, new(*count.EmptyError)) {
				t.Errorf("counting: %v", err)
			}
		})
	}
}
