package swarm_test

import (
	"fmt"
	"math/big"
	"strings"
	"testing"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/swarm"
)

// masked prints the grammar that a configuration leaves, in the native notation; for grammars
// without tokens.
func masked(s *swarm.Swarm, c *swarm.Config) string {
	f := s.Grammar().Facts(c.Mask(), grammar.Structure)
	on := make(map[*grammar.Rule]bool) // whether some reference to the rule derives something
	for _, e := range s.Grammar().Exprs {
		on[e.Rule] = on[e.Rule] || e.Op == grammar.Ref && f.Productive(e)
	}
	var b strings.Builder
	for _, r := range s.Grammar().Rules {
		if on[r] {
			fmt.Fprintf(&b, "%s = %s ;\n", r.Name, left(f, r.Body))
		}
	}
	return b.String()
}

// left returns the rest of a productive expression under facts.
func left(f *grammar.Facts, e *grammar.Expr) string {
	var parts []string
	switch e.Op {
	case grammar.Lit:
		return fmt.Sprintf("%q", e.Text)
	case grammar.Class:
		var alts []string
		gen := f.Mask.Gen(e)
		for i := range gen.Len() {
			alts = append(alts, fmt.Sprintf("%q", gen.At(i)))
		}
		return "( " + strings.ReplaceAll(strings.Join(alts, " | "), "'", "\"") + " )"
	case grammar.Ref:
		return e.Name
	case grammar.Rep:
		if !f.Productive(e.Children[0]) {
			return `""`
		}
		if e.Max < 0 {
			return fmt.Sprintf("( %s ){%d,}", left(f, e.Children[0]), e.Min)
		}
		return fmt.Sprintf("( %s ){%d,%d}", left(f, e.Children[0]), e.Min, e.Max)
	case grammar.Choice:
		for i, k := range e.Children {
			if f.Mask.On(e, i) && f.Productive(k) {
				parts = append(parts, left(f, k))
			}
		}
		return "( " + strings.Join(parts, " | ") + " )"
	}
	for _, k := range e.Children {
		parts = append(parts, left(f, k))
	}
	return `"" ` + strings.Join(parts, " ")
}

// TestMaskCountsAsTheGrammarLeft checks that a masked grammar has as many derivations as one
// without the features that are out.
func TestMaskCountsAsTheGrammarLeft(t *testing.T) {
	g := parse(t, `s = e | "[" s? "]" | [x-z]{1,2} t* ; e = e "+" t | t ; t = ("a" | "b" | u) | "(" e ")" ; u = "u" ;`)
	for _, mode := range modes {
		sw := mustNew(t, g, swarm.Options{Mode: mode, Coins: coins(t, "* members")})
		derive := 0
		for seed := range uint64(60) {
			c := sw.Config(seed)
			if !c.Derives() {
				continue
			}
			derive++
			fresh := parse(t, masked(sw, c))
			for _, b := range []count.Bound{count.Depth(4), count.Sizes(0, 7, grammar.Terminals)} {
				got, want := total(t, g, b, c.Mask()), total(t, fresh, b, nil)
				if got.Cmp(want) != 0 {
					t.Fatalf("%s, %v: %v derivations, %v without what is out:\n%s", c.Name(), b, got, want, masked(sw, c))
				}
			}
		}
		if derive < 10 {
			t.Errorf("%v: only %d configurations derive something", mode, derive)
		}
	}
}

func total(t *testing.T, g *grammar.Grammar, b count.Bound, m *grammar.Mask) *big.Int {
	t.Helper()
	table, err := count.New(ctx, g, b, count.Options{Mask: m})
	if _, empty := err.(*count.EmptyError); empty {
		return new(big.Int)
	}
	if err != nil {
		t.Fatal(err)
	}
	return table.Total()
}
