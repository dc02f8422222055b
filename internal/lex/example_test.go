package lex_test

import (
	"fmt"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/lex"
)

// A comment never contains its end: its body is rewritten without the
// non-greedy loop.
func ExampleResolve() {
	p := grammar.Pos{}
	loop := grammar.NewRep(p, grammar.NewClass(p, true), 0, grammar.Unbounded)
	loop.Lazy = true
	comment := &grammar.Rule{Name: "COMMENT", Kind: grammar.Token,
		Body: grammar.NewSeq(p, grammar.NewLit(p, "<"), loop, grammar.NewLit(p, ">"))}
	g := &grammar.Grammar{Rules: []*grammar.Rule{comment}}

	fmt.Println(lex.Resolve(g))
	for _, e := range comment.Body.Children {
		fmt.Printf("%v %q\n", e.Op, e.Text)
	}
	fmt.Println("not in the loop:", string(comment.Body.Children[1].Children[0].Ranges[0].Lo))
	// Output:
	//
	// literal "<"
	// repetition ""
	// literal ">"
	// not in the loop: >
}

func ExampleLexer_Joiner() {
	p := grammar.Pos{}
	letter := func() *grammar.Expr { return grammar.NewClass(p, false, grammar.Range{Lo: 'a', Hi: 'z'}) }
	g := &grammar.Grammar{Rules: []*grammar.Rule{
		{Name: "s", Body: grammar.NewChoice(p, grammar.NewLit(p, "int"), grammar.NewLit(p, "-"), grammar.NewLit(p, "--"), grammar.NewRef(p, "ID"))},
		{Name: "ID", Kind: grammar.Token, Body: grammar.NewRep(p, letter(), 1, grammar.Unbounded)},
		{Name: "WS", Kind: grammar.Skip, Body: grammar.NewLit(p, " ")},
	}}
	fmt.Print(lex.Resolve(g)) // ID is no longer "int"
	if err := g.Freeze(grammar.Options{}).Err(); err != nil {
		fmt.Println(err)
		return
	}
	l, err := lex.New(g)
	if err != nil {
		fmt.Println(err)
		return
	}
	alts := g.Rule("s").Body.Children
	j := l.Joiner(lex.Tight, nil)
	for _, t := range []struct {
		terminal *grammar.Expr
		text     string
	}{{alts[0], "int"}, {alts[3], "x"}, {alts[1], "-"}, {alts[1], "-"}, {alts[3], "y"}} {
		sep, err := j.Next(l.KindOf(t.terminal), t.text)
		if err != nil {
			fmt.Println(err)
		}
		fmt.Print(sep, t.text)
	}
	// Output: int x- -y
}
