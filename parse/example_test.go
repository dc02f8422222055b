package parse_test

import (
	"context"
	"fmt"
	"math/big"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/load"
	"github.com/gramfuzz/gramfuzz/parse"
	"github.com/gramfuzz/gramfuzz/sample"
)

func Example() {
	ctx := context.Background()
	g := load.MustString(`e = e "+" e | [0-9] ;`)
	p, err := parse.New(ctx, g, parse.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	f, err := p.Parse(ctx, "input", "1+2+3")
	if err != nil {
		fmt.Println(err)
		return
	}
	n, _ := f.Count(ctx)
	tree, _ := f.Tree(ctx)
	fmt.Println(n, "trees, first", tree.Choices())

	_, err = p.Parse(ctx, "input", "1+*")
	fmt.Println(err)
	// Output:
	// 2 trees, first [0 0 1 1 1 2 1 3]
	// input:1:3: unexpected "*"; expected [0-9] (in rule e, begun at 1:1)
}

func ExampleParser_Parse() {
	ctx := context.Background()
	p, err := parse.New(ctx, grammars.Must("json"), parse.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = p.Parse(ctx, "x.json", "{\n  \"a\": [1, 2\n}")
	fmt.Println(err)
	// Output:
	// x.json:3:1: unexpected "}"; expected "]" or "," (in rule array, begun at 2:8)
}

// The trees of an ambiguous text, the canonical one first.
func ExampleForest_All() {
	ctx := context.Background()
	g := load.MustString(`e = e "+" e | [0-9] ;`)
	p, err := parse.New(ctx, g, parse.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	f, err := p.Parse(ctx, "input", "1+2+3+4")
	if err != nil {
		fmt.Println(err)
		return
	}
	for tree, err := range f.All(ctx) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(tree.Choices())
	}
	// Output:
	// [0 0 0 1 1 1 2 1 3 1 4]
	// [0 0 1 1 0 1 2 1 3 1 4]
	// [0 0 1 1 1 2 0 1 3 1 4]
	// [0 1 1 0 0 1 2 1 3 1 4]
	// [0 1 1 0 1 2 0 1 3 1 4]
}

// Distinct texts of an ambiguous grammar, each equally likely.
func ExampleParser_Texts() {
	ctx := context.Background()
	g := load.MustString(`s = s s | "a" | "b" ;`)
	b := count.Size(3, grammar.Terminals)
	s, err := sample.New(ctx, g, sample.Options{Bound: b, Measure: grammar.Exact, Seed: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := parse.New(ctx, g, parse.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	texts := p.Texts(s.Source(), b, nil)
	for i := range uint64(4) {
		tree, err := texts.Tree(ctx, i)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(tree.Text())
	}
	// Output:
	// bab
	// baa
	// aaa
	// bba
}

// The number of distinct texts within a bound, and the texts in order.
func ExampleParser_TextTable() {
	ctx := context.Background()
	g := load.MustString(`s = s s | "a" | "b" ;`)
	table, err := count.New(ctx, g, count.Size(3, grammar.Terminals), count.Options{Measure: grammar.Exact})
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := parse.New(ctx, g, parse.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	texts := p.TextTable(table, nil)
	n, err := texts.Count(ctx)
	fmt.Println(table.Total(), "trees,", n, "texts", err)
	tree, err := texts.Unrank(ctx, big.NewInt(5))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(tree.Text())
	// Output:
	// 16 trees, 8 texts <nil>
	// bab
}
