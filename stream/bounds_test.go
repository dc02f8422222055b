package stream_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/testing/brute"
	"github.com/gramfuzz/gramfuzz/load"
	"github.com/gramfuzz/gramfuzz/stream"
)

// transformed are grammars whose parts are larger or smaller in the text than their derivations are.
var transformed = []string{
	`s = c ("," c)? ; c = "y"{0,2} @base64 ;`,
	`s = c ("," c)* ; c = ([xy]{0,3}) @hex ;`,
	`s = (u8 @len(x)) (byte{1,3} @part(x) ) (byte* @copy(x)) ;`,
	`s = [ab]* @blocks(2) "." ;`,
	`s = "h" ([ab]{0,4} @part(p)) (varint @len(p)) "x"+ @deflate ;`,
}

// TestSentencesWithinBounds checks that tables count every sentence of every strategy, in swarms and without,
// within the bound, or that the strategy refuses the bound where there are none.
func TestSentencesWithinBounds(t *testing.T) {
	type source struct {
		g    *grammar.Grammar
		text string
	}
	var all []source
	for _, text := range transformed {
		g, err := load.String(text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		all = append(all, source{g, text})
	}
	for i := range uint64(12) {
		g := brute.Random(rand.New(rand.NewPCG(i, 5)))
		all = append(all, source{g, load.Native(g)})
		g, text := brute.RandomNames(rand.New(rand.NewPCG(i, 6)))
		all = append(all, source{g, text})
	}
	bounds := []count.Bound{{Depth: 2, Repeat: 2}}
	for u := grammar.Terminals; u <= grammar.Nodes; u++ {
		bounds = append(bounds, count.Sizes(0, 4, u), count.Sizes(5, 7, u))
	}
	for _, s := range all {
		for _, b := range bounds {
			table, empty := count.New(t.Context(), s.g, b, count.Options{})
			for _, strategy := range []string{"uniform", "balanced", "walk", "weighted", "boltzmann", "mixed", "random-weights", "broad"} {
				for _, mode := range []string{"", "both"} {
					p := stream.Plan{Strategy: strategy, Bound: derive.BoundRef{Depth: b.Depth, Repeat: b.Repeat, Min: b.Min, Max: b.Max}, Seed: 1}
					if !b.ByDepth() {
						p.Bound.Unit = b.Unit.String()
					}
					if mode != "" {
						p.Swarm = &stream.SwarmPlan{Mode: mode, Every: 3}
					}
					if p.Check(nil) != nil {
						continue
					}
					name := fmt.Sprintf("%s, %v, swarm %q:\n%s", strategy, b, mode, s.text)
					st, err := p.Open(t.Context(), s.g, stream.Options{})
					if err != nil {
						if empty == nil && mode == "" && strategy != "boltzmann" || // which has no parameter for some sizes
							errors.As(empty, new(*count.EmptyError)) && !errors.As(err, new(*count.EmptyError)) {
							t.Errorf("%s: %v", name, err)
						}
						continue
					}
					src := st.Source()
					for i := range uint64(24) {
						tree, err := src.Tree(t.Context(), i)
						if err != nil {
							t.Errorf("%s: sentence %d: %v", name, i, err)
							break
						}
						if empty != nil {
							t.Errorf("%s: sentence %d is %q, but %v", name, i, tree.Text(), empty)
							break
						}
						if _, err := table.Rank(tree); err != nil {
							t.Errorf("%s: sentence %d is %q: %v", name, i, tree.Text(), err)
							break
						}
					}
				}
			}
		}
	}
}
