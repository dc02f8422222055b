package coverage_test

import (
	"context"
	"fmt"
	"log"

	"github.com/gramfuzz/gramfuzz/coverage"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/grammars"
)

// sentence returns the tree of choices.
func sentence(g *grammar.Grammar, choices ...int) *derive.Tree {
	t, err := derive.NewMachine(g, derive.Options{}).Run(context.Background(), derive.Replay(choices))
	if err != nil {
		log.Fatal(err)
	}
	return t
}

// A report lists the reached and unreached parts of the grammar.
func ExampleCoverage_Report() {
	g := grammars.Must("expr")
	c, err := coverage.New(g, coverage.Options{})
	if err != nil {
		log.Fatal(err)
	}
	t := sentence(g, 1, 0, 0, 1, 1)
	c.Add(t)
	r := c.Report()
	fmt.Printf("%s takes %d of %d alternatives, not\n", t.Text(), r.Alternatives.Reached, r.Alternatives.Total)
	for _, a := range r.Alternatives.Items {
		if a.Count == 0 {
			fmt.Printf("%s = %s\n", a.Rule, a.Name)
		}
	}
	// Output:
	// -0 + 0 takes 6 of 10 alternatives, not
	// expr = expr " - " term
	// term = term " * " factor
	// term = term " / " factor
	// atom = "(" expr ")"
}

// A few sentences reach every possible pair of parent and child symbols.
func ExampleCover() {
	set, err := coverage.Cover(context.Background(), grammars.Must("json"), 2, coverage.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d sentences for %d paths\n", len(set.Trees), set.Paths)
	for _, t := range set.Trees[:3] {
		fmt.Println(t.Text())
	}
	// Output:
	// 6 sentences for 23 paths
	// {"":0,"":0}
	// [0,0]
	// ""
}

// Further sentences take the alternatives missing in a corpus.
func ExampleCoverage_Alternatives() {
	g := grammars.Must("expr")
	c, err := coverage.New(g, coverage.Options{})
	if err != nil {
		log.Fatal(err)
	}
	c.Add(sentence(g, 1, 0, 0, 1, 1))
	trees, err := c.Alternatives(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	for _, t := range trees {
		fmt.Println(t.Text())
	}
	// Output:
	// (0) / 0 * 0 * 0 - 0 + 0 - 0 + 0
}

// Weights learned from sentences make generated sentences similar to them.
func ExampleCoverage_Weights() {
	g := grammars.Must("expr")
	c, err := coverage.New(g, coverage.Options{})
	if err != nil {
		log.Fatal(err)
	}
	c.Add(sentence(g, 1, 0, 0, 1, 1))
	weighted := g.WithWeights(c.Weights(false))
	for _, e := range weighted.Exprs {
		if e.Weights != nil {
			fmt.Println(e.Pos, e.Weights)
		}
	}
	// Output:
	// expr.ebnf:2:8 [1 1 0]
	// expr.ebnf:3:8 [1 0 0]
	// expr.ebnf:4:10 [1 1]
	// expr.ebnf:5:8 [0 1]
}
