package sample_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/sample"
)

func Example() {
	s, err := sample.New(context.Background(), grammars.Must("expr"), sample.Options{Bound: count.Sizes(1, 9, grammar.Terminals), Seed: 3})
	if err != nil {
		log.Fatal(err)
	}
	src := s.Source()
	for i := range uint64(10) {
		text, _ := src.Text(context.Background(), i)
		fmt.Println(text)
	}
	// Output:
	// 65 * 5
	// -4549519621
	// 91779887476 + 579146727055
	// 7
	// -30101 / 87336022 + 66108
	// -(8222798 * 141892) * 40
	// -(8) / 2 + 5615430
	// 40530930
	// -96
	// 2042536 * -671821937250
}

// A walk takes each alternative with the same probability, as most tools do.
func ExampleOptions() {
	ctx := context.Background()
	s, err := sample.New(ctx, grammars.Must("tree"), sample.Options{Bound: count.Sizes(1, 7, grammar.Terminals), Strategy: sample.Walk, Seed: 1})
	if err != nil {
		log.Fatal(err)
	}
	src := s.Source()
	for i := range uint64(4) {
		tree, err := src.Tree(ctx, i)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(tree.Choices(), tree.Text())
	}
	// Output:
	// [1 1 0 0 0] ((xx)x)
	// [0] x
	// [1 1 0 0 0] ((xx)x)
	// [1 0 0] (xx)
}

// Every derivation occurs exactly once.
func ExampleNew_distinct() {
	ctx := context.Background()
	d, err := sample.New(ctx, grammars.Must("tree"), sample.Options{Bound: count.Depth(3), Seed: 1, Distinct: true})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(d.Len(), "sentences")
	src := d.Source()
	for i := uint64(0); ; i++ {
		text, err := src.Text(ctx, i)
		if errors.Is(err, sample.ErrExhausted) {
			break
		}
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(text)
	}
	// Unordered output:
	// 5 sentences
	// x
	// (xx)
	// (x(xx))
	// ((xx)x)
	// ((xx)(xx))
}

// The averages of a sampler, and the alternatives that 5 sentences would miss.
func ExampleExplain() {
	x, err := sample.Explain(context.Background(), grammars.Must("expr"), sample.Options{Bound: count.Sizes(1, 9, grammar.Terminals)}, 0, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%v derivations, %.1f terminals a sentence, %d alternatives missed\n", x.Total, x.Terminals, len(x.Missed(5)))
	// Output:
	// 3546 derivations, 5.0 terminals a sentence, 0 alternatives missed
}

// The range of sizes in which 20 sentences miss the fewest alternatives.
func ExampleSuggest() {
	b, missed, err := sample.Suggest(context.Background(), grammars.Must("json"), sample.Options{}, 20)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(b, missed)
	// Output:
	// size 1 to 21 terminals 1
}
