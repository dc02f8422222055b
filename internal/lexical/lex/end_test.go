package lex

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gramfuzz/gramfuzz/grammar"
)

func end() *grammar.Expr {
	return newClass(grammar.Pos{}, false, grammar.Range{Lo: grammar.EndOfText, Hi: grammar.EndOfText})
}

// endGrammar returns a grammar with three uses of the end of the text. It ends a comment,
// as the end of a line does. It alone ends the token OPEN. It makes the text of an ID a
// LAST instead.
func endGrammar() *grammar.Bound {
	return gram(
		rule(grammar.Syntax, "s", star(alt(ref("ID"), ref("OPEN"), ref("LAST"), lit("/")))),
		rule(grammar.Token, "ID", plus(class("a-z"))),
		rule(grammar.Token, "OPEN", seq(lit(`"`), star(class(`^"`)), ref("END"))),
		rule(grammar.Token, "LAST", seq(lit("zz"), ref("END"))),
		rule(grammar.Skip, "LINE", seq(lit("//"), lazy(star(anyChar())), alt(ref("NL"), end()))),
		rule(grammar.Skip, "WS", plus(class(" \n"))),
		rule(grammar.Fragment, "NL", alt(lit("\n"), ref("END"))),
		rule(grammar.Fragment, "END", end()),
	)
}

func TestEndOfTextIsRead(t *testing.T) {
	l := newLexer(t, endGrammar())
	for src, want := range map[string]string{
		"a//b\nc":  "ID:a (LINE://b\n) ID:c",
		"a//b c":   "ID:a (LINE://b c)",
		"a//":      "ID:a (LINE://)",
		"a /b":     "ID:a (WS: ) \"/\":/ ID:b",
		`a "b`:     `ID:a (WS: ) OPEN:"b`,
		"zz zz":    "ID:zz (WS: ) LAST:zz",
		"zz ":      "ID:zz (WS: )",
		"zza zzab": "ID:zza (WS: ) ID:zzab",
		"":         "",
	} {
		if diff := cmp.Diff(want, scan(l, src)); diff != "" {
			t.Errorf("%q: (-want +got)\n%s", src, diff)
		}
	}
}

func TestEndOfTextIsNotWritten(t *testing.T) {
	g, ds := resolve(t, endGrammar())
	if len(ds) > 0 {
		t.Error(ds)
	}
	d := derivations{"/a\"\nz", 4}
	for name, want := range map[string]map[string]int{
		"LINE": {"//\n": 1, "//a\n": 1, "///\n": 1, "//z\n": 1, "//\"\n": 1},
		"LAST": {"zz": 1},
	} {
		if diff := cmp.Diff(want, d.of(g.Rule(name).Body)); diff != "" {
			t.Errorf("%s (-want +got)\n%s", name, diff)
		}
	}
}

func TestJoinAtTheEnd(t *testing.T) {
	l := newLexer(t, endGrammar())
	for _, c := range []struct {
		words []string
		want  string
		fails string
	}{
		{[]string{"ID:a", `OPEN:"b`}, `a"b`, ""},
		{[]string{`OPEN:"b`, "ID:a"}, `"b`, `nothing separates "\"b" from "a" in mode DEFAULT_MODE`},
		{[]string{"ID:zz", "LAST:zz"}, "zz zz", ""},
		{[]string{"LAST:zz", "ID:zz"}, "zz", `nothing separates "zz" from "zz" in mode DEFAULT_MODE`},
		{[]string{"ID:zz"}, "zz ", ""}, // zz alone is LAST
		{[]string{"/", "/"}, "/ /", ""},
	} {
		got, err := join(l.Joiner(Tight, nil), pieces(l, c.words...))
		var je *JoinError
		if got != c.want || (c.fails == "") != (err == nil) || err != nil && (!errors.As(err, &je) || err.Error() != c.fails) {
			t.Errorf("%v: got %q, %v; want %q, %s", c.words, got, err, c.want, c.fails)
		}
	}
}
