package texts_test

import (
	"context"
	"fmt"
	"math/big"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/load"
	"github.com/gramfuzz/gramfuzz/parse"
	"github.com/gramfuzz/gramfuzz/texts"
)

// Counts the distinct texts within a bound, and lists the texts in order.
func ExampleNewTable() {
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
	t := texts.NewTable(p, table, nil)
	n, err := t.Count(ctx)
	fmt.Println(table.Total(), "trees,", n, "texts", err)
	tree, err := t.Unrank(ctx, big.NewInt(5))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(tree.Text())
	// Output:
	// 16 trees, 8 texts <nil>
	// bab
}
