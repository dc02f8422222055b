package load

import (
	"os"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"
)

// TestMessages checks the messages about habits from other notations.
func TestMessages(t *testing.T) {
	for _, test := range []struct{ what, src, want string }{
		{"annotation", `a = b @refer(x) @defin(x) @token @whatever ; b = "1" ;`,
			"g.ebnf:1:7: unknown annotation @refer; did you mean @use?\n" +
				"g.ebnf:1:17: unknown annotation @defin; did you mean @define?\n" +
				"g.ebnf:1:27: unknown annotation @token; write @token before the name of the rule that it is about\n" +
				"g.ebnf:1:34: unknown annotation @whatever; there are @bind, @commit, @default, @define, @forward, @fresh, @prec, @prefer, @same, @scope, @shadow, @use, and @len and others for computed fields"},
		{"precedence", `a = ("x")@prec(left) | ("y")@prec(1, up) | ("z")@prefer(a) | "1"@prec(-1, right)@prefer(2) ;`,
			"g.ebnf:1:10: @prec takes a whole number, and left or right; write it as in @prec(1, left)\n" +
				"g.ebnf:1:29: @prec takes a whole number, and left or right; write it as in @prec(1, left)\n" +
				"g.ebnf:1:49: @prefer takes a whole number; write it as in @prefer(1)"},
		{"undefined beside another mistake", "a = b | c ) ;\nd = a | e | f ;\n<f> = ( ;",
			"g.ebnf:1:11: this \")\" has no \"(\" in rule a; remove it, or write the other one\n" +
				"g.ebnf:2:9: rule \"e\" is not defined; did you mean \"a\"?\n" +
				"g.ebnf:3:7: this \"(\" is never closed in rule <f>; write \")\" where the group ends"},
		{"braces", "a = { b } ;\nb = [a-z] ;\nc = nosuch ;",
			"g.ebnf:1:5: unexpected \"{ b }\"; write ( … )* for any number of times, and {m}, {m,} or {m,n} behind an element for others; if the file is ISO 14977, choose it with --format iso\n" +
				"g.ebnf:3:5: rule \"nosuch\" is not defined; define it, or put it in quotes if it stands for itself"},
		{"escape of another notation", `a = [\u{1F600}-\u{1F64F}] | { "x" } ;`,
			"g.ebnf:1:29: unexpected \"{ \\\"x\\\" }\"; write ( … )* for any number of times, and {m}, {m,} or {m,n} behind an element for others; if the file is ISO 14977, choose it with --format iso"},
		{"escape of another notation alone", `a = [\u{1F600}-\u{1F64F}] ;`,
			"g.ebnf:1:6: \\u{1F600} is not an escape; use Go's escapes: \\U0001F600\n" +
				"g.ebnf:1:6: \\u{1F64F} is not an escape; use Go's escapes: \\U0001F64F"},
		{"empty", "", "g.ebnf:1:1: the grammar has no rules; write at least one, as in: start = \"x\" ;"},
	} {
		_, _, err := Source("g.ebnf", []byte(test.src), Options{})
		if err == nil {
			t.Errorf("%s: no error", test.what)
			continue
		}
		if d := cmp.Diff(test.want, err.Error()); d != "" {
			t.Errorf("%s: -want +got\n%s", test.what, d)
		}
	}
}

// TestClassLikeOptional: a class with a repeated quote or blank gives a warning, in every
// notation with such classes.
func TestClassLikeOptional(t *testing.T) {
	for _, test := range []struct {
		name, src string
		want      bool
	}{
		{"a.ebnf", `a = "x" [ "a" ] ;`, true},
		{"a.ebnf", `a = "x" ['a'] ;`, true},
		{"a.ebnf", `a = "x" [ b ] ;`, true},
		{"a.ebnf", `a = "x" ["' a-z] | [^"\\ ] ;`, false},
		{"a.w3c", `a ::= "x" [ "a" ]`, true},
		{"a.w3c", `a ::= "x" [a "'] | [^"#x20]`, false},
		{"a.gbnf", `root ::= "x" [ "a" ]`, true},
		{"a.gbnf", `root ::= "x" [^"\\ ]`, false},
	} {
		_, ds, err := Source(test.name, []byte(test.src), Options{})
		if err != nil {
			t.Errorf("%s: %v", test.src, err)
		}
		warned := false
		for _, d := range ds {
			warned = warned || d.Code == "class-like-group" && strings.Contains(d.Hint, "( … )?")
		}
		if warned != test.want {
			t.Errorf("%s: %v, want a warning: %v", test.src, ds, test.want)
		}
	}
}

