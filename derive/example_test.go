package derive_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammars"
)

// A derivation and its choice sequence determine each other.
func Example() {
	ctx := context.Background()
	m := derive.NewMachine(grammars.Must("tree"), derive.Options{})
	first := derive.ChooserFunc(func(d *derive.Decision) (int, error) { return d.Value(0), nil })
	tree, err := m.Run(ctx, first)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(tree.Choices(), tree.Text())
	again, err := m.Run(ctx, derive.Replay(tree.Choices()))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(again.Text() == tree.Text())
	// Output:
	// [0] x
	// true
}

// Every sequence of integers gives a derivation.
func ExampleReplay() {
	m := derive.NewMachine(grammars.Must("expr"), derive.Options{})
	for _, choices := range [][]int{nil, {7, 1, 100, 3}, {1, 1, 0, 4}} {
		tree, err := m.Run(context.Background(), derive.Replay(choices))
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(tree.Text(), tree.Choices())
	}
	// Output:
	// 0 [0 0 0 1 0]
	// 0 + 0 + 0 + 0 [1 1 1 0 0 0 1 0 0 0 1 0 0 0 1 0 0 0 1 0]
	// 0 * 0 + 0 + 0 [1 1 0 1 0 0 1 0 0 1 0 0 0 1 0 0 0 1 0]
}

// A record is a line of JSON with everything needed to reproduce the sentence.
func ExampleReadRecords() {
	ctx := context.Background()
	m := derive.NewMachine(grammars.Must("expr"), derive.Options{})
	tree, err := m.Run(ctx, derive.Replay([]int{1, 0, 2}))
	if err != nil {
		fmt.Println(err)
		return
	}
	rec := derive.Record{Grammar: derive.GrammarRef{Name: "expr"}, Choices: tree.Choices(), Text: tree.AppendText(nil)}
	file := string(rec.Append(nil)) + "\n"

	for rec, err := range derive.ReadRecords("found.jsonl", strings.NewReader(file)) {
		if err != nil {
			fmt.Println(err)
			return
		}
		tree, err := m.Run(ctx, derive.Strict(rec.Choices))
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(rec.Grammar.Name, tree.Text() == string(rec.Text))
	}
	// Output:
	// expr true
}
