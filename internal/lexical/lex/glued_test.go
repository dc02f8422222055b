package lex

import (
	"strings"
	"testing"

	"github.com/gramfuzz/gramfuzz/grammar"
)

// TestGluedTwin: a literal and a glued token with the same text are two tokens. Without layout
// before it the text is the glued one where both are expected.
func TestGluedTwin(t *testing.T) {
	paren := rule(grammar.Token, "CALL", lit("("))
	paren.Glued = true
	g := gram(
		rule(grammar.Syntax, "s", star(ref("v"))),
		rule(grammar.Syntax, "v", alt(ref("NAME"), seq(ref("NAME"), ref("CALL"), lit(")")), seq(lit("("), ref("s"), lit(")")))),
		rule(grammar.Token, "NAME", plus(class("a-z"))),
		rule(grammar.Token, "TEXT", plus(class("^'"))), // not expected anywhere; it can begin with layout
		paren,
		rule(grammar.Skip, "WS", lit(" ")),
	)
	g.ContextLexing = true
	l := newLexer(t, g)
	for _, c := range []struct{ words, want string }{
		{"NAME:f CALL:( )", "f()"},
		{"NAME:f ( NAME:x )", "f (x)"},
		{"( ( NAME:x ) )", "((x))"},
		{"NAME:f NAME:x", "f x"},
	} {
		got, err := join(l.Joiner(Tight, nil), pieces(l, strings.Fields(c.words)...))
		if err != nil || got != c.want {
			t.Errorf("%s is laid out as %q (%v), want %q", c.words, got, err, c.want)
		}
	}
	if got, err := join(l.Joiner(Spaced, nil), pieces(l, strings.Fields("NAME:f CALL:( )")...)); err != nil || got != "f( )" {
		t.Errorf("spaced: %q, %v", got, err)
	}
}
