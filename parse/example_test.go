package parse_test

import (
	"context"
	"fmt"

	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/load"
	"github.com/gramfuzz/gramfuzz/parse"
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