// TestOwnAnnotations: custom hooks have custom annotations.
func TestOwnAnnotations(t *testing.T) {
	const src = `a = b @mine ; b = "1" ;`
	if _, err := String(src, "mine"); err != nil {
		t.Error(err)
	}
	if _, err := String(src, "mined"); err == nil || !strings.Contains(err.Error(), "did you mean @mined?") {
		t.Error(err)
	}
	if _, err := String(`a = (b @define(x) @commit(x) c @use(x)) @scope(x) | b @fresh(y) @bind(z) c @same(z) | "" @default ; b = "1" ; c = "2" ;`); err != nil {
		t.Error(err)
	}
}

// TestRead: Read is called for every file, with its name in messages.
func TestRead(t *testing.T) {
	lexer := write(t, "PLexer.g4", "lexer grammar PLexer; A : 'a' ;")
	path := strings.Replace(lexer, "PLexer", "P", 1)
	for name, text := range map[string]string{path: "parser grammar P; options { tokenVocab = PLexer; } a : A ;", path + ".gramfuzz": "%start a"} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var names []string
	g, _, err := File(path, Options{Read: func(name string, src []byte) {
		names = append(names, name)
		if len(src) == 0 {
			t.Errorf("%s: nothing read", name)
		}
	}})
	if err != nil || !slices.Contains(names, g.Start.Pos.File) || !slices.Contains(names, path+".gramfuzz") || !slices.Contains(names, lexer) {
		t.Errorf("%v, %v", names, err)
	}
}

// TestForeignText: in every notation, no byte of a grammar or of its name reaches a message
// unescaped.
func TestForeignText(t *testing.T) {
	texts := []string{"\u202e\u2066\u200b\u2028\ufeff", "\x1b[2J", "\u009b31m"}
	for b := range 256 {
		texts = append(texts, string([]byte{byte(b)}), string(rune(b)))
	}
	messages := 0
	for _, n := range notations() {
		for _, text := range texts {
			for _, form := range []string{"§", "a = § ;", "a = \"§ ;", "a = \"x§\\q\" ;", "<§> = b ;", "a = <§> ;", "a ::= §", "a ::= \"§", "<a§> ::= <b§>", "a = '§' b§ ;",
				"a = %x§", "a = ?§? ;", "{\"§\": 1}", "{\"<start>\": [\"<a§>\"]}", "grammar §; a : § ;", "grammar A; a : '§' b§ ;", "a = [z-a§] @x§ ;", "# §\na = (* § ;"} {
				src := strings.ReplaceAll(form, "§", text)
				_, ds, err := Source("f"+text, []byte(src), Options{Notation: n.name, Companion: []byte("%start §" + text)})
				said := ds.Error()
				if err != nil && len(ds) == 0 {
					continue // about the name, which the command line quotes
				}
				for _, line := range strings.Split(said, "\n") {
					messages++
					if i := strings.IndexFunc(line, func(r rune) bool { return !unicode.IsPrint(r) }); i >= 0 {
						t.Fatalf("%s: %q holds %q as it is", n.name, src, line[i:])
					}
				}
				if got := strings.Count(said, "\n") + 1; got != max(len(ds), 1) {
					t.Fatalf("%s: %q: %d lines for %d messages", n.name, src, got, len(ds))
				}
			}
		}
	}
	if messages < 10000 {
		t.Errorf("only %d messages", messages)
	}
}

// TestLeftOut checks that a rule that a reader reported and left out is not said to be undefined, too,
// whether something else can be generated or not.
func TestLeftOut(t *testing.T) {
	for src, want := range map[string][]string{
		"start: A B?\nA: \"a\"\nB: /(?P<q>[\"x]).*?(?P=q)/\n": {"3:1: warning: in the terminal B: a reference to a group"},
		"start: B\nA: \"a\"\nB: /([ab])\\1/\n":                {`1:8: rule "B" is needed, and it is left out: in the terminal B: a reference to a group`, "3:1: warning: in the terminal B: "},
		"start: A B?\nA: \"a\"\n":                             {`1:10: `},
	} {
		_, ds, _ := Source("f.lark", []byte(src), Options{})
		for i, d := range ds {
			if i >= len(want) || !strings.HasPrefix(d.String(), "f.lark:"+want[i]) {
				t.Errorf("%q: %v", src, d)
			}
		}
		if len(ds) < len(want) {
			t.Errorf("%q: %v", src, ds)
		}
	}
}
