package lex

import (
	"slices"
	"strings"
	"testing"

	"github.com/gramfuzz/gramfuzz/grammar"
)

// A rule that ends a chain of `more` rules derives exactly the texts that the scanner
// reads as one of its tokens.
func TestChainsOfMore(t *testing.T) {
	for name, c := range map[string]struct {
		g     *grammar.Bound
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
			kind := l.byRule[l.grammar.Rule(c.token)]
			got := derivations{c.chars, c.limit}.of(l.grammar.Rule(c.token).Body)
			for _, src := range texts(c.chars, c.limit) {
				toks, err := l.Tokens(src)
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

// Tokens of one type stand for each other; the mode decides which of them is read.
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

// TestEmptyRuleLeavesMode ends statements as in Go: a newline after a word is a token. If
// there is no newline, the mode is left without reading anything.
func TestEmptyRuleLeavesMode(t *testing.T) {
	l := newLexer(t, gram(
		rule(grammar.Syntax, "s", star(alt(seq(ref("WORD"), opt(lit("+")), opt(ref("WORD")), ref("EOS")), lit("-")))),
		with(rule(grammar.Token, "WORD", plus(class("a-z"))), "", "mode END"),
		rule(grammar.Token, "PLUS", lit("+")),
		rule(grammar.Token, "MINUS", lit("-")),
		rule(grammar.Skip, "WS", plus(class(" \n"))),
		rule(grammar.Skip, "REMARK", seq(lit("/*"), star(class("^*")), lit("*/"))),
		with(rule(grammar.Token, "EOS", lit("\n")), "END", "mode DEFAULT_MODE"),
		with(rule(grammar.Skip, "BLANK", lit(" ")), "END"),
		with(rule(grammar.Skip, "OTHER", seq()), "END", "mode DEFAULT_MODE", "skip"),
	))
	for src, want := range map[string]string{
		"a\n":         "WORD EOS",
		"a +\nb\n\n-": "WORD PLUS WORD EOS MINUS",
		"a/**/+":      "WORD PLUS",
	} {
		var got []string
		for _, p := range visible(t, l, src) {
			got = append(got, l.Kinds()[p.kind].Name)
		}
		if g := strings.Join(got, " "); g != want {
			t.Errorf("%q is read as %s, want %s", src, g, want)
		}
	}
	got, err := join(l.Joiner(Tight, nil), pieces(l, "WORD:a", "PLUS:+", "WORD:b", "EOS:\n", "MINUS:-"))
	if want := "a+b\n-"; err != nil || got != want {
		t.Errorf("laid out as %q (%v), want %q", got, err, want)
	}
	if got, err := join(l.Joiner(Tight, nil), pieces(l, "WORD:a", "EOS:\n", "EOS:\n")); err == nil {
		t.Errorf("laid out as %q", got)
	}
	if _, err := l.Tokens("a#"); err == nil {
		t.Error("# is read")
	}
}
