package lex

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gramfuzz/gramfuzz/grammar"
)

// A resolved difference derives exactly the texts of the difference, each once.
func TestDifferenceAgainstBruteForce(t *testing.T) {
	const chars, limit = "abé", 4
	all := texts(chars, limit)
	rnd := rand.New(rand.NewPCG(1, 2))
	for i := range 400 {
		e := diff(randomExpr(rnd, 3, true), randomExpr(rnd, 2, true))
		g := gram(rule(grammar.Syntax, "s", alt(ref("d"), lit("a"))), rule(grammar.Syntax, "d", e))
		want := map[string]int{}
		for _, s := range all {
			if naive(e, s) {
				want[s] = 1
			}
		}
		frozen, _ := resolve(t, g)
		got := derivations{chars, limit}.of(frozen.Rule("d").Body)
		if d := cmp.Diff(want, got); d != "" {
			t.Fatalf("case %d: texts and their derivations (-want +got):\n%s", i, d)
		}
		for _, r := range frozen.Rules {
			if holdsDiff(r.Body) {
				t.Fatalf("case %d: rule %s still holds a difference", i, r.Name)
			}
		}
	}
}

func TestShadowing(t *testing.T) {
	const chars, limit = "abé", 4
	rnd := rand.New(rand.NewPCG(3, 4))
	for i := range 200 {
		g := gram(rule(grammar.Syntax, "s", alt(lit("ab"), lit("é"), ref("A"), ref("B"), ref("C"))))
		for _, name := range []string{"A", "B", "C"} {
			g.Rules = append(g.Rules, rule(grammar.Token, name, randomExpr(rnd, 3, false)))
		}
		want := map[string]map[string]bool{"A": {}, "B": {}, "C": {}}
		alias := map[string]bool{}
		for _, r := range g.Rules[1:4] {
			if r.Body.Op == grammar.Lit {
				alias[r.Body.Text] = true
			}
		}
		for _, s := range texts(chars, limit) {
			if (s == "ab" || s == "é") && !alias[s] {
				continue
			}
			for _, r := range g.Rules[1:4] {
				if naive(r.Body, s) {
					want[r.Name][s] = true
					break
				}
			}
		}
		written := map[string]*grammar.Expr{}
		for _, r := range g.Rules {
			written[r.Name] = r.Body
		}
		frozen, ds := resolve(t, g)
		for _, name := range []string{"A", "B", "C"} {
			got := map[string]bool{}
			r := frozen.Rule(name)
			for s, n := range (derivations{chars, limit}.of(r.Body)) {
				got[s] = true
				if r.Written != nil && n != 1 {
					t.Fatalf("case %d: %s derives %q %d times", i, name, s, n)
				}
			}
			if d := cmp.Diff(want[name], got); d != "" {
				t.Fatalf("case %d: texts of %s (-want +got):\n%s", i, name, d)
			}
			if r.Written == nil && r.Body != written[name] || r.Written != nil && r.Written != written[name] {
				t.Fatalf("case %d: %s: the body as written is lost", i, name)
			}
		}
		for _, d := range ds {
			if d.Code == "dead-token" && len(want[d.Rule]) > 0 {
				t.Fatalf("case %d: %v, but it matches %v", i, d, want[d.Rule])
			}
		}
	}
}

func TestKeywordsAreTakenFromIdentifiers(t *testing.T) {
	g := gram(
		rule(grammar.Syntax, "s", alt(seq(lit("if"), ref("ID"), lit("+")), ref("WORD"))),
		rule(grammar.Token, "ELSE", lit("else")),
		rule(grammar.Token, "ID", plus(class("a-z"))),
		rule(grammar.Token, "WORD", lit("word")),
		rule(grammar.Skip, "WS", plus(lit(" "))),
	)
	frozen, ds := resolve(t, g)
	want := []string{`warning: token rule "WORD" can never match: ID is tried before it and takes every text of it; move it up or remove it`}
	var got []string
	for _, d := range ds {
		got = append(got, d.String())
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("diagnostics (-want +got):\n%s", d)
	}
	has := derivations{"ifelsx", 4}.of(frozen.Rule("ID").Body)
	for text, n := range map[string]int{"if": 0, "else": 0, "ifx": 1, "i": 1, "els": 1, "elss": 1} {
		if has[text] != n {
			t.Errorf("ID derives %q %d times, want %d", text, has[text], n)
		}
	}
	for _, name := range []string{"ELSE", "WS"} {
		if frozen.Rule(name).Written != nil {
			t.Errorf("%s was touched", name)
		}
	}
}

