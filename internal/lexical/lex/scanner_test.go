package lex

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/testing/blind"
)

func newLexer(t testing.TB, b *grammar.Bound) *Lexer {
	t.Helper()
	g, _ := resolve(t, b)
	l, err := New(g)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// scan prints the tokens of src as NAME:text, hidden ones in parentheses.
func scan(l *Lexer, src string) string {
	var out []string
	toks, err := l.Tokens(src)
	for _, t := range toks {
		s := fmt.Sprintf("%s:%s", l.Kinds()[t.Kind].Name, src[t.Start:t.End])
		if t.Hidden {
			s = "(" + s + ")"
		}
		out = append(out, s)
	}
	if err != nil {
		out = append(out, "error "+err.Error())
	}
	return strings.Join(out, " ")
}

func jsonGrammar() *grammar.Bound {
	esc := seq(lit(`\`), alt(class(`"\/bfnrt`), seq(lit("u"), rep(class("0-9a-fA-F"), 4, 4))))
	return gram(
		rule(grammar.Syntax, "value", alt(ref("object"), ref("array"), ref("STRING"), ref("NUMBER"), lit("true"), lit("false"), lit("null"))),
		rule(grammar.Syntax, "object", alt(seq(lit("{"), lit("}")), seq(lit("{"), ref("pair"), star(seq(lit(","), ref("pair"))), lit("}")))),
		rule(grammar.Syntax, "pair", seq(ref("STRING"), lit(":"), ref("value"))),
		rule(grammar.Syntax, "array", seq(lit("["), opt(seq(ref("value"), star(seq(lit(","), ref("value"))))), lit("]"))),
		rule(grammar.Token, "STRING", seq(lit(`"`), star(alt(class("^\"\\\x00-\x1f"), esc)), lit(`"`))),
		rule(grammar.Token, "NUMBER", seq(opt(lit("-")), alt(lit("0"), seq(class("1-9"), star(class("0-9")))),
			opt(seq(lit("."), plus(class("0-9")))), opt(seq(class("eE"), opt(class("+\\-")), plus(class("0-9")))))),
		rule(grammar.Skip, "WS", plus(class(" \t\r\n"))),
	)
}

func with(r *grammar.Rule, mode string, commands ...string) *grammar.Rule {
	r.Mode = mode
	for _, c := range commands {
		name, arg, _ := strings.Cut(c, " ")
		r.Commands = append(r.Commands, grammar.Command{Name: name, Arg: arg})
	}
	return r
}

func TestScan(t *testing.T) {
	nested := func() *grammar.Bound {
		return gram(
			rule(grammar.Syntax, "s", star(alt(ref("ID"), lit("*"), lit("/"), lit("if")))),
			rule(grammar.Token, "ID", plus(class("a-z"))),
			rule(grammar.Skip, "C", seq(lit("/*"), lazy(star(alt(ref("C"), anyChar()))), lit("*/"))),
			rule(grammar.Skip, "WS", lit(" ")),
		)
	}
	island := func() *grammar.Bound {
		return gram(
			rule(grammar.Syntax, "s", star(alt(ref("TEXT"), ref("OPEN"), ref("CLOSE"), ref("NAME"), ref("STR")))),
			with(rule(grammar.Token, "TEXT", plus(class("^<"))), ""),
			with(rule(grammar.Token, "OPEN", lit("<")), "", "pushMode TAG"),
			with(rule(grammar.Token, "CLOSE", lit(">")), "TAG", "popMode"),
			with(rule(grammar.Token, "NAME", plus(class("a-z"))), "TAG"),
			with(rule(grammar.Skip, "WS", plus(lit(" "))), "TAG"),
			with(rule(grammar.Token, "QUOTE", lit(`"`)), "TAG", "more", "pushMode Q"),
			with(rule(grammar.Token, "CH", class(`^"`)), "Q", "more"),
			with(rule(grammar.Token, "STR", lit(`"`)), "Q", "popMode"),
			with(rule(grammar.Token, "AMP", lit("&")), "TAG", "type NAME"),
		)
	}
	for _, c := range []struct {
		g         *grammar.Bound
		src, want string
	}{
		{jsonGrammar(), `{"a\"é": [-1.5e3, true]}`,
			`"{":{ STRING:"a\"é" ":":: (WS: ) "[":[ NUMBER:-1.5e3 ",":, (WS: ) "true":true "]":] "}":}`},
		{jsonGrammar(), "[01", `"[":[ NUMBER:0 NUMBER:1`},
		{jsonGrammar(), "[\n  trux", `"[":[ (WS:
  ) error 2:6: unexpected "x"; expected "true"`},
		{jsonGrammar(), `"abc`, `error 1:5: unexpected end of text; expected STRING`},
		{jsonGrammar(), "\"\xff\"", `error 1:2: unexpected byte 0xff; expected STRING`},
		{jsonGrammar(), "\"\xed\xa0\x80\"", `error 1:3: unexpected byte 0xa0; expected STRING`},
		{jsonGrammar(), "[\n  é", `"[":[ (WS:
  ) error 2:3: unexpected "é"; no token begins with it`},
		{nested(), "if ifx /*a/*b*/c*/*/ x", `"if":if (WS: ) ID:ifx (WS: ) (C:/*a/*b*/c*/) "*":* "/":/ (WS: ) ID:x`},
		{nested(), "/*/*", `"/":/ "*":* "/":/ "*":*`},
		{island(), `a b<x "y>"  &>c`, `TEXT:a b OPEN:< NAME:x (WS: ) STR:"y>" (WS:  ) AMP:& CLOSE:> TEXT:c`},
		{island(), `<"abc`, `OPEN:<`},
		{gram(rule(grammar.Syntax, "s", seq(lit("a"), class("a-f"))), rule(grammar.Token, "W", plus(class("a-c")))), "abdaa",
			`W:ab character:d W:aa`},
	} {
		if d := cmp.Diff(c.want, scan(newLexer(t, c.g), c.src)); d != "" {
			t.Errorf("%q (-want +got):\n%s", c.src, d)
		}
	}
}

func TestPopOfEmptyStack(t *testing.T) {
	g := gram(rule(grammar.Syntax, "s", ref("A")), with(rule(grammar.Token, "A", lit("a")), "", "popMode"))
	got := scan(newLexer(t, g), "a")
	if want := `error 1:1: rule "A" leaves a mode (popMode) that no pushMode entered`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	g = gram(rule(grammar.Syntax, "s", ref("A")), with(rule(grammar.Token, "A", lit("a")), "", "mode X"))
	if got, want := scan(newLexer(t, g), "aa"), `A:a error 1:2: unexpected "a"; no token begins with it`; got != want {
		t.Errorf("in a mode without rules: got %s, want %s", got, want)
	}
}

// The scanner (longest match, first rule wins) agrees with trying every rule at every end.
func TestScanAgainstBruteForce(t *testing.T) {
	const chars, limit = "abé", 5
	all := texts(chars, limit)
	rnd := rand.New(rand.NewPCG(7, 8))
	for i := range 60 {
		g := gram(rule(grammar.Syntax, "s", alt(lit("ab"), ref("A"), ref("B"))))
		for _, name := range []string{"A", "B", "C"} {
			g.Rules = append(g.Rules, rule(grammar.Token, name, randomExpr(rnd, 3, false)))
		}
		candidates := []*grammar.Rule{rule(grammar.Token, `"ab"`, lit("ab"))}
		bodies := map[string]*grammar.Expr{}
		for _, r := range g.Rules[1:] {
			if r.Body.Op == grammar.Lit && r.Body.Text == "ab" {
				candidates = nil
			}
			bodies[r.Name] = r.Body
		}
		for _, name := range []string{"A", "B", "C"} {
			candidates = append(candidates, rule(grammar.Token, name, bodies[name]))
		}
		l := newLexer(t, g)
		for _, src := range all {
			want, pos := []string{}, 0
			for pos < len(src) {
				best, name := pos, ""
				for _, r := range candidates {
					ends := naiveEnds(r.Body, src, pos)
					if n := len(ends); n > 0 && ends[n-1] > best {
						best, name = ends[n-1], r.Name
					}
				}
				if name == "" {
					break
				}
				want = append(want, name+":"+src[pos:best])
				pos = best
			}
			got, _, _ := strings.Cut(scan(l, src), "error")
			if strings.TrimSpace(got) != strings.Join(want, " ") {
				t.Fatalf("case %d: %q: got %s, want %v", i, src, got, want)
			}
		}
	}
}

// The scanner reads rules as written; Resolve rewrites them. Both have to agree on the
// texts of one token, non-greedy loops included.
func TestScannerAgreesWithResolve(t *testing.T) {
	const chars, limit = "abé", 5
	all := texts(chars, limit)
	rnd := rand.New(rand.NewPCG(9, 10))
	changed := 0
	for i := range 300 {
		e := randomExpr(rnd, 4, false)
		e.Walk(func(e *grammar.Expr) {
			if e.Op == grammar.Rep {
				e.Lazy = rnd.IntN(2) == 0
			}
		})
		g := gram(rule(grammar.Syntax, "s", ref("A")), rule(grammar.Token, "A", e))
		l := newLexer(t, g)
		if l.grammar.Rule("A").Written != nil {
			changed++
		}
		derived := derivations{chars, limit}.of(l.grammar.Rule("A").Body)
		for _, src := range all[1:] {
			toks, err := l.Tokens(string(src))
			if one := err == nil && len(toks) == 1; one != (derived[src] > 0) {
				t.Fatalf("case %d: %q is one token: %v; derived by the body: %v", i, src, one, derived[src])
			}
		}
	}
	if changed < 20 {
		t.Errorf("only %d bodies were changed: the test shows little", changed)
	}
}

// A full cache is emptied; the tokens stay the same.
func TestManyStates(t *testing.T) {
	g := gram(rule(grammar.Syntax, "s", ref("A")),
		rule(grammar.Token, "A", seq(star(class("ab")), lit("a"), rep(class("ab"), 14, 14))),
		rule(grammar.Token, "B", class("ab")))
	l := newLexer(t, g)
	rnd := rand.New(rand.NewPCG(11, 12))
	src := make([]byte, 40_000)
	for i := range src {
		src[i] = "ab"[rnd.IntN(2)]
	}
	src[len(src)-15] = 'a'
	toks, err := l.Tokens(string(src))
	if err != nil || len(toks) != 1 || l.Kinds()[toks[0].Kind].Name != "A" {
		t.Errorf("got %d tokens, %v", len(toks), err)
	}
}

// Texts that make every token look ahead to the end are read in linear time: what the matches read
// in all is counted.
func TestScanLooksAheadInVain(t *testing.T) {
	plain := newLexer(t, gram(
		rule(grammar.Syntax, "s", star(alt(lit("/"), lit("*")))),
		rule(grammar.Skip, "C", seq(lit("/*"), lazy(star(anyChar())), lit("*/"))),
		rule(grammar.Skip, "WS", lit(" ")),
	))
	nested := newLexer(t, gram(
		rule(grammar.Syntax, "s", star(alt(lit("/"), lit("*")))),
		rule(grammar.Skip, "C", seq(lit("/*"), lazy(star(alt(ref("C"), anyChar()))), lit("*/"))),
		rule(grammar.Skip, "WS", lit(" ")),
	))
	const n = 40_000
	for name, l := range map[string]*Lexer{"plain": plain, "nested": nested} {
		text := strings.Repeat("/* ", n)
		toks, err := l.Tokens(text)
		if err != nil || len(toks) != 3*n {
			t.Errorf("%s: %d tokens, %v", name, len(toks), err)
		}
		begin := l.begin()
		e, m, read := l.mode(&begin).engine, &memo{}, 0
		for _, tok := range toks {
			_, end, last := e.longest(text, tok.Start, m)
			read += last - tok.Start
			if end != tok.End {
				t.Fatalf("%s: a match ends at %d, the token at %d", name, end, tok.End)
			}
		}
		t.Logf("%s: %d bytes read in a text of %d", name, read, len(text))
		if read > 2*chunk*len(text) { // half the square of its length otherwise
			t.Errorf("%s: %d bytes were read to cut a text of %d", name, read, len(text))
		}
		toks, err = l.Tokens(strings.Repeat("/* ", 150) + strings.Repeat("*/ ", 150))
		if want := map[string]int{"plain": 2 + 3*149, "nested": 2}[name]; err != nil || len(toks) != want {
			t.Errorf("%s, closed: %d tokens, want %d (%v)", name, len(toks), want, err)
		}
	}
}

func jsonText(size int) []byte {
	var b bytes.Buffer
	rnd := rand.New(rand.NewPCG(13, 14))
	b.WriteString("[")
	for b.Len() < size {
		fmt.Fprintf(&b, "{\"id\": %d, \"name\": \"user %x\", \"ok\": true, \"tags\": [\"α\", \"b\\n\", null], \"x\": -%d.5e3},\n  ",
			rnd.IntN(1e6), rnd.Uint64(), rnd.IntN(1000))
	}
	b.WriteString("0]")
	return b.Bytes()
}

func BenchmarkScanJSON(b *testing.B) {
	l := newLexer(b, jsonGrammar())
	src := string(jsonText(1 << 20))
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		s := l.Scan(src)
		for {
			_, ok, err := s.Next()
			if err != nil {
				b.Fatal(err)
			}
			if !ok {
				break
			}
		}
	}
}

// FuzzScan checks that the tokens of any text are contiguous.
func FuzzScan(f *testing.F) {
	for _, s := range []string{"", `{"a": [1, 2.5e-3, "\u00e9"]}`, "\"\xff\"", "tru", "[\xe9\xa0", "-"} {
		f.Add([]byte(s))
	}
	l := newLexer(f, jsonGrammar())
	blind.Fuzz(f, func(t *testing.T, src []byte) {
		toks, err := l.Tokens(string(src))
		pos := 0
		for _, tok := range toks {
			if tok.Start != pos || tok.End <= tok.Start {
				t.Fatalf("token %+v after offset %d", tok, pos)
			}
			pos = tok.End
		}
		var e *Error
		switch {
		case err == nil && pos != len(src):
			t.Fatalf("no error, but %d of %d bytes", pos, len(src))
		case err != nil && !errors.As(err, &e):
			t.Fatalf("error of type %T", err)
		case err != nil && (e.Offset != pos || e.At < pos || e.At > len(src)):
			t.Fatalf("error at %d, %d after offset %d", e.Offset, e.At, pos)
		}
	})
}

// FuzzAgree checks that, for random grammars, the scanner and the bodies from Resolve agree
// on the texts of a token: see TestScannerAgreesWithResolve.
func FuzzAgree(f *testing.F) {
	f.Add(uint64(1), uint64(2))
	blind.Fuzz(f, func(t *testing.T, a, b uint64) {
		rnd := rand.New(rand.NewPCG(a, b))
		g := gram(rule(grammar.Syntax, "s", alt(lit("b"), ref("A"), ref("B"), class("a"))))
		for _, name := range []string{"A", "B"} {
			e := randomExpr(rnd, 3, false)
			e.Walk(func(e *grammar.Expr) { e.Lazy = e.Op == grammar.Rep && rnd.IntN(2) == 0 })
			g.Rules = append(g.Rules, rule(grammar.Token, name, e))
		}
		l := newLexer(t, g)
		for _, name := range []string{"A", "B"} {
			derived := derivations{"abé", 4}.of(l.grammar.Rule(name).Body)
			for _, src := range texts("abé", 4)[1:] {
				toks, err := l.Tokens(string(src))
				one := err == nil && len(toks) == 1 && toks[0].Kind == l.byRule[l.grammar.Rule(name)]
				if one != (derived[src] > 0) {
					t.Fatalf("%q is one token %s: %v; derived by the body: %v", src, name, one, derived[src])
				}
			}
		}
	})
}

// TestScanRecursionAtTheEnd: a rule that ends with itself is as long as its text, and takes no
// more states for that.
func TestScanRecursionAtTheEnd(t *testing.T) {
	l := newLexer(t, gram(
		rule(grammar.Syntax, "s", star(alt(ref("LIST"), ref("PAIRS"), lit("!")))),
		rule(grammar.Token, "LIST", alt(lit("a"), seq(lit("a"), ref("LIST")))),
		rule(grammar.Token, "PAIRS", seq(lit("b"), ref("PAIR"))),
		rule(grammar.Fragment, "PAIR", alt(lit("c"), seq(lit("d"), ref("PAIR"), rep(ref("PAIR"), 1, 1)), seq(lit("e"), ref("LIST")))),
	))
	const n = 10 * maxNesting
	list, pairs := strings.Repeat("a", n), "b"+strings.Repeat("dc", n)+"ea"
	want := fmt.Sprintf(`LIST:%s "!":! PAIRS:%s error 1:%d: unexpected "!"; expected PAIRS`, list, pairs, len(list+"!"+pairs+"bdc")+1)
	if got := scan(l, list+"!"+pairs+"bdc!"); got != want {
		t.Errorf("got %.200q, want %.200q", got, want)
	}
	if states := len(l.modes[0].engine.known); states > 100 {
		t.Errorf("%d states", states)
	}
}
