package lex

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gramfuzz/gramfuzz/grammar"
)

// cGrammar returns a grammar with the tokens of C that can merge with their neighbours.
func cGrammar() *grammar.Bound {
	return gram(
		rule(grammar.Syntax, "s", star(alt(ref("ID"), ref("NUM"), lit("int"), lit("-"), lit("--"), lit("+"), lit("/"), lit("*"), lit("."), lit("..."), lit("\"")))),
		rule(grammar.Token, "ID", seq(class("a-z"), star(class("a-z0-9")))),
		rule(grammar.Token, "NUM", seq(plus(class("0-9")), opt(seq(lit("."), star(class("0-9")))))),
		rule(grammar.Skip, "LINE", seq(lit("//"), star(class("^\n")), lit("\n"))),
		rule(grammar.Skip, "COMMENT", seq(lit("/*"), lazy(star(anyChar())), lit("*/"))),
		rule(grammar.Skip, "WS", plus(class(" \n"))),
	)
}

// piece is a token to be laid out.
type piece struct {
	kind int
	text string
}

// pieces parses words: each is NAME:text or a literal.
func pieces(l *Lexer, words ...string) []piece {
	var out []piece
	for _, w := range words {
		name, text, ok := strings.Cut(w, ":")
		if !ok {
			out = append(out, piece{l.byText[w], w})
			continue
		}
		for k, kind := range l.Kinds() {
			if kind.Name == name {
				out = append(out, piece{k, text})
			}
		}
	}
	return out
}

func join(j *Joiner, ps []piece) (string, error) {
	var b strings.Builder
	for _, p := range ps {
		sep, err := j.Next(p.kind, p.text)
		if err != nil {
			return b.String(), err
		}
		b.WriteString(sep + p.text)
	}
	end, err := j.End()
	return b.String() + end, err
}

// visible returns the tokens of a text without layout.
func visible(t *testing.T, l *Lexer, text string) []piece {
	t.Helper()
	toks, err := l.Tokens(text)
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	var out []piece
	for _, tok := range toks {
		if !tok.Hidden {
			out = append(out, piece{tok.Kind, text[tok.Start:tok.End]})
		}
	}
	return out
}

func TestJoin(t *testing.T) {
	l := newLexer(t, cGrammar())
	for _, c := range []struct {
		words         []string
		tight, spaced string
	}{
		{[]string{"int", "ID:x"}, "int x", "int x"},
		{[]string{"ID:a", "-", "-", "ID:b"}, "a- -b", "a - - b"},
		{[]string{"ID:a", "-", "--", "ID:b"}, "a- --b", "a - -- b"},
		{[]string{"/", "/", "ID:x"}, "/ /x", "/ / x"},
		{[]string{"/", "*", "*", "/"}, "/ **/", "/ * * /"},
		{[]string{"NUM:1", ".", "NUM:2"}, "1 .2", "1 . 2"},
		{[]string{".", ".", "."}, ".. .", ". . ."}, // only the third makes "..."
		{[]string{"ID:a", "NUM:1"}, "a 1", "a 1"},
		{[]string{"NUM:1", "ID:a"}, "1a", "1 a"},
		{nil, "", ""},
	} {
		ps := pieces(l, c.words...)
		for policy, want := range map[Policy]string{Tight: c.tight, Spaced: c.spaced} {
			got, err := join(l.Joiner(policy, nil), ps)
			if got != want || err != nil {
				t.Errorf("%v, %v: got %q, %v; want %q", c.words, policy, got, err, want)
			}
		}
	}
}

func TestJoinRefuses(t *testing.T) {
	l := newLexer(t, cGrammar())
	_, err := join(l.Joiner(Tight, nil), []piece{{l.byRule[l.grammar.Rule("ID")], "int"}})
	var je *JoinError
	if !errors.As(err, &je) || !je.Unreadable || err.Error() != `"int" is not read as a token ID in mode DEFAULT_MODE` {
		t.Errorf("got %v", err)
	}
	l = newLexer(t, gram(rule(grammar.Syntax, "s", plus(ref("A"))), rule(grammar.Token, "A", plus(lit("a")))))
	j := l.Joiner(Tight, nil)
	_, err = join(j, pieces(l, "A:a", "A:a"))
	if !errors.As(err, &je) || je.Unreadable || je.Back != 1 || err.Error() != `nothing separates "a" from "a" in mode DEFAULT_MODE` {
		t.Errorf("got %v", err)
	}
	// The accidental comment began three tokens before.
	l = newLexer(t, gram(rule(grammar.Syntax, "s", plus(alt(lit("#"), ref("A"), lit(";")))), rule(grammar.Token, "A", lit("a")),
		rule(grammar.Skip, "C", seq(lit("#"), plus(class("^;")), lit(";")))))
	_, err = join(l.Joiner(Tight, nil), pieces(l, "A:a", "#", "A:a", "A:a", ";"))
	if !errors.As(err, &je) || je.Unreadable || je.Back != 3 {
		t.Errorf("got %v, a match from %d tokens before", err, je.Back)
	}
}