// A lexical rule that refers to a token means all its texts, keywords included.
func TestReferencesMeanTheWholeToken(t *testing.T) {
	g := gram(
		rule(grammar.Syntax, "s", seq(lit("a"), ref("ID"), ref("PATH"))),
		rule(grammar.Token, "ID", plus(class("ab"))),
		rule(grammar.Token, "PATH", seq(ref("ID"), ref("WS"), lit("/"), ref("ID"))),
		rule(grammar.Skip, "WS", lit(" ")),
	)
	frozen, _ := resolve(t, g)
	got := derivations{"ab", 4}.of(frozen.Rule("PATH").Body)
	if d := cmp.Diff(map[string]int{"a /a": 1, "a /b": 1, "b /a": 1, "b /b": 1}, got); d != "" {
		t.Errorf("PATH (-want +got):\n%s", d)
	}
}

// The texts that ANTLR's lexer reads as one token, by a direct simulation of the rule: the
// first point at which the text can end is the end.
func TestNonGreedy(t *testing.T) {
	for _, c := range []struct {
		name  string
		body  *grammar.Expr
		chars string
		keep  func(string) bool
	}{
		{"comment", seq(lit("/*"), lazy(star(anyChar())), lit("*/")), "/*a", func(s string) bool {
			return len(s) >= 4 && s[:2] == "/*" && strings.Index(s[2:], "*/") == len(s)-4
		}},
		{"one or more", seq(lit("/*"), lazy(plus(anyChar())), lit("*/")), "/*a", func(s string) bool {
			return len(s) >= 5 && s[:2] == "/*" && strings.Index(s[3:], "*/") == len(s)-5
		}},
		{"first alternative after it", seq(lit("#"), lazy(star(anyChar())), alt(lit("a"), lit("ab"))), "#ab", func(s string) bool {
			return len(s) > 1 && s[0] == '#' && strings.Index(s[1:], "a") == len(s)-2
		}},
		{"second alternative is longer", seq(lit("#"), lazy(star(anyChar())), alt(lit("ab"), lit("a"))), "#ab", func(s string) bool {
			i := strings.Index(s, "a")
			return len(s) > 1 && s[0] == '#' && i > 0 && (s[i:] == "a" || s[i:] == "ab")
		}},
		{"greedy after it", seq(lazy(star(anyChar())), plus(lit("b"))), "ab", func(s string) bool {
			i := strings.Index(s, "b")
			return i >= 0 && strings.Trim(s[i:], "b") == ""
		}},
		{"optional", seq(lit("a"), lazy(opt(lit("b")))), "ab", func(s string) bool { return s == "a" }},
		{"no end inside", seq(lit("["), lazy(star(class("^]"))), lit("]")), "[]a", func(s string) bool {
			return len(s) >= 2 && s[0] == '[' && strings.Index(s, "]") == len(s)-1
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := gram(rule(grammar.Syntax, "s", ref("T")), rule(grammar.Token, "T", c.body))
			frozen, _ := resolve(t, g)
			want := map[string]int{}
			for _, s := range texts(c.chars, 7) {
				if c.keep(s) {
					want[s] = 1
				}
			}
			got := derivations{c.chars, 7}.of(frozen.Rule("T").Body)
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("texts (-want +got):\n%s", d)
			}
			if c.name == "no end inside" && frozen.Rule("T").Written != nil {
				t.Error("the body was changed without need")
			}
		})
	}
}

func TestGenerationStaysInTheAlphabet(t *testing.T) {
	g := gram(
		rule(grammar.Syntax, "s", ref("C")),
		rule(grammar.Token, "C", seq(lit("/*"), lazy(star(anyChar())), lit("*/"))),
	)
	frozen, _ := resolve(t, g)
	others := grammar.NewSet(grammar.Range{Lo: ' ', Hi: '~'}).Complement()
	classes := 0
	for _, e := range frozen.Exprs {
		if e.Op != grammar.Class {
			continue
		}
		classes++
		if out := e.Gen.Intersect(others); out.Len() > 0 {
			t.Errorf("a class generates %v", out.Ranges())
		}
		if !e.Set.Has('é') || !e.Set.Has('\n') {
			t.Errorf("a class does not mean é and newline: %v", e.Ranges)
		}
	}
	if classes == 0 {
		t.Error("no classes at all")
	}
}

func TestStrayBytes(t *testing.T) {
	g := gram(rule(grammar.Syntax, "s", diff(star(alt(lit("\xff"), lit("é"), lit("a"))), seq(lit("\xff"), lit("\xc3"), lit("\xa9")))))
	frozen, _ := resolve(t, g)
	got := derivations{"aé", 2}.of(frozen.Rules[0].Body)
	want := map[string]int{"": 1}
	for _, s := range []string{"\xff", "é", "a"} {
		want[s] = 1
		for _, u := range []string{"\xff", "é", "a"} {
			want[s+u] = 1
		}
	}
	delete(want, "\xffé")
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("texts (-want +got):\n%s", d)
	}
}

