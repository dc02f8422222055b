package reduce_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/testing/brute"
	"github.com/gramfuzz/gramfuzz/reduce"
)

// listed returns the texts of derivations of e that brute force lists, up to a size in a unit;
// false if they are too many.
func listed(g *grammar.Grammar, e *grammar.Expr, unit grammar.Unit, most int) (texts []string, ok bool) {
	l := &brute.Lister{Facts: g.Facts(nil, grammar.Exact), Most: 10_000, Unit: unit, Limit: max(most, 1), Repeat: most + 1}
	all := l.List(e, 9)
	for _, d := range all {
		texts = append(texts, string(d.Text))
	}
	return texts, !l.Overflow
}

// TestCertifiedBrute checks with random grammars and predicates that all smaller derivations that
// were certified, of the whole and of places, lack the property.
func TestCertifiedBrute(t *testing.T) {
	grammars, wholes, places := 0, 0, 0
	for seed := uint64(1); grammars < 25 && seed < 2000; seed++ {
		rng := rand.New(rand.NewPCG(seed, 33))
		g := brute.Random(rng)
		m := derive.NewMachine(g, derive.Options{MaxDepth: 9, Repeat: 4, MaxNodes: 200})
		tree, err := m.Run(t.Context(), derive.ChooserFunc(func(d *derive.Decision) (int, error) { return d.Value(rng.IntN(d.N)), nil }))
		if err != nil || len(tree.Text()) < 5 {
			continue
		}
		text := tree.Text()
		one, two := rng.IntN(len(text)), rng.IntN(len(text)-1)
		letter, pair := text[one:one+1], text[two:two+2]
		times := 1 + rng.IntN(strings.Count(text, letter))
		holds := func(_ context.Context, text []byte) (bool, error) {
			return strings.Count(string(text), letter) >= times && strings.Contains(string(text), pair), nil
		}
		r, err := reduce.Run(t.Context(), reduce.Input{Tree: tree}, holds, reduce.Options{Certify: 2000})
		if err != nil {
			t.Fatal(err)
		}
		before := wholes + places
		check := func(claim reduce.Certificate, candidate string) {
			if yes, _ := holds(t.Context(), []byte(candidate)); yes && reduce.Compare([]byte(candidate), nil, r.Text, nil) < 0 {
				t.Errorf("seed %d: %+v, but %q is smaller than %q", seed, claim, candidate, r.Text)
			}
		}
		for _, claim := range r.Stats.Certified {
			most, unit := 0, grammar.Bytes
			if claim.Rule == "" {
				if n, _ := fmt.Sscanf(claim.Claim, "smaller sentences of at most %d bytes", &most); n != 1 {
					n, _ = fmt.Sscanf(claim.Claim, "smaller sentences of at most %d terminals", &most)
					if n != 1 {
						continue
					}
					unit = grammar.Terminals
				}
				texts, ok := listed(g, g.Root, unit, most)
				for _, text := range texts {
					check(claim, text)
				}
				if ok {
					wholes++
				}
				continue
			}
			at := 0
			for i, n := range r.Tree.Nodes() {
				if n.Expr.Op == grammar.Ref && n.Expr.Rule.Name == claim.Rule && r.Tree.SubText(i) == claim.Text {
					texts, _ := listed(g, n.Expr, grammar.Bytes, len(claim.Text))
					for _, text := range texts {
						check(claim, string(r.Text[:at])+text+string(r.Text[at+len(claim.Text):]))
					}
					places++
				}
				at += len(n.AppendText(nil))
			}
		}
		if wholes+places > before {
			grammars++
		}
	}
	if grammars < 25 || wholes < 25 || places < 40 {
		t.Errorf("only %d grammars with %d claims about sentences and %d about places", grammars, wholes, places)
	}
	t.Logf("%d grammars, %d claims about sentences, %d about places", grammars, wholes, places)
}
