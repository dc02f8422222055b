package lex

import (
	"testing"

	"github.com/gramfuzz/gramfuzz/grammar"
)

func TestNeverJoins(t *testing.T) {
	number := func() *grammar.Rule { return rule(grammar.Token, "NUM", plus(class("0-9"))) }
	name := func() *grammar.Rule { return rule(grammar.Token, "ID", plus(class("a-z"))) }
	space := func() *grammar.Rule { return rule(grammar.Skip, "SP", plus(class(" "))) }
	for _, tt := range []struct {
		what  string
		rules []*grammar.Rule
		want  bool
	}{
		{"a list", []*grammar.Rule{rule(grammar.Syntax, "s", seq(lit("["), opt(seq(ref("NUM"), star(seq(lit(","), ref("NUM"))))), lit("]"))), number(), space()}, true},
		{"numbers side by side", []*grammar.Rule{rule(grammar.Syntax, "s", plus(ref("NUM"))), number(), space()}, false},
		{"side by side over what may be empty", []*grammar.Rule{rule(grammar.Syntax, "s", seq(ref("NUM"), opt(lit(",")), ref("s2"))), rule(grammar.Syntax, "s2", opt(ref("NUM"))), number(), space()}, false},
		{"the end of a rule and what follows its use", []*grammar.Rule{rule(grammar.Syntax, "s", seq(ref("a"), ref("a"))), rule(grammar.Syntax, "a", seq(lit("("), ref("ID"))), name(), space()}, true},
		{"a word before a name", []*grammar.Rule{rule(grammar.Syntax, "s", seq(lit("let"), ref("ID"))), name(), space()}, false},
		{"minus that two of are another", []*grammar.Rule{rule(grammar.Syntax, "s", alt(ref("NUM"), seq(lit("-"), ref("s")), seq(lit("--"), ref("s")))), number(), space()}, false},
		{"a longer token begun by two", []*grammar.Rule{rule(grammar.Syntax, "s", alt(lit("abc"), seq(lit("a"), lit("b"), lit("d")))), space()}, false},
		{"a token without text", []*grammar.Rule{rule(grammar.Syntax, "s", seq(ref("E"), lit("x"))), rule(grammar.Token, "E", star(class("0-9"))), space()}, false},
		{"a recursive token", []*grammar.Rule{rule(grammar.Syntax, "s", ref("N")), rule(grammar.Token, "N", seq(lit("("), opt(ref("N")), lit(")"))), space()}, false},
	} {
		g, _ := resolve(t, gram(tt.rules...))
		l, err := New(g)
		if err != nil {
			t.Fatal(err)
		}
		if got := l.NeverJoins(); got != tt.want {
			t.Errorf("%s: got %v, want %v", tt.what, got, tt.want)
		}
	}
}
