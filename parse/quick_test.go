package parse_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/testing/brute"
	"github.com/gramfuzz/gramfuzz/parse"
)

// TestFirstWithoutForest checks on random small grammars with precedences that a text has a tree
// whether or not precedences settle the conflicts of the table, and that it is the first of all
// trees wherever the table without these conflicts has no others. It is the first in any case.
func TestFirstWithoutForest(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	var quick, certain, texts, ambiguous, other int
	for range 1000 {
		g := brute.Random(rng)
		for _, r := range g.Rules {
			alts := r.Body.Children
			if r.Body.Op != grammar.Choice {
				alts = []*grammar.Expr{r.Body}
			}
			for _, k := range alts {
				if k.Op != grammar.Ref && rng.IntN(4) > 0 {
					args := [][]string{{strconv.Itoa(rng.IntN(3))}, {strconv.Itoa(rng.IntN(3)), "left"}, {strconv.Itoa(rng.IntN(3)), "right"}}[rng.IntN(3)]
					k.Annotations = append(k.Annotations, grammar.Annotation{Name: "prec", Args: args})
				}
			}
		}
		p, err := parse.New(t.Context(), g, parse.Options{})
		if errors.Is(err, parse.ErrCyclic) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		has, alone := p.Quick()
		if !has {
			continue
		}
		quick++
		if alone {
			certain++
		}
		for _, text := range allTexts([]string{"a", "b", "c"}, 4) {
			f, err := p.Parse(t.Context(), "text", text)
			if err != nil {
				continue
			}
			texts++
			n, err := f.Count(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			tree, err := f.Tree(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			checkTree(t, g, tree, text)
			if n.Int64() > 1 {
				ambiguous++
			}
			whole, err := f.Whole(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			all := 0
			for each, err := range f.All(t.Context()) {
				if err != nil {
					t.Fatal(err)
				}
				if is := slices.Equal(each.Choices(), tree.Choices()); is != (all == 0) {
					t.Fatalf("%q: tree %d is %v, the canonical one %v", text, all, each.Choices(), tree.Choices())
				}
				all++
			}
			if int64(all) != n.Int64() {
				t.Errorf("%q: %d trees of %v", text, all, n)
			}
			if slices.Equal(whole.Choices(), tree.Choices()) {
				continue
			}
			other++
			if alone {
				t.Errorf("%q: %v, the first is %v", text, tree.Choices(), whole.Choices())
			}
		}
	}
	if certain < 10 || ambiguous < 300 {
		t.Error("too little was tried")
	}
	t.Logf("%d grammars, %d without other conflicts, %d texts, %d ambiguous, %d with another tree first", quick, certain, texts, ambiguous, other)
}
