package sample_test

import (
	"fmt"
	"testing"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/testing/brute"
	"github.com/gramfuzz/gramfuzz/load"
	"github.com/gramfuzz/gramfuzz/sample"
)

// TestResizedParts checks that padded parts, and lengths of variable width, are counted by
// their bytes: every strategy keeps to the bound, and uniform draws are uniform.
func TestResizedParts(t *testing.T) {
	tested := 0
	for _, src := range []string{
		`s = r* ; r = ( [ab]{0,4} ) @pad(3, ".") ":" ;`,
		`s = ( dec ":" ) @len(in) in "," ; in = "a"{0,12} | s | [01]{9,10} ;`,
		`s = ( "<" ( [ab]{0,3} dec @len(all) ) @part(all) @pad(4) ">" ){0,2} ;`,
	} {
		g := load.MustString(src)
		bound := count.Sizes(0, 15, grammar.Bytes)
		table, err := count.New(ctx, g, bound, count.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range []sample.Options{
			{Spread: sample.ByCount}, {Strategy: sample.Walk}, {Strategy: sample.Weighted}, {Strategy: sample.Balanced}, {Distinct: true, Spread: sample.ByCount},
		} {
			o.Bound, o.Seed = bound, 3
			s, err := sample.New(ctx, g, o)
			if err != nil {
				t.Fatalf("%s, %v: %v", src, o.Strategy, err)
			}
			source, had := s.Source(), map[string]int{}
			n := 20 * int(table.Total().Int64())
			if o.Distinct {
				n /= 20
			}
			for i := range min(n, 60_000) {
				tree, err := source.Tree(ctx, uint64(i))
				if err != nil {
					t.Fatalf("%s, %v: %v", src, o.Strategy, err)
				}
				if len(tree.Text()) > bound.Max {
					t.Fatalf("%s, %v: %q has %d bytes", src, o.Strategy, tree.Text(), len(tree.Text()))
				}
				had[fmt.Sprint(tree.Choices())]++
			}
			total := int(table.Total().Int64())
			switch {
			case o.Distinct && len(had) != min(total, 60_000):
				t.Errorf("%s: %d distinct derivations of %d", src, len(had), total)
			case o.Strategy == sample.Uniform && !o.Distinct && n <= 60_000:
				tested++
				var counts []int
				for _, k := range had {
					counts = append(counts, k)
				}
				for len(counts) < total {
					counts = append(counts, 0)
				}
				if p := brute.ChiSquare(counts, brute.Even(total)); p < alpha {
					t.Errorf("%s: %d derivations, p = %g", src, total, p)
				}
			}
		}
	}
	if tested < 2 {
		t.Errorf("only %d grammars are small enough to be tested", tested)
	}
}
