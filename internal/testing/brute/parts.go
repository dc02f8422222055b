package brute

import (
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
)

// Small has grammars for exhaustive tests: ambiguous, nullable, recursive both ways, inline, of
// one rule and of several.
var Small = []string{
	`t = "x" | "(" t t ")" ;`,
	`e = e "+" e | "n" ;`,
	`e = e "+" t | t ; t = n | "(" e ")" ; n = "0" | "1" ;`,
	`s = "a" s | "" ;`,
	`s = s "a" | "b" ;`,
	`s = (a | b)* ; a = "x" b? ; b = "y" | "" ;`,
	`s = a{1,3} c ; a = "x" c | "" ; c = ("z" c)? ;`,
	`s = a b ; a = "x"* ; b = "x"* | "y" ;`,
	`s = ("a" | "b" ("c" | "d"))+ ;`,
	`s = "(" s ")" s | "" ;`,
	`s = o o o ; o = "a"? ;`,
	`s = a | b ; a = "x" b | "x" ; b = "y" a | "y" ;`,
	`s = [a-c] s | [0-1] ;`,
	`s = ("a" ("b" | "c")?){0,2} ;`,
	`s = "i" s | "i" s "e" s | "x" ;`,
	`s = "a" | s s ;`,
	`s = x x ; x = ("p" | "q") x | "r" ;`,
	`s = (("a" | "b") ("c" | "d"))* ("e" | "f")? ;`,
	`s = "a"{2,} | ("b" "c"){1,2} s ;`,
	`s = t "." | t "," s ; t = "u" | "v" t ;`,
	`s = a? b? c? ; a = "1" | "2" a ; b = a | "3" ; c = b b ;`,
}

// Parts lists the alternatives and bodies of repetitions that a derivation takes, by their
// expressions, in the order in which they begin.
func Parts(tree *derive.Tree) []*grammar.Expr {
	o := &occurrences{tree: tree}
	o.expr(tree.Grammar.Root)
	return o.list
}

type occurrences struct {
	tree *derive.Tree
	at   int
	list []*grammar.Expr
}

func (o *occurrences) expr(e *grammar.Expr) {
	if e.Op == grammar.Seq {
		for _, k := range e.Children {
			o.expr(k)
		}
		return
	}
	node := o.tree.Nodes()[o.at]
	o.at++
	if node.Name {
		return // the automaton of the names derives it
	}
	switch e.Op {
	case grammar.Choice:
		o.list = append(o.list, e.Children[node.Val])
		o.expr(e.Children[node.Val])
	case grammar.Rep:
		for range node.Val {
			o.list = append(o.list, e.Children[0])
			o.expr(e.Children[0])
		}
	case grammar.Ref:
		o.expr(e.Rule.Body)
	}
}

// Has reports whether the parts of a chain occur one after the other.
func Has(list []*grammar.Expr, chain ...*grammar.Expr) bool {
	for _, e := range list {
		if len(chain) > 0 && e == chain[0] {
			chain = chain[1:]
		}
	}
	return len(chain) == 0
}
