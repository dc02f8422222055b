package sample_test

import (
	"context"
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
