package guide

import (
	"math/rand/v2"
	"strings"
	"testing"

	gctx "github.com/gramfuzz/gramfuzz/context"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/grammars"
	parser "github.com/gramfuzz/gramfuzz/parse"
)

// TestStore: subtrees of seeds occur in drawn and changed sentences. Without seeds, the drawn
// sentences stay the same as before.
func TestStore(t *testing.T) {
	const rare = "abaabbababbaabababba"
	g := parse(t, `list = item (" " item)* ; item = word | "(" list ")" ; word = [ab]* ;`)
	with := func(seeds ...*derive.Tree) (drawn, changed int) {
		src, err := NewSentences(g, SentenceOptions{Seeds: seeds})
		if err != nil {
			t.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(1, 1))
		for range 2000 {
			in, err := src.Random(t.Context(), rng)
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(string(in.Text), rare) {
				drawn++
			}
			out, err := src.Mutate(t.Context(), rng, in, in)
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(string(out.Text), rare) {
				changed++
			}
		}
		return drawn, changed
	}
	if drawn, changed := with(); drawn+changed > 0 {
		t.Fatalf("%d of 2000 without a seed, and %d of those that were changed: the test shows nothing", drawn, changed)
	}
	seed := treeOf(t, parserOf(t, g), []byte("a ("+rare+") b"))
	drawn, changed := with(seed)
	t.Logf("%d drawn and %d changed of 2000 have it", drawn, changed)
	if drawn < 50 || drawn > 1000 || changed < 50 {
		t.Errorf("%d drawn and %d changed of 2000 have the word of the seed", drawn, changed)
	}
}

func parserOf(t *testing.T, g *grammar.Grammar) *parser.Parser {
	t.Helper()
	p, err := parser.New(t.Context(), g, parser.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func treeOf(t *testing.T, p *parser.Parser, text []byte) *derive.Tree {
	t.Helper()
	f, err := p.Parse(t.Context(), "text", string(text))
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	tree, err := f.Tree(t.Context())
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return tree
}

// TestStoreNames: names in an inserted subtree are names defined in its new place.
func TestStoreNames(t *testing.T) {
	g := grammars.Must("assign")
	names, err := gctx.New(g, gctx.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p := parserOf(t, g)
	one, err := NewSentences(g, SentenceOptions{})
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 1))
	var seeds []*derive.Tree
	for len(seeds) < 20 {
		in, err := one.Random(t.Context(), rng)
		if err != nil {
			t.Fatal(err)
		}
		seeds = append(seeds, treeOf(t, p, in.Text))
	}
	src, err := NewSentences(g, SentenceOptions{Seeds: seeds})
	if err != nil {
		t.Fatal(err)
	}
	for range 500 {
		in, err := src.Random(t.Context(), rng)
		if err != nil {
			t.Fatal(err)
		}
		if err := names.Check(treeOf(t, p, in.Text)); err != nil {
			t.Fatalf("%q: %v", in.Text, err)
		}
	}
}
