package antlr4_test

import (
	"fmt"
	"testing/fstest"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/load/internal/antlr4"
	"github.com/gramfuzz/gramfuzz/load/internal/notation/notationtest"
	"github.com/gramfuzz/gramfuzz/load/internal/syntax"
)

func ExampleParse() {
	g, ds := antlr4.Parse("list.g4", []byte(`
grammar list;
list : '[' (INT (',' INT)*)? ']' EOF ;
INT  : [0-9]+ ;
WS   : [ \t]+ -> skip ;
`))
	fmt.Println(ds.Err())
	for _, r := range g.Rules {
		fmt.Println(r.Pos, r.Kind, r.Name)
	}
	// Output:
	// <nil>
	// list.g4:3:1 rule list
	// list.g4:4:1 token INT
	// list.g4:5:1 skip WS
}

func ExampleParse_errors() {
	_, ds := antlr4.Parse("bad.g4", []byte("grammar bad;\na : 'x' | b\nb : 'y' ;\nC : [z-a] ;\n"))
	fmt.Println(ds.Err())
	// Output:
	// bad.g4:3:3: unexpected ":" in rule "a"; the ; of the rule before is missing
	// bad.g4:4:6: the range z-a goes backwards; swap its ends, or write \- for a hyphen
}

func ExampleLoad() {
	fsys := fstest.MapFS{
		"calc/CalcParser.g4": {Data: []byte("parser grammar CalcParser; options { tokenVocab = CalcLexer; } sum : NUM ('+' NUM)* EOF ;")},
		"calc/CalcLexer.g4":  {Data: []byte("lexer grammar CalcLexer; NUM : [0-9]+ ; PLUS : '+' ;")},
	}
	g, ds := antlr4.Load(fsys, "calc", "")
	fmt.Println(g.Name, g.Entry, len(g.Rules), ds.Err())
	// Output: CalcParser sum 3 <nil>
}

func ExamplePrint() {
	pos := grammar.Pos{File: "ab.ebnf", Line: 1, Col: 1}
	body := syntax.NewRep(pos, syntax.NewClass(pos, false, grammar.Range{Lo: 'a', Hi: 'b'}), 1, 2)
	g := &syntax.Grammar{Name: "ab", Rules: []*syntax.Rule{{Name: "S", Pos: pos, Body: body}}}
	frozen, _ := notationtest.Freeze(g)
	text, lost := antlr4.Print(frozen)
	fmt.Print(text)
	fmt.Println(lost)
	// Output:
	// grammar ab;
	//
	// s
	//     : CHARS_1 CHARS_1? EOF
	//     ;
	//
	// CHARS_1
	//     : [a-b]
	//     ;
	// ab.ebnf:1:1: note: names are changed: S to s; parser rules begin with a small letter and lexer rules with a capital; some names are reserved
}
