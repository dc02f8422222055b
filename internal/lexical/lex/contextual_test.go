package lex

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/gramfuzz/gramfuzz/grammar"
)

// tagGrammar returns a grammar whose tokens only the parser's state tells apart. As in
// XQuery, keywords are also names, and blanks within a tag are tokens.
func tagGrammar() *grammar.Bound {
	elem := rule(grammar.Syntax, "elem", seq(lit("<"), ref("NAME"), star(seq(ref("S"), ref("NAME"), lit("="), ref("STR"))),
		lit(">"), star(alt(ref("CHAR"), ref("code"), ref("elem"))), lit("</"), ref("NAME"), lit(">")))
	elem.Glued = true
	g := gram(
		rule(grammar.Syntax, "s", alt(seq(ref("path"), star(seq(alt(lit(">"), lit("or"), lit("/")), ref("path")))), seq(lit("if"), lit("("), ref("s"), lit(")"), ref("s")))),
		rule(grammar.Syntax, "path", alt(ref("NAME"), ref("elem"), seq(lit("$"), ref("NAME")))),
		elem,
		rule(grammar.Syntax, "code", seq(lit("{"), ref("s"), lit("}"))),
		rule(grammar.Token, "NAME", plus(class("a-z"))),
		rule(grammar.Token, "S", plus(lit(" "))),
		rule(grammar.Token, "STR", seq(lit("'"), star(class("^'")), lit("'"))),
		rule(grammar.Token, "CHAR", class("^<>{}")),
		rule(grammar.Skip, "WS", plus(alt(lit(" "), seq(lit("(:"), star(ref("WS")), lit(":)"))))),
	)
	g.ContextLexing = true
	return g
}

func TestContextDecidesTokens(t *testing.T) {
	l := newLexer(t, tagGrammar())
	for _, c := range []struct{ src, want string }{
		{"or or if", "NAME or NAME"},
		{"or> if", "NAME > NAME"},
		{"if (or) if (a) b", "if ( NAME ) if ( NAME ) NAME"}, // a literal comes before a token where both fit
		{"<a b='x'> c{or or or}</a>or b", "< NAME S NAME = STR > CHAR CHAR { NAME or NAME } </ NAME > or NAME"},
		{"<a  b", "< NAME S NAME"},
		{"(: (::) :)$ or(::)or or", "$ NAME or NAME"},
		{"a)b", "NAME ) NAME"}, // no sentence: the parser says so
		{"< a", "< S NAME"},
	} {
		var got []string
		for _, p := range visible(t, l, c.src) {
			got = append(got, strings.Trim(l.Kinds()[p.kind].Name, `"`))
		}
		if g := strings.Join(got, " "); g != c.want {
			t.Errorf("%q is read as %s, want %s", c.src, g, c.want)
		}
	}
}

func TestContextLaysOut(t *testing.T) {
	l := newLexer(t, tagGrammar())
	for _, c := range []struct{ words, want string }{
		{"NAME:or or NAME:or", "or or or"},
		{"$ NAME:a > NAME:if", "$a>if"},
		{"< NAME:a S:  NAME:b = STR:'' > CHAR:x </ NAME:a > or NAME:b", "<a b=''>x</a>or b"},
		{"< NAME:a > { NAME:a or NAME:a } </ NAME:a >", "<a>{a or a}</a>"},
	} {
		words := strings.Split(c.words, " ")
		for i, w := range words {
			if w == "S:" { // its blank was lost in the split
				words = append(append(words[:i:i], "S: "), words[i+2:]...)
				break
			}
		}
		got, err := join(l.Joiner(Tight, nil), pieces(l, words...))
		if err != nil || got != c.want {
			t.Errorf("%s is laid out as %q (%v), want %q", c.words, got, err, c.want)
		}
		spaced, err := join(l.Joiner(Spaced, nil), pieces(l, words...))
		if err != nil {
			t.Errorf("%s, spaced: %v", c.words, err)
		}
		if a, b := fmt.Sprint(visible(t, l, spaced)), fmt.Sprint(visible(t, l, got)); a != b {
			t.Errorf("%q is read as %s, %q as %s", spaced, a, got, b)
		}
	}
	// Within a tag there is no layout to keep these two apart.
	if got, err := join(l.Joiner(Spaced, nil), pieces(l, "<", "NAME:a", "NAME:b")); err == nil {
		t.Errorf("laid out as %q", got)
	}
}

// A keyword does not touch a name behind a token that any later text could make longer.
func TestContextLaysOutBehindOpenMatch(t *testing.T) {
	g := gram(
		rule(grammar.Syntax, "s", seq(ref("ACTION"), star(seq(alt(lit("or"), lit("/")), ref("NAME"))))),
		rule(grammar.Token, "ACTION", seq(lit("{"), star(class("^")), lit("}"))),
		rule(grammar.Token, "NAME", plus(class("a-z"))),
		rule(grammar.Skip, "WS", plus(lit(" "))),
	)
	g.ContextLexing = true
	l := newLexer(t, g)
	const want = "{//}or b/c"
	got, err := join(l.Joiner(Tight, nil), pieces(l, "ACTION:{//}", "or", "NAME:b", "/", "NAME:c"))
	if err != nil || got != want {
		t.Errorf("laid out as %q (%v), want %q", got, err, want)
	}
}

