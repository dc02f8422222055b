package sample_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/load"
	"github.com/gramfuzz/gramfuzz/sample"
)

// TestExplainAgreesWithSampling checks that the averages computed for uniform are those of
// drawn sentences, for every kind of bound.
func TestExplainAgreesWithSampling(t *testing.T) {
	for _, name := range []string{"json", "expr", "lopsided", "tree"} {
		g := grammars.Must(name)
		for _, o := range []sample.Options{
			{}, {Bound: count.Depth(8)}, {Bound: count.Sizes(1, 20, grammar.Terminals), Spread: sample.ByCount},
			{Bound: count.Sizes(1, 30, grammar.Bytes), Measure: grammar.Exact},
		} {
			o.Seed = 3
			x, err := sample.Explain(ctx, g, o, 0, nil)
			if err != nil {
				t.Fatal(err)
			}
			s, err := sample.New(ctx, g, o)
			if err != nil {
				t.Fatal(err)
			}
			const n = 800
			uses, squares, bytes := make([]float64, g.Alts), make([]float64, g.Alts), 0.0
			src := s.Source()
			for i := range uint64(n) {
				tree, err := src.Tree(ctx, i)
				if err != nil {
					t.Fatal(err)
				}
				bytes += float64(len(tree.Text())) / n
				once := make([]float64, g.Alts)
				for j := range tree.Nodes() {
					if e := tree.Nodes()[j].Expr; e.Op == grammar.Choice {
						once[e.FirstAlt+tree.Nodes()[j].Val]++
					}
				}
				for a, c := range once {
					uses[a] += c / n
					squares[a] += c * c / n
				}
			}
			for a, ok := range x.Possible {
				sigma := math.Sqrt(math.Max(squares[a]-uses[a]*uses[a], 1e-6) / n)
				if ok && math.Abs(uses[a]-x.Alternatives[a]) > 6*sigma+1e-3 {
					t.Errorf("%s, %v: alternative %d drawn %g times a sentence, explained as %g", name, x.Bound, a, uses[a], x.Alternatives[a])
				}
			}
			if math.Abs(bytes-x.Bytes) > 0.1*bytes {
				t.Errorf("%s, %v: %g bytes drawn, explained as %g", name, x.Bound, bytes, x.Bytes)
			}
		}
	}
}

// TestMissed checks a grammar in which a free string takes nearly all sentences, so the
// alternatives beside it are missed.
func TestMissed(t *testing.T) {
	g, _, err := load.Source("x.ebnf", []byte(`value = "true" | "false" | "'" [a-z]{0,4} "'" ;`), load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	x, err := sample.Explain(ctx, g, sample.Options{Bound: count.Depth(1)}, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]int{0, 1}, x.Missed(1000)); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
	if x.Total.String() != "475257" { // 2 + 26⁰ + … + 26⁴
		t.Errorf("%v derivations", x.Total)
	}
	b, missed, err := sample.Suggest(ctx, g, sample.Options{}, 1000)
	if err != nil || missed != 0 || b != count.Sizes(1, 11, grammar.Terminals) {
		t.Errorf("suggested %v, which misses %d (%v)", b, missed, err)
	}
}

func TestExplainWalk(t *testing.T) {
	x, err := sample.Explain(ctx, grammars.Must("lopsided"), sample.Options{Strategy: sample.Walk, Bound: count.Depth(6)}, 4000, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := x.Alternatives[0]; x.Drawn != 4000 || math.Abs(got-0.5) > 0.05 {
		t.Errorf("the first alternative is taken in %g of the walks, want about ½", got)
	}
}

// TestExplainBounded: of a grammar that takes long to draw from, averages are those of fewer
// sentences, and derivations are not counted where that takes long.
func TestExplainBounded(t *testing.T) {
	var src strings.Builder
	for i := range 2500 {
		fmt.Fprintf(&src, "r%d = \"a\" | \"b\" r%d | \"c\" r%d r%d ;\n", i, (i+1)%2500, i*7%2500, i*3%2500)
	}
	g := load.MustString(src.String())
	x, err := sample.Explain(ctx, g, sample.Options{Strategy: sample.Walk, Bound: count.Sizes(1, 30, grammar.Terminals)}, 2000, nil)
	if err != nil || x.Drawn < 100 || x.Drawn >= 2000 || x.Total == nil {
		t.Errorf("%d sentences drawn, %v derivations, %v", x.Drawn, x.Total, err)
	}
	sum := 0.0
	for _, uses := range x.Alternatives {
		sum += uses
	}
	if sum < 1 || x.Terminals < 1 || x.Terminals > 30 {
		t.Errorf("%g alternatives and %g terminals a sentence", sum, x.Terminals)
	}
	x, err = sample.Explain(ctx, g, sample.Options{Strategy: sample.Walk, Bound: count.Sizes(1, 200, grammar.Terminals)}, 100, nil)
	if err != nil || x.Total != nil {
		t.Errorf("%v derivations counted, %v", x.Total, err)
	}
}
