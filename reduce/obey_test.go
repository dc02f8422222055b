package reduce_test

import (
	"context"
	"errors"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	gctx "github.com/gramfuzz/gramfuzz/context"
	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/internal/testing/brute"
	"github.com/gramfuzz/gramfuzz/load"
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
		t.Run(name, func(t *testing.T) {
			asked := candidatesObey(t, g, names, has[name], 5, count.Sizes(20, 60, grammar.Terminals))
			for _, algorithm := range []string{"auto", "perses", "ddmin", "bytes", "tokens", "structure"} {
				if asked[algorithm] <= 10 { // more than the input itself
					t.Errorf("%s tried nothing", algorithm)
				}
			}
		})
	}
}

// TestTokenNamesObey checks the same where the names are tokens, with and without layout between
// them, for names of every kind that brute force lists.
func TestTokenNamesObey(t *testing.T) {
	even := func(text string) bool {
		sum := 0
		for _, b := range []byte(strings.ReplaceAll(text, " ", "")) {
			sum += int(b)
		}
		return len(text) > 4 && sum%2 == 0
	}
	plain, asked := regexp.MustCompile(`(?m)^(name|n) =`), 0
	for _, title := range slices.Sorted(maps.Keys(brute.Annotated)) {
		source := brute.Annotated[title]
		tokens := plain.ReplaceAllString(source, "@token $1 =")
		if tokens == source {
			continue
		}
		for _, layout := range []string{"", "\n@skip SPACE = \" \" ;"} {
			t.Run(title+strings.ReplaceAll(layout, "\n", " "), func(t *testing.T) {
				g, err := load.String(tokens + layout)
				if err != nil {
					t.Fatal(err)
				}
				names, err := gctx.New(g, gctx.Options{})
				if err != nil {
					t.Fatal(err)
				}
				asked += candidatesObey(t, g, names, even, 2, count.Sizes(6, 12, grammar.Terminals))["auto"]
			})
		}
	}
	if asked < 2000 {
		t.Errorf("%d candidates in all", asked)
	}
}

// candidatesObey reduces some sentences within a bound by every algorithm, each from its tree and
// from its text, and returns the number of candidates of each algorithm.
func candidatesObey(t *testing.T, g *grammar.Grammar, names *gctx.Names, has func(string) bool, sentences int, bound count.Bound) map[string]int {
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
		return forest.Obeying(ctx, names)
	}
	asked := map[string]int{}
	algorithm, input := "", ""
	property := func(ctx context.Context, text []byte) (bool, error) {
		asked[algorithm]++
		if _, err := tree(ctx, text); err != nil && !errors.Is(err, parse.ErrUndecided) {
			t.Errorf("%s of %q: candidate %q: %v", algorithm, input, text, err)
		}
		return has(string(text)), nil
	}
	s, err := sample.New(ctx, g, sample.Options{Bound: bound, Seed: 3, Layout: derive.Spaced})
	if err != nil {
		t.Fatal(err)
	}
	src := s.Source()
	for i, inputs := uint64(0), 0; inputs < sentences; i++ {
		made, err := src.Tree(ctx, i)
		if err != nil {
			t.Fatal(err)
		}
		input = made.Text()
		if !has(input) {
			continue
		}
		inputs++
		ins := []reduce.Input{{Tree: made}}
		if _, err := tree(ctx, []byte(input)); err == nil {
			ins = append(ins, reduce.Input{Text: []byte(input)})
		}
		for _, algorithm = range reduce.Algorithms() {
			for _, in := range ins {
				r, err := reduce.Run(ctx, in, property, reduce.Options{Algorithm: algorithm, Parse: tree, MaxCalls: 200, Certify: 50})
				if err != nil {
					t.Fatal(err)
				}
				if len(r.Text) > len(input) {
					t.Errorf("%s: %q became %q", algorithm, input, r.Text)
				}
			}
		}
	}
	return asked
}
