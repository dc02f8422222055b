package parse_test

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/load"
	"github.com/gramfuzz/gramfuzz/parse"
)

func read(t testing.TB, src string) *grammar.Grammar {
	t.Helper()
	g, err := load.String(src)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestErrors(t *testing.T) {
	json := grammars.Must("json")
	chars := read(t, `list = "[" (word ("," word)*)? "]" ; word = [a-z]+ | "true!" | "4\xff" ;`)
	ambiguous := read(t, `e = e "+" e | "(" e ")" | [0-9]+ ;`)
	for _, c := range []struct {
		g          *grammar.Grammar
		text, want string
	}{
		{json, "{\"a\":\n\n[1 2]}", `t:3:4: unexpected "2"; expected "]" or "," (in rule array, begun at 3:1)`},
		{json, `[1,`, `t:1:4: unexpected end of text; expected "null", "true", "false", NUMBER, STRING, "[" or "{" (in rule values, begun at 1:2)`},
		{json, `[1]]`, `t:1:4: unexpected "]"; expected end of text`},
		{json, `{"a" 1}`, `t:1:6: unexpected "1"; expected ":" (in rule member, begun at 1:2)`},
		{json, `[1, &]`, `t:1:5: unexpected "&"; expected "null", "true", "false", NUMBER, STRING, "[" or "{" (in rule values, begun at 1:2)`},
		{json, "[\"\xff\"]", `t:1:3: unexpected byte 0xff; expected STRING (in rule array, begun at 1:1)`},
		{chars, "[ab,é]", `t:1:5: unexpected "é"; expected [a-z], "true!" or "4\xff" (in rule list, begun at 1:1)`},
		{chars, "[trux,true!]", ``},
		{chars, "[true?]", `t:1:6: unexpected "?"; expected ",", "]", [a-z] or "!" (in rule word, begun at 1:2)`},
		{chars, "[4\xff,4", `t:1:6: unexpected end of text; expected "\xff" (in rule word, begun at 1:5)`},
		{ambiguous, "1+(2+)", `t:1:6: unexpected ")"; expected "(" or [0-9] (in rule e, begun at 1:4)`},
	} {
		_, err := must(t, c.g).Parse(context.Background(), "t", c.text)
		got := ""
		if err != nil {
			got = err.Error()
		}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%q: -want +got\n%s", c.text, d)
		}
	}
}

// TestLimits checks that texts of any size and shape end with an answer, in bounded memory.
func TestLimits(t *testing.T) {
	ctx := context.Background()
	deep := must(t, grammars.Must("json"))
	f, err := deep.Parse(ctx, "deep", strings.Repeat("[", 200_000)+strings.Repeat("]", 200_000))
	if err != nil {
		t.Fatal(err)
	}
	if tree, err := f.Tree(ctx); err != nil || len(tree.Text()) != 400_000 {
		t.Errorf("deep nesting: %v", err)
	}
	g := read(t, `s = s s | s s s | "a" ;`)
	wild, err := parse.New(ctx, g, parse.Options{MaxMemory: 16 << 20})
	if err != nil {
		t.Fatal(err)
	}
	if f, err := wild.Parse(ctx, "wild", strings.Repeat("a", 5000)); f != nil || !errors.Is(err, parse.ErrMemory) {
		t.Errorf("wild ambiguity: %v, a forest: %v", err, f != nil)
	}
	stopped, cancel := context.WithCancel(ctx)
	cancel()
	if f, err := wild.Parse(stopped, "wild", strings.Repeat("a", 5000)); f != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v, a forest: %v", err, f != nil)
	}
}

func TestCyclic(t *testing.T) {
	for _, src := range []string{`a = a | "x" ;`, `a = b? a b? | "x" ; b = "" | "y" ;`, `a = ("" | a) ("" | a) "" ;`} {
		// No grammar that loads is cyclic, so a replaces the start.
		g, _, err := load.Source("g.ebnf", []byte(src+` start = "z" ;`), load.Options{Start: "start"})
		if err != nil {
			t.Fatal(err)
		}
		g.Start = g.Rule("a")
		g.Root.Name, g.Root.Rule = "a", g.Start
		if _, err := parse.New(context.Background(), g, parse.Options{}); !errors.Is(err, parse.ErrCyclic) {
			t.Errorf("%s: %v", src, err)
		}
	}
}

// TestCounts checks known numbers: the ways to put brackets are the Catalan numbers.
func TestCounts(t *testing.T) {
	ctx := context.Background()
	p := must(t, read(t, `s = s s | "a" ;`))
	for _, n := range []int64{1, 2, 3, 5, 11, 60} {
		want := new(big.Int).Binomial(2*(n-1), n-1)
		want.Div(want, big.NewInt(n))
		f, err := p.Parse(ctx, "t", strings.Repeat("a", int(n)))
		if err != nil {
			t.Fatal(err)
		}
		if c, err := f.Count(ctx); err != nil || c.Cmp(want) != 0 {
			t.Errorf("%d letters: %v trees, %v; want %v", n, c, err, want)
		}
	}
}

// TestUniform checks that the 14 trees of five letters are equally frequent (chi-square, 13
// degrees of freedom: 45 is exceeded once in 30,000 times; the seed is fixed).
func TestUniform(t *testing.T) {
	ctx := context.Background()
	f, err := must(t, read(t, `s = s s | "a" ;`)).Parse(ctx, "t", "aaaaa")
	if err != nil {
		t.Fatal(err)
	}
	src := rand.NewPCG(7, 8)
	seen := map[string]int{}
	const each = 500
	for range 14 * each {
		tree, err := f.Uniform(ctx, src)
		if err != nil {
			t.Fatal(err)
		}
		seen[fmt.Sprint(tree.Choices())]++
	}
	chi := 0.0
	for _, n := range seen {
		chi += float64((n-each)*(n-each)) / each
	}
	if len(seen) != 14 || chi > 45 {
		t.Errorf("%d trees, chi-square %.1f", len(seen), chi)
	}
}
