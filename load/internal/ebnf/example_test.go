package ebnf_test

import (
	"fmt"

	"github.com/gramfuzz/gramfuzz/load/internal/ebnf"
	"github.com/gramfuzz/gramfuzz/load/internal/notation/notationtest"
)

func ExampleParse() {
	g, ds := ebnf.Parse("sum.ebnf", []byte("sum := NUM | sum ' + ' NUM %3; @token NUM=[0-9]+;"))
	if err := ds.Err(); err != nil {
		fmt.Println(err)
		return
	}
	frozen, ds := notationtest.Freeze(g)
	fmt.Print(ebnf.Print(frozen))
	for _, d := range ds {
		fmt.Println(d)
	}
	// Output:
	// sum = NUM | sum " + " NUM %3 ;
	// @token NUM = [0-9]+ ;
	// sum.ebnf:1:1: note: rule "sum" is left-recursive (sum → sum); nothing to do: left recursion is no trouble here
}

func ExampleParse_mistakes() {
	_, ds := ebnf.Parse("bad.ebnf", []byte("a = [z-a] ;\nb = ( \"x\" ;\nc = \"y\" ;\n"))
	fmt.Println(ds.Err())
	// Output:
	// bad.ebnf:1:6: the range z-a is reversed; write the smaller character first
	// bad.ebnf:2:5: this "(" is never closed in rule b; write ")" where the group ends
}

func ExampleFormat() {
	out, _ := ebnf.Format("f.ebnf", []byte("a:=\"x\"|( b  )*;   // why\nb=a\n  ;"))
	fmt.Print(string(out))
	// Output:
	// a = "x" | (b)* ; // why
	// b = a ;
}
