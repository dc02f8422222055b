package sample_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/sample"
)

// sentenceAgrees compares a sentence drawn directly with its tree.
func sentenceAgrees(t *testing.T, src *sample.Source, made *sample.Sentence, tree *derive.Tree, f *grammar.Facts, u grammar.Unit, i uint64) bool {
	t.Helper()
	if err := src.Sentence(ctx, made, i); err != nil {
		t.Errorf("sentence %d: %v", i, err)
		return false
	}
	var want sample.Sentence
	want.Set(tree, f, u)
	if diff := cmp.Diff(&want, made, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("sentence %d, %q (-tree +sentence):\n%s", i, tree.Text(), diff)
		return false
	}
	return true
}

// TestSentenceAgreesWithTree checks that the record of a sentence without a tree agrees with
// its tree, before and after its parts are stored in tables.
func TestSentenceAgreesWithTree(t *testing.T) {
	const n = 60
	names := []string{"expr", "json", "assign", "lopsided", "tree", "url"} // the others are laid out: a tree is made
	measures := []grammar.Measure{grammar.Structure, grammar.Exact}
	if testing.Short() { // see TestFacesAgree
		names, measures = []string{"assign", "lopsided", "tree"}, measures[:1]
	}
	for _, name := range names {
		g := grammars.Must(name)
		for _, measure := range measures {
			facts := g.Facts(nil, measure)
			least := facts.Size(g.Root, grammar.Terminals, grammar.Any)
			for _, o := range []sample.Options{
				{Bound: count.Sizes(least, least+20, grammar.Terminals)},
				{Bound: count.Depth(facts.Depth(g.Root, grammar.Any) + 3)},
				{Bound: count.Sizes(least, least+12, grammar.Bytes)},
				{Bound: count.Sizes(least, least+12, grammar.Nodes)},
				{Bound: count.Sizes(least, least+200, grammar.Terminals)},
				{Strategy: sample.Boltzmann, Mean: least + 10},
				{Strategy: sample.Balanced},
				{Strategy: sample.Walk},
				{Strategy: sample.Walk, Bound: count.Sizes(0, least+12, grammar.Nodes)},
				{Strategy: sample.Weighted, Bound: count.Sizes(0, 9+facts.Size(g.Root, grammar.Bytes, grammar.Any), grammar.Bytes)},
				{Strategy: sample.Limit, Bound: count.Depth(4)},
				{Strategy: sample.Balanced, Bound: count.Depth(facts.Depth(g.Root, grammar.Any) + 3)},
				{Strategy: sample.Balanced, Strength: 2, Bound: count.Sizes(least, least+12, grammar.Bytes)},
			} {
				o.Measure, o.Seed = measure, 21
				if o.Strategy == sample.Boltzmann && name == "assign" {
					continue // its oracle would have to compute thousands of states of names
				}
				s, err := sample.New(ctx, g, o)
				if err != nil {
					continue // nothing within the bound
				}
				src, other := s.Source(), s.Source()
				var made sample.Sentence
				for i := range uint64(n) {
					tree, err := other.Tree(ctx, i)
					if err != nil {
						t.Fatalf("%s, %+v: %v", name, o, err)
					}
					if !sentenceAgrees(t, src, &made, tree, facts, s.Bound().Unit, i) {
						t.Fatalf("%s, %+v", name, o)
					}
				}
			}
		}
	}
}

// TestSentenceAllocatesNothing checks that recording allocates no more than drawing texts once
// tables are warm. Occasionally a draw is decided with larger numbers.
func TestSentenceAllocatesNothing(t *testing.T) {
	for _, name := range []string{"expr", "json", "url"} {
		s, err := sample.New(ctx, grammars.Must(name), sample.Options{Bound: count.Sizes(1, 9, grammar.Terminals), Seed: 2})
		if err != nil {
			t.Fatal(err)
		}
		src := s.Source()
		var made sample.Sentence
		draw := func(one func(i uint64) error) func() {
			return func() {
				for i := range uint64(2000) {
					if err := one(i); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
		text := draw(func(i uint64) error {
			made.Text, err = src.Append(ctx, made.Text[:0], i)
			return err
		})
		record := draw(func(i uint64) error { return src.Sentence(ctx, &made, i) })
		for range 20 {
			text()
			record()
		}
		if n, most := testing.AllocsPerRun(2, record), testing.AllocsPerRun(2, text)+20; n > most {
			t.Errorf("%s: %v allocations for 2000 sentences, more than %v", name, n, most)
		}
	}
}