// TestExpectations compares the expected tokens after every short sequence of tokens
// with the continuations in all short sentences of random grammars.
func TestExpectations(t *testing.T) {
	const limit, prefix = 6, 2
	checked := 0
	for seed := range uint64(300) {
		g, _, err := resolved(wildGrammar(rand.New(rand.NewPCG(seed, 1))))
		if err != nil {
			continue // cyclic, or without sentences
		}
		l, err := New(g)
		if err != nil {
			t.Fatal(err)
		}
		sentences := fixpointTexts(g, limit)[g.Start.Name]
		work := map[string]*expectation{"": l.begin().exp}
		for len(work) > 0 {
			more := map[string]*expectation{}
			for text, s := range work {
				want := map[byte]bool{}
				for u := range sentences {
					if len(u) > len(text) && strings.HasPrefix(u, text) {
						want[u[len(text)]] = true
					}
				}
				for _, c := range []byte("abc") {
					next := l.context.net.after(s, l.byText[string(c)])
					if next == nil && want[c] {
						t.Fatalf("seed %d: %q is not expected after %q", seed, c, text)
					}
					if next != nil && !want[c] {
						t.Fatalf("seed %d: %q is expected after %q", seed, c, text)
					}
					if next != nil && len(text) < prefix {
						more[text+string(c)] = next
					}
					checked++
				}
				if s.whole != sentences[text] {
					t.Fatalf("seed %d: after %q whole is %v", seed, text, s.whole)
				}
			}
			work = more
		}
	}
	if checked < 1000 {
		t.Errorf("only %d places checked", checked)
	}
}

// wildGrammar makes three rules over the literals a, b and c that refer to each other at
// random.
func wildGrammar(r *rand.Rand) *grammar.Bound {
	names := []string{"p", "q", "r"}
	var body func(depth int) *grammar.Expr
	body = func(depth int) *grammar.Expr {
		k := r.IntN(8)
		switch {
		case depth == 0 || k < 2:
			return lit(string("abc"[r.IntN(3)]))
		case k < 4:
			return ref(names[r.IntN(3)])
		case k < 6:
			return seq(body(depth-1), body(depth-1))
		case k < 7:
			return alt(body(depth-1), body(depth-1), lit(string("abc"[r.IntN(3)])))
		}
		return opt(body(depth - 1))
	}
	g := gram(rule(grammar.Skip, "WS", lit(" ")))
	for _, n := range names {
		g.Rules = append(g.Rules, rule(grammar.Syntax, n, alt(body(2), body(1))))
	}
	for _, c := range "abc" { // so that each is a token whatever the rules use
		g.Rules = append(g.Rules, rule(grammar.Token, "T"+string(c), lit(string(c))))
	}
	g.ContextLexing = true
	return g
}

// fixpointTexts returns the texts of every syntax rule of at most limit bytes, by rule.
func fixpointTexts(g *grammar.Grammar, limit int) map[string]map[string]bool {
	known := map[string]map[string]bool{}
	var of func(e *grammar.Expr) map[string]bool
	of = func(e *grammar.Expr) map[string]bool {
		out := map[string]bool{}
		switch e.Op {
		case grammar.Lit:
			out[e.Text] = true
		case grammar.Ref:
			return known[e.Name]
		case grammar.Choice:
			for _, k := range e.Children {
				for u := range of(k) {
					out[u] = true
				}
			}
		case grammar.Rep: // an optional one, in these grammars
			out[""] = true
			for u := range of(e.Children[0]) {
				out[u] = true
			}
		case grammar.Seq:
			out[""] = true
			for _, k := range e.Children {
				longer := map[string]bool{}
				for v := range of(k) {
					for u := range out {
						if len(u)+len(v) <= limit {
							longer[u+v] = true
						}
					}
				}
				out = longer
			}
		}
		return out
	}
	for changed := true; changed; {
		changed = false
		for _, r := range g.Rules {
			if r.Kind == grammar.Syntax {
				now := of(r.Body)
				changed = changed || len(now) > len(known[r.Name])
				known[r.Name] = now
			}
		}
	}
	return known
}

// TestPriorities checks three rules of context lexing. Among the expected tokens, a higher
// priority beats a longer match. No layout stands before a glued token. A word is read
// whole even where it is not expected.
func TestPriorities(t *testing.T) {
	part := rule(grammar.Token, "PART", plus(class("^'\n")))
	part.Glued, part.Priority = true, 1
	word := rule(grammar.Token, "WORD", plus(class("a-z")))
	word.Word = true
	g := gram(
		rule(grammar.Syntax, "s", plus(alt(seq(lit("'"), star(ref("PART")), lit("'")), seq(lit("or"), ref("NUM")), ref("WORD")))),
		part, word,
		rule(grammar.Token, "NUM", plus(class("0-9"))),
		rule(grammar.Skip, "WS", alt(lit(" "), seq(lit("#"), star(class("^\n"))))),
	)
	g.ContextLexing = true
	l := newLexer(t, g)
	for _, c := range []struct{ src, want string }{
		{"'a #b' or 1", "' PART ' or NUM"}, // the comment is longer
		{"' '", "' PART '"},
		{"'' #'", "' '"},
	} {
		var got []string
		for _, p := range visible(t, l, c.src) {
			got = append(got, strings.Trim(l.Kinds()[p.kind].Name, `"`))
		}
		if g := strings.Join(got, " "); g != c.want {
			t.Errorf("%q is read as %s, want %s", c.src, g, c.want)
		}
	}
	got, err := join(l.Joiner(Spaced, nil), pieces(l, "'", "PART:a", "'", "WORD:x", "or", "NUM:1"))
	if want := "'a' x or 1"; err != nil || got != want {
		t.Errorf("laid out as %q (%v), want %q", got, err, want)
	}
}
