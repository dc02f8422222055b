package count_test

import (
	"fmt"
	"log"
	"math/big"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/parse"
)

// Counts the sentences of every size up to 7, and of all these sizes together.
func ExampleNew() {
	table, err := count.New(ctx, grammars.Must("expr"), count.Sizes(1, 7, grammar.Terminals), count.Options{})
	if err != nil {
		log.Fatal(err)
	}
	for size := 1; size <= 7; size++ {
		fmt.Print(table.At(size), " ")
	}
	fmt.Println("sum", table.Total())
	// Output: 1 1 5 10 34 87 272 sum 410
}

// A bound without a sentence is an error that names the sizes near it.
func ExampleEmptyError() {
	_, err := count.New(ctx, grammars.Must("lambda"), count.Size(2, grammar.Terminals), count.Options{})
	fmt.Println(err)
	// Output:
	// no sentence of 2 terminals; nearest is 3
}

func ExampleTable_Unrank() {
	table, err := count.New(ctx, grammars.Must("expr"), count.Size(7, grammar.Terminals), count.Options{})
	if err != nil {
		log.Fatal(err)
	}
	for _, rank := range []int64{0, 100, 200} {
		tree, err := table.Unrank(big.NewInt(rank))
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(tree.Text())
	}
	// Output:
	// (((0)))
	// 0 * (0) / 0
	// 0 - 0 * 0 * 0
}

func ExampleTable_Rank() {
	g := grammars.Must("expr")
	table, err := count.New(ctx, g, count.Sizes(1, 7, grammar.Terminals), count.Options{})
	if err != nil {
		log.Fatal(err)
	}
	p, err := parse.New(ctx, g, parse.Options{})
	if err != nil {
		log.Fatal(err)
	}
	forest, err := p.Parse(ctx, "sum", "(0 + 0) * 0")
	if err != nil {
		log.Fatal(err)
	}
	tree, err := forest.Tree(ctx)
	if err != nil {
		log.Fatal(err)
	}
	rank, err := table.Rank(tree)
	fmt.Println(rank, "of", table.Total(), err)
	// Output:
	// 202 of 410 <nil>
}

// Makes two tables of one program: the grammar is prepared once.
func ExampleNewTable() {
	p, err := count.NewProgram(grammars.Must("json"), count.Size(0, grammar.Bytes), count.Options{})
	if err != nil {
		log.Fatal(err)
	}
	for _, size := range []int{10, 20} {
		table, err := count.NewTable(ctx, p, count.Size(size, grammar.Bytes), count.Options{})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(table.Bound(), table.Total())
	}
	// Output:
	// size 10 bytes 424
	// size 20 bytes 3870959
}
