package grammars_test

import (
	"fmt"

	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/load"
)

func ExampleMust() {
	g := grammars.Must("json")
	fmt.Println(g.Start.Name, len(g.Rules))
	// Output: text 12
}

func ExampleLoad() {
	g, _, err := grammars.Load("no/such/folder/tree.ebnf", load.Options{})
	fmt.Println(g.Name, err)
	_, _, err = grammars.Load("nosuch", load.Options{})
	fmt.Println(err)
	// Output:
	// tree <nil>
	// nosuch: no such file, and no grammar "nosuch" ships with gramfuzz; check the path
}
