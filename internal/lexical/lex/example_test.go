package lex_test

import (
	"fmt"

	"github.com/gramfuzz/gramfuzz/internal/lexical/lex"
	"github.com/gramfuzz/gramfuzz/load"
)

// The body of COMMENT is rewritten without the non-greedy loop: a comment never contains
// its end.
func ExampleResolve() {
	g := load.MustString(`s = COMMENT* ; @token COMMENT = "<" .*? ">" ;`) // calls Resolve
	for _, e := range g.Rule("COMMENT").Body.Children {
		fmt.Printf("%v %q\n", e.Op, e.Text)
	}
	loop := g.Rule("COMMENT").Body.Children[1]
	fmt.Println("not in the loop:", string(loop.Children[0].Ranges[0].Lo))
	// Output:
	// literal "<"
	// repetition ""
	// literal ">"
	// not in the loop: >
}

func ExampleLexer_Joiner() {
	g := load.MustString(`s = ("int" | "-" | "--" | ID)* ; @token ID = [a-z]+ ; @skip WS = " " ;`)
	l, err := lex.New(g)
	if err != nil {
		fmt.Println(err)
		return
	}
	alts := g.Start.Body.Children[0].Children
	j := l.Joiner(lex.Tight, nil)
	for _, i := range []int{0, 3, 1, 1, 3} {
		text := alts[i].Text
		if text == "" {
			text = "x"
		}
		sep, err := j.Next(l.KindOf(alts[i]), text)
		if err != nil {
			fmt.Println(err)
		}
		fmt.Print(sep, text)
	}
	// Output: int x- -x
}