func TestRecursiveRules(t *testing.T) {
	nested := func() *grammar.Rule {
		return rule(grammar.Skip, "C", seq(lit("/*"), lazy(star(alt(ref("C"), anyChar()))), lit("*/")))
	}
	g := gram(rule(grammar.Syntax, "s", lit("x")), nested())
	frozen, ds := resolve(t, g)
	if len(ds) != 1 || ds[0].Code != "recursive-token" || ds[0].Severity != grammar.Note || frozen.Rule("C").Written != nil {
		t.Errorf("got %v, want one note", ds)
	}
	g = gram(rule(grammar.Syntax, "s", diff(ref("C"), lit("x"))), nested())
	_, ds = Resolve(bound(g))
	if len(ds) == 0 || ds.Err() == nil || !strings.Contains(ds.Err().Error(), `rule "C" is recursive`) {
		t.Errorf("got %v, want an error about the difference", ds)
	}
}

// Every construction of an automaton is bounded.
func TestTooLarge(t *testing.T) {
	ab := func() *grammar.Expr { return class("ab") }
	wide := diff(seq(star(ab()), lit("a"), rep(ab(), 30, 30)), lit("b")) // 2^30 states
	deep := diff(rep(rep(rep(rep(ab(), 99, 99), 99, 99), 99, 99), 99, 99), lit("b"))
	for _, e := range []*grammar.Expr{wide, deep} {
		g := bound(gram(rule(grammar.Syntax, "s", e)))
		var ds grammar.Diagnostics
		allocations := testing.AllocsPerRun(1, func() { _, ds = Resolve(g) })
		if ds.Err() == nil || ds[0].Code != "large-difference" {
			t.Errorf("got %v", ds)
		}
		t.Logf("%.0f allocations", allocations)
		if allocations > 5e6 {
			t.Errorf("%.0f allocations", allocations)
		}
	}
}

// keywordGrammar has n keywords (folding case when fold is set) and identifiers.
func keywordGrammar(n int, fold bool) *grammar.Bound {
	rnd := rand.New(rand.NewPCG(5, 6))
	g := gram(rule(grammar.Syntax, "s", ref("ID")))
	seen := map[string]bool{}
	for len(seen) < n {
		word := make([]byte, 3+rnd.IntN(8))
		for i := range word {
			word[i] = 'a' + byte(rnd.IntN(26))
		}
		if seen[string(word)] {
			continue
		}
		seen[string(word)] = true
		body := lit(string(word))
		if fold {
			body = seq()
			for _, c := range string(word) {
				body.Children = append(body.Children, class(string(c)+string(c-32)))
			}
		}
		g.Rules = append(g.Rules, rule(grammar.Token, fmt.Sprintf("K%d", len(seen)), body))
	}
	id := rule(grammar.Token, "ID", seq(class("a-zA-Z_"), star(class("a-zA-Z_0-9"))))
	g.Rules = append(g.Rules, id, rule(grammar.Skip, "WS", plus(class(" \t\n"))))
	return g
}

func TestManyKeywords(t *testing.T) {
	for _, fold := range []bool{false, true} {
		b := bound(keywordGrammar(200, fold))
		var r Resolved
		var ds grammar.Diagnostics
		allocations := testing.AllocsPerRun(1, func() { r, ds = Resolve(b) })
		if len(ds) > 0 {
			t.Error(ds)
		}
		frozen, ds := b.Freeze(r.Bodies, r.Helpers, "")
		if err := ds.Err(); err != nil {
			t.Fatal(err)
		}
		if frozen.Rule("ID").Written == nil {
			t.Error("ID was not touched")
		}
		if len(frozen.Exprs) > 20_000 {
			t.Errorf("%d expressions", len(frozen.Exprs))
		}
		t.Logf("fold %v: %.0f allocations, %d expressions", fold, allocations, len(frozen.Exprs))
		if allocations > 1e6 {
			t.Errorf("fold %v: %.0f allocations", fold, allocations)
		}
	}
}

func BenchmarkResolveKeywords(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		b.StopTimer()
		g := bound(keywordGrammar(2000, true))
		b.StartTimer()
		Resolve(g)
	}
}

// An undefined rule has no texts. If the checks allow it, the other rules still work.
func TestUndefinedRules(t *testing.T) {
	g := gram(
		rule(grammar.Syntax, "s", alt(ref("A"), ref("B"))),
		rule(grammar.Token, "A", alt(lit("a"), ref("nowhere"))),
		rule(grammar.Token, "B", diff(class("ab"), ref("nowhere"))),
	)
	g.LenientUndefined = true
	l := newLexer(t, g)
	if got, want := scan(l, "ab"), "A:a B:b"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestCharsOf checks that bytes that are not UTF-8 are no characters.
func TestCharsOf(t *testing.T) {
	want := []grammar.Range{{Lo: 'a', Hi: 'b'}, {Lo: 'é', Hi: 'é'}, {Lo: 0xFFFD, Hi: 0xFFFD}}
	if d := cmp.Diff(want, charsOf("ba\xffé\ufffda").Ranges()); d != "" {
		t.Errorf("-want +got\n%s", d)
	}
}
