package swarm_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/internal/core/marks"
	"github.com/gramfuzz/gramfuzz/load"
	"github.com/gramfuzz/gramfuzz/swarm"
)

var ctx = context.Background()

func parse(t testing.TB, src string) *grammar.Grammar {
	t.Helper()
	g, _, err := load.Source("t.ebnf", []byte(src), load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func mustNew(t testing.TB, g *grammar.Grammar, o swarm.Options) *swarm.Swarm {
	t.Helper()
	s, err := swarm.New(g, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func names(s *swarm.Swarm) (ns []string) {
	for _, f := range s.Features() {
		ns = append(ns, f.Name)
	}
	return ns
}

func coins(t testing.TB, src string) *swarm.Coins {
	t.Helper()
	c, err := swarm.ParseCoins("coins", []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestFeatures(t *testing.T) {
	nested := `s = ("a" | x) ("b" | "c" ("d" | "e"))? | x ; x = "x" NUM ; @token NUM = [0-2] ("u" | "v")? ; @skip SP = " " | "\t" ; lost = "l" | "m" ;`
	for _, tc := range []struct {
		name, src, coins string
		want             []string
	}{
		{"lopsided", string(source(t, "lopsided")), "", []string{"a/0", "a/1", "b/0", "b/1", "c/0", "c/1", "d/0", "d/1", "e/0", "e/1", "f"}},
		{"nested choices, a token, layout, an unreachable rule", nested, "",
			[]string{"s/0", "s/1.0", "s/1.1", "s/2.0", "s/2.1", "s/3.0", "s/3.1", "s/1", "x", "NUM"}},
		{"members of a token", nested, "NUM members",
			[]string{"s/0", "s/1.0", "s/1.1", "s/2.0", "s/2.1", "s/3.0", "s/3.1", "s/1", "x", "NUM", "NUM/'0'", "NUM/'1'", "NUM/'2'", "NUM/0", "NUM/1"}},
		{"an unproductive alternative is none", `s = "a" | loop ; loop = "x" loop ;`, "", []string{"s/0"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := mustNew(t, parse(t, tc.src), swarm.Options{Coins: coins(t, tc.coins)})
			if d := cmp.Diff(tc.want, names(s)); d != "" {
				t.Errorf("features (-want +got):\n%s", d)
			}
		})
	}
}

func source(t testing.TB, name string) []byte {
	t.Helper()
	src, ok := grammars.Source(name)
	if !ok {
		t.Fatal("no grammar", name)
	}
	return src
}

// TestNamesAreThoseOfParts checks that an alternative has one name, as a feature and as a part,
// whichever alternatives before it derive nothing.
func TestNamesAreThoseOfParts(t *testing.T) {
	sources := []*grammar.Grammar{parse(t, `s = (never ("a" | "b")) | ("c" | "d")* | x ("e" | x "f") ; never = never "n" ; x = "g" | "h" ("i" | "j") ;`)}
	for _, name := range grammars.Names() {
		sources = append(sources, grammars.Must(name))
	}
	for _, g := range sources {
		parts := map[string]*grammar.Expr{}
		for _, p := range marks.Parts(g) {
			parts[p.Name] = p.Expr
		}
		n := 0
		for _, f := range mustNew(t, g, swarm.Options{Measure: grammar.Exact}).Features() {
			if f.Expr == nil || f.Expr.Op != grammar.Choice {
				continue
			}
			n++
			if parts[f.Name] != f.Expr.Children[f.Alt] {
				t.Errorf("%s: feature %s is not the part of that name", g.Name, f.Name)
			}
		}
		if n == 0 {
			t.Errorf("%s has no alternatives", g.Name)
		}
	}
}