func TestJoinFollowsModes(t *testing.T) {
	l := newLexer(t, gram(
		rule(grammar.Syntax, "s", star(alt(ref("TEXT"), ref("OPEN"), ref("CLOSE"), ref("NAME"), ref("STR")))),
		with(rule(grammar.Token, "TEXT", plus(class("^<"))), ""),
		with(rule(grammar.Token, "OPEN", lit("<")), "", "pushMode TAG"),
		with(rule(grammar.Token, "CLOSE", lit(">")), "TAG", "popMode"),
		with(rule(grammar.Token, "NAME", plus(class("a-z"))), "TAG"),
		with(rule(grammar.Token, "WS", plus(lit(" "))), "TAG", "channel HIDDEN"),
		with(rule(grammar.Token, "QUOTE", lit(`"`)), "TAG", "more", "pushMode Q"),
		with(rule(grammar.Token, "CH", class(`^"`)), "Q", "more"),
		with(rule(grammar.Token, "STR", lit(`"`)), "Q", "popMode"),
	))
	ps := pieces(l, "OPEN:<", "NAME:a", "NAME:b", `STR:"c>"`, "CLOSE:>", "TEXT:x ", "OPEN:<")
	got, err := join(l.Joiner(Spaced, nil), ps)
	if want := `< a b "c>" >x <`; got != want || err != nil {
		t.Errorf("got %q, %v; want %q", got, err, want)
	}
	if d := cmp.Diff(ps, visible(t, l, got), cmp.AllowUnexported(piece{})); d != "" {
		t.Errorf("read again (-want +got):\n%s", d)
	}
	if _, err := join(l.Joiner(Tight, nil), pieces(l, "OPEN:<", "TEXT:x")); err == nil {
		t.Error("TEXT was taken in mode TAG")
	}
	want := []ModeLayout{
		{Mode: "DEFAULT_MODE"},
		{Mode: "TAG", Separators: []string{" ", "  ", "   ", "    ", "     ", "      "}},
		{Mode: "Q"},
	}
	if d := cmp.Diff(want, l.Layout()); d != "" {
		t.Errorf("layout (-want +got):\n%s", d)
	}
}

func TestGlued(t *testing.T) {
	l := newLexer(t, gram(
		rule(grammar.Syntax, "s", seq(ref("REST"), lit("x"))),
		rule(grammar.Token, "REST", seq(lit("#"), star(anyChar()))),
		rule(grammar.Skip, "WS", lit(" ")),
	))
	want := []ModeLayout{{Mode: "DEFAULT_MODE", Separators: []string{" "}, Glued: []string{"REST"}}}
	if d := cmp.Diff(want, l.Layout()); d != "" {
		t.Errorf("layout (-want +got):\n%s", d)
	}
	if ds := l.Check(); len(ds) != 1 || ds[0].Code != "glued-token" || ds[0].Rule != "REST" {
		t.Errorf("check says %v", ds)
	}
	l = newLexer(t, gram(rule(grammar.Syntax, "s", ref("A")), rule(grammar.Token, "A", lit("a"))))
	if ds := l.Check(); len(ds) != 1 || ds[0].Code != "no-layout" {
		t.Errorf("check says %v", ds)
	}
}

