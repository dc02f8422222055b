package grammar_test

import (
	"fmt"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/load"
)

// Facts are the least depths and sizes; this example prints them for the whole grammar and for
// one without the alternative "x".
func ExampleGrammar_Facts() {
	g := load.MustString(`e = "x" | "(" e ")" | n n ; n = [0-9]+ ;`)
	all := g.Facts(nil, grammar.Exact)
	fmt.Println(all.Size(g.Root, grammar.Bytes, grammar.Any), all.Depth(g.Root, grammar.Any))

	m := grammar.NewMask(g)
	m.Set(g.Rule("e").Body, 0, false)
	without := g.Facts(m, grammar.Exact)
	fmt.Println(without.Size(g.Root, grammar.Bytes, grammar.Any), without.Depth(g.Root, grammar.Any))
	// Output:
	// 1 1
	// 2 2
}

// WithWeights leaves the grammar unchanged and returns another.
func ExampleGrammar_WithWeights() {
	g := load.MustString(`coin = "heads" | "tails" ;`)
	choice := g.Rule("coin").Body
	fmt.Print(load.Native(g.WithWeights(map[int][]int{choice.ID: {3, 1}})))
	fmt.Print(load.Native(g))
	// Output:
	// coin = "heads" %3 | "tails" ;
	// coin = "heads" | "tails" ;
}

func ExampleGrammar_Recursive() {
	g := load.MustString(`list = "[" item* "]" ; item = "x" | list ;`)
	for _, r := range g.Recursive() {
		fmt.Println(r.Name)
	}
	fmt.Println(g.Finite())
	// Output:
	// list
	// item
	// false
}
