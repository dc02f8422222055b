package lex

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gramfuzz/gramfuzz/grammar"
)

// lineGrammar returns a grammar with lines and blocks. body is the body of the newline rule.
func lineGrammar(body *grammar.Expr) *grammar.Bound {
	return gram(
		rule(grammar.Syntax, "s", star(alt(ref("W"), lit("("), lit(")"), ref("NL"), ref("IN"), ref("DE")))),
		rule(grammar.Token, "W", plus(class("a-z"))),
		with(rule(grammar.Token, "NL", body), "", "newline", "open (", "close )"),
		with(rule(grammar.Token, "IN", lit("\x0e")), "", "indent"),
		with(rule(grammar.Token, "DE", lit("\x0f")), "", "dedent"),
		rule(grammar.Skip, "WS", plus(lit(" "))),
		rule(grammar.Skip, "NOTE", seq(lit("#"), star(class("^\n")))),
	)
}

// TestScanLines checks the tokens that columns and line breaks are read as.
func TestScanLines(t *testing.T) {
	for src, want := range map[string]string{
		"a\n b\n":                "W:a NL:\n IN: W:b NL:\n DE:",
		"a\n b\n  c\n\n # x\n d": "W:a NL:\n IN: W:b NL:\n IN: W:c NL:\n (NL:\n) (NOTE:# x) (NL:\n) DE: W:d DE:",
		"a(\n b\n)\nc":           `W:a "(":( (NL:` + "\n" + `) (WS: ) W:b (NL:` + "\n" + `) ")":) NL:` + "\n W:c",
		"\n  a\n\tb\n":           "(NL:\n) IN: W:a NL:\n IN: W:b NL:\n DE: DE:",
		"a\n   b\n  c":           "W:a NL:\n IN: W:b NL:\n error 3:3: inconsistent dedent: the blocks around it begin in columns 1 and 4",
		"a\n  ?":                 "W:a NL:\n IN: error 2:3: unexpected \"?\"; no token begins with it",
		"":                       "",
	} {
		if got := scan(newLexer(t, lineGrammar(lit("\n"))), src); got != want {
			t.Errorf("%q: got %s, want %s", src, got, want)
		}
	}
	l := newLexer(t, lineGrammar(plus(seq(lit("\n"), star(lit(" "))))))
	if got, want := scan(l, "a\n \n  b\n"), "W:a NL:\n \n IN: W:b NL:\n DE:"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if l.kinds[l.lines.newline].Rule.Written == nil {
		t.Error("a newline that goes on into the next line generates such texts")
	}
}

// TestJoinLines checks the layout of lines and blocks.
func TestJoinLines(t *testing.T) {
	l := newLexer(t, lineGrammar(lit("\n")))
	for _, c := range []struct{ words, spaced, refused string }{
		{"W:a NL:\n IN: W:b W:c NL:\n DE: W:d NL:\n", "a\n    b c\nd\n", ""},
		{"W:a NL:\n IN: W:b NL:\n IN: W:c NL:\n DE: DE:", "a\n    b\n        c\n", ""},
		{"W:a NL:\n IN: W:b DE:", "a\n    b", ""},
		{"IN: W:a NL:\n DE:", "    a\n", ""},
		{"W:a IN:", "", "IN cannot stand behind \"a\": a block begins before the first token of a line"},
		{"W:a NL:\n IN: IN:", "", "IN cannot stand behind \"\\n\": a block begins before the first token of a line"},
		{"W:a NL:\n IN: DE:", "", "DE cannot stand behind \"\\n\": no block can end there"},
		{"W:a NL:\n IN: W:b NL:\n DE: IN:", "", "IN cannot stand behind \"\\n\": a block begins before the first token of a line"},
		{"W:a DE:", "", "DE cannot stand behind \"a\": no block can end there"},
		{"W:a NL:\n NL:\n", "", "NL cannot stand behind \"\\n\": a line without tokens has no end"},
		{"NL:\n", "", "NL cannot stand behind \"\": a line without tokens has no end"},
		{"( NL:\n", "", "NL cannot stand behind \"(\": a line without tokens has no end"},
		{"W:a NL:\n IN: W:b DE: W:c", "", "W cannot stand behind \"b\": a block ended within the line"},
		{"W:a NL:\n IN: W:b NL:\n", "", "EOF cannot stand behind \"\\n\": a block is not ended"},
	} {
		ps := pieces(l, strings.Split(c.words, " ")...)
		got, err := join(l.Joiner(Spaced, nil), ps)
		switch {
		case c.refused != "":
			if err == nil || err.Error() != c.refused {
				t.Errorf("%q: got %q, %v", c.words, got, err)
			}
		case err != nil || got != c.spaced:
			t.Errorf("%q: got %q, %v", c.words, got, err)
		default:
			if d := cmp.Diff(ps, visible(t, l, got), cmp.AllowUnexported(piece{})); d != "" {
				t.Errorf("%q read again (-want +got):\n%s", got, d)
			}
		}
	}
}

// TestLinesRefused checks that incomplete indentation is refused.
func TestLinesRefused(t *testing.T) {
	rules := func(keep ...int) *grammar.Bound {
		b := lineGrammar(lit("\n"))
		all := b.Rules
		b.Rules = []*grammar.Rule{rule(grammar.Syntax, "s", ref("W"))}
		for _, i := range keep {
			r := *all[i]
			b.Rules = append(b.Rules, &r)
		}
		return b
	}
	whole := "indentation needs three tokens: of the end of a line, and of the beginning and the end of a block"
	second := rules(1, 2, 3, 4, 2)
	second.Rules[5].Name = "M"
	blank := rules(1, 2, 3, 4)
	blank.Rules[2].Body = seq(lit("\n"), lit(" "))
	for _, c := range []struct {
		b    *grammar.Bound
		want string
	}{
		{rules(1, 2), whole},
		{rules(1, 3, 4), whole},
		{second, `indentation is defined twice: "NL" and "M" are both its newline`},
		{blank, `a difference in rule "NL" leaves nothing`},
	} {
		_, ds, _ := resolved(c.b)
		if len(ds) == 0 || ds[0].Message != c.want {
			t.Errorf("got %v, want %s", ds, c.want)
		}
	}
}