// For random tokens and every policy, the joined text is read as just these tokens. No
// separator of tight layout can be left out.
func TestJoinedTextReadsBack(t *testing.T) {
	rnd := rand.New(rand.NewPCG(15, 16))
	l := newLexer(t, cGrammar())
	words := []string{"int", "-", "--", "+", "/", "*", ".", "...", `"`, "ID:a", "ID:intx", "ID:x1", "NUM:1", "NUM:1.", "NUM:0.5"}
	for range 2000 {
		var some []string
		for range rnd.IntN(8) {
			some = append(some, words[rnd.IntN(len(words))])
		}
		ps := pieces(l, some...)
		for _, policy := range []Policy{Tight, Spaced, Random} {
			text, err := join(l.Joiner(policy, rnd.IntN), ps)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(ps, visible(t, l, text), cmp.AllowUnexported(piece{})); d != "" {
				t.Fatalf("%v: %q (-want +got):\n%s", policy, text, d)
			}
		}
		text, _ := join(l.Joiner(Tight, nil), ps)
		for i := range text {
			if text[i] != ' ' {
				continue
			}
			without := text[:i] + text[i+1:]
			if strings.Contains(without, "//") || strings.Contains(without, "/*") {
				continue // readable as long as nothing ends the comment, but the joiner avoids it
			}
			toks, err := l.Tokens(without)
			var got []piece
			for _, tok := range toks {
				if !tok.Hidden {
					got = append(got, piece{tok.Kind, without[tok.Start:tok.End]})
				}
			}
			if err == nil && cmp.Equal(ps, got, cmp.AllowUnexported(piece{})) {
				t.Fatalf("%q: the blank at %d is not needed", text, i)
			}
		}
	}
}

// Random layout can be replayed from the chosen indices.
func TestRandomLayoutReplays(t *testing.T) {
	l := newLexer(t, cGrammar())
	ps := pieces(l, "int", "ID:x", "/", "*", "NUM:1", "-", "-", "ID:a")
	rnd := rand.New(rand.NewPCG(17, 18))
	seen := map[string]bool{}
	for range 50 {
		var chosen []int
		text, err := join(l.Joiner(Random, func(n int) int {
			i := rnd.IntN(n)
			chosen = append(chosen, i)
			return i
		}), ps)
		again, err2 := join(l.Joiner(Random, func(n int) int {
			i := chosen[0]
			chosen = chosen[1:]
			return i
		}), ps)
		if text != again || err != nil || err2 != nil || len(chosen) > 0 {
			t.Fatalf("%q, then %q (%v, %v); %d choices left", text, again, err, err2, len(chosen))
		}
		seen[text] = true
	}
	if len(seen) < 40 {
		t.Errorf("only %d layouts in 50", len(seen))
	}
}

func TestMarkAndReset(t *testing.T) {
	l := newLexer(t, cGrammar())
	j := l.Joiner(Tight, nil)
	ps := pieces(l, "-", "-", "ID:a")
	j.Next(ps[0].kind, ps[0].text)
	m := j.Mark()
	for range 2 {
		if sep, err := j.Next(ps[1].kind, ps[1].text); sep != " " || err != nil {
			t.Errorf("got %q, %v", sep, err)
		}
		j.Reset(m)
	}
	if sep, err := j.Next(ps[2].kind, ps[2].text); sep != "" || err != nil {
		t.Errorf("got %q, %v", sep, err)
	}
}

func TestSeparators(t *testing.T) {
	l := newLexer(t, cGrammar())
	want := []string{" ", "\n", "  ", " \n", "\n ", "\n\n", "//\n", "/**/", "// \n"}
	got := l.Separators("")
	if len(got) < len(want) {
		t.Fatalf("got %q", got)
	}
	if d := cmp.Diff(want, got[:len(want)]); d != "" {
		t.Errorf("separators (-want +got):\n%s", d)
	}
}

func BenchmarkFirstJoin(b *testing.B) {
	g, _ := resolve(b, keywordGrammar(2000, true))
	b.ReportAllocs()
	for b.Loop() {
		l, err := New(g)
		if err != nil {
			b.Fatal(err)
		}
		j := l.Joiner(Tight, nil)
		for range 2 {
			if _, err := j.Next(l.byRule[g.Rule("ID")], "x"); err != nil {
				b.Fatal(err)
			}
		}
	}
}

func BenchmarkJoin(b *testing.B) {
	l := newLexer(b, cGrammar())
	ps := pieces(l, "int", "ID:x", "-", "-", "NUM:1", ".", "/", "*", "ID:abcdef")
	b.ReportAllocs()
	for b.Loop() {
		if _, err := join(l.Joiner(Tight, nil), ps); err != nil {
			b.Fatal(err)
		}
	}
}
