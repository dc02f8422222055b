package lex

import (
	"slices"
	"testing"

	"github.com/gramfuzz/gramfuzz/grammar"
)

// A rule that ends a chain of `more` rules derives just the texts that the
// scanner reads as one token of it.
func TestChainsOfMore(t *testing.T) {
	for name, c := range map[string]struct {
		g     *grammar.Grammar
		token string
		chars string
		limit int
		has   []string
	}{
		"string with escapes": {gram(
			rule(grammar.Syntax, "s", star(alt(ref("STR"), ref("ID")))),
			rule(grammar.Token, "ID", plus(class("a-z"))),
			with(rule(grammar.Token, "Q", lit(`"`)), "", "more", "mode STR"),
			with(rule(grammar.Token, "ESC", seq(lit(`\`), class(`\"`))), "STR", "more"),
			with(rule(grammar.Token, "CH", class(`^"`)), "STR", "more"),
			with(rule(grammar.Token, "STR", lit(`"`)), "STR", "mode DEFAULT_MODE"),
		), "STR", `"\a`, 5, []string{`""`, `"a"`, `"\""`, `"\\"`, `"\a"`}},
		"processing instruction": {gram(
			rule(grammar.Syntax, "s", star(alt(ref("PI"), ref("DECL")))),
			with(rule(grammar.Token, "DECL", lit("<?ab")), ""),
			with(rule(grammar.Token, "OPEN", seq(lit("<?"), plus(class("ab")))), "", "more", "pushMode PROC"),
			with(rule(grammar.Token, "PI", lit("?>")), "PROC", "popMode"),
			with(rule(grammar.Token, "ANY", anyChar()), "PROC", "more"),
		), "PI", "<?ab>", 6, []string{"<?a?>", "<?a??>", "<?a>?>", "<?bb?>"}},
	} {
		t.Run(name, func(t *testing.T) {
			l := newLexer(t, c.g)
			kind := l.byRule[c.g.Rule(c.token)]
			got := derivations{c.g, c.chars, c.limit}.of(c.g.Rule(c.token).Body)
			for _, src := range texts(c.chars, c.limit) {
				toks, err := l.Tokens([]byte(src))
				one := err == nil && len(toks) == 1 && toks[0].Kind == kind && toks[0].End == len(src)
				want := 0
				if one {
					want = 1
				}
				if got[src] != want {
					t.Fatalf("%q is derived %d times, read as one token: %v", src, got[src], one)
				}
				if slices.Contains(c.has, src) && !one {
					t.Errorf("%q is not one token", src)
				}
			}
		})
	}
}

// Tokens of one type stand for each other: which it is, the mode decides.
func TestTypes(t *testing.T) {
	l := newLexer(t, gram(
		rule(grammar.Syntax, "s", star(alt(ref("OPEN"), ref("COMMA"), ref("COMMA2"), ref("DOT")))),
		with(rule(grammar.Token, "OPEN", lit("(")), "", "pushMode IN"),
		rule(grammar.Token, "COMMA", lit(",")),
		with(rule(grammar.Token, "COMMA2", lit(",")), "IN", "type COMMA"),
		with(rule(grammar.Token, "DOT", lit(".")), "IN"),
	))
	text, err := join(l.Joiner(Tight, nil), pieces(l, "COMMA2:,", "OPEN:(", "COMMA:,", "COMMA2:,"))
	if got, want := scan(l, text), "COMMA:, OPEN:( COMMA2:, COMMA2:,"; got != want || err != nil {
		t.Errorf("got %s, %v; want %s", got, err, want)
	}
	if _, err := join(l.Joiner(Tight, nil), pieces(l, "DOT:.")); err == nil {
		t.Error("DOT was taken outside of its mode")
	}
}
