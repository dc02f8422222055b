package reduce_test

import (
	"context"
	"strings"
	"testing"

	gctx "github.com/gramfuzz/gramfuzz/context"
	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/parse"
	"github.com/gramfuzz/gramfuzz/reduce"
	"github.com/gramfuzz/gramfuzz/sample"
)

// TestCandidatesObey checks for every algorithm, from a record or a text, that every candidate is
// a sentence of the annotated grammar that obeys its annotations. The predicate checks and counts
// the candidates.
func TestCandidatesObey(t *testing.T) {
	has := map[string]func(text string) bool{
		"assign": func(text string) bool { return strings.Contains(text, "+") && strings.Count(text, ";") > 1 },
		"lambda": func(text string) bool { return strings.Contains(text, ")(") && strings.Count(text, "=>") > 1 },
	}
	for _, name := range grammars.Names() {
		g := grammars.Must(name)
		names, err := gctx.New(g, gctx.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if names == nil {
			continue
		}
		if has[name] == nil {
			t.Errorf("grammar %s is annotated and has no property here", name)
			continue
		}
		t.Run(name, func(t *testing.T) { candidatesObey(t, g, names, has[name]) })
	}
}

func candidatesObey(t *testing.T, g *grammar.Grammar, names *gctx.Names, has func(string) bool) {
	ctx := context.Background()
	p, err := parse.New(ctx, g, parse.Options{})
	if err != nil {
		t.Fatal(err)
	}
	tree := func(ctx context.Context, text []byte) (*derive.Tree, error) {
		forest, err := p.Parse(ctx, "", string(text))
		if err != nil {
			return nil, err
		}
		return forest.Tree(ctx)
	}
	asked := map[string]int{} // candidates by algorithm
	algorithm := ""
	property := func(ctx context.Context, text []byte) (bool, error) {
		asked[algorithm]++
		made, err := tree(ctx, text)
		if err == nil {
			err = names.Check(made)
		}
		if err != nil {
			t.Errorf("%s: candidate %q: %v", algorithm, text, err)
		}
		return has(string(text)), nil
	}
	s, err := sample.New(ctx, g, sample.Options{Bound: count.Sizes(20, 60, grammar.Terminals), Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	src := s.Source()
	for i, inputs := uint64(0), 0; inputs < 5; i++ {
		made, err := src.Tree(ctx, i)
		if err != nil {
			t.Fatal(err)
		}
		text := []byte(made.Text())
		if !has(string(text)) {
			continue
		}
		inputs++
		for _, algorithm = range reduce.Algorithms() {
			for _, in := range []reduce.Input{{Tree: made}, {Text: text}} {
				if _, err := reduce.Run(ctx, in, property, reduce.Options{Algorithm: algorithm, Parse: tree, MaxCalls: 400}); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	for _, algorithm := range []string{"auto", "perses", "ddmin", "bytes", "tokens", "structure"} {
		if asked[algorithm] <= 10 { // more than the input itself
			t.Errorf("%s tried nothing", algorithm)
		}
	}
	t.Log(asked)
}
