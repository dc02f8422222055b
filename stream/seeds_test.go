package stream_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/gramfuzz/gramfuzz/context"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/load"
	"github.com/gramfuzz/gramfuzz/parse"
	"github.com/gramfuzz/gramfuzz/stream"
)

// TestSeeds: a word of a seed occurs in a share of the sentences of each strategy; texts, trees and
// records agree, in any order; a record leads to no plan.
func TestSeeds(t *testing.T) {
	ctx := t.Context()
	const word = "abaabbababba"
	g := load.MustString(`list = item (" " item)* ; item = word | "(" list ")" ; word = [ab]{0,20} ;`)
	for _, strategy := range []string{"", "broad", "mixed", "walk"} {
		count := func(seeds []string) (n int) {
			s, err := (&stream.Plan{Strategy: strategy, Seed: 3, Seeds: seeds}).Open(ctx, g, stream.Options{})
			if err != nil {
				t.Fatal(err)
			}
			src, recs := s.Source(), s.Records()
			last := ""
			for i := range uint64(400) {
				text, err := src.Append(ctx, nil, 399-i)
				if err != nil {
					t.Fatal(err)
				}
				last = string(text)
				if strings.Contains(last, word) {
					n++
				}
				tree, err := src.Tree(ctx, 399-i)
				if err != nil {
					t.Fatal(err)
				}
				rec, err := recs.Record(ctx, 399-i)
				if err != nil {
					t.Fatal(err)
				}
				if tree.Text() != last || string(rec.Text) != last {
					t.Fatalf("%s: sentence %d is %q, of its tree %q, in its record %q", strategy, 399-i, last, tree.Text(), rec.Text)
				}
				if seeds == nil {
					continue
				}
				if _, _, err := stream.PlanOf(rec); err == nil || !strings.Contains(err.Error(), "--print-plan") {
					t.Fatalf("the plan of a record: %v", err)
				}
			}
			return n
		}
		if n := count(nil); n > 0 {
			t.Fatalf("%s: %d of 400 sentences have the word without a seed: the test shows nothing", strategy, n)
		}
		if n := count([]string{"a (" + word + ")"}); n < 20 || n > 100 {
			t.Errorf("%s: %d of 400 sentences have the word of the seed", strategy, n)
		}
	}
}

// TestSeedsNames: names in the subtree of a seed are names defined in its new place.
func TestSeedsNames(t *testing.T) {
	ctx := t.Context()
	g := grammars.Must("assign")
	names, err := context.New(g, context.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := parse.New(ctx, g, parse.Options{})
	if err != nil {
		t.Fatal(err)
	}
	plain, err := (&stream.Plan{Strategy: "walk", Seed: 1}).Open(ctx, g, stream.Options{})
	if err != nil {
		t.Fatal(err)
	}
	plan := &stream.Plan{Strategy: "walk", Seed: 2}
	for i := range uint64(20) {
		text, err := plain.Source().Append(ctx, nil, i)
		if err != nil {
			t.Fatal(err)
		}
		plan.Seeds = append(plan.Seeds, string(text))
	}
	data, err := json.Marshal(plan)
	if err != nil {
		t.Fatal(err)
	}
	read, _, err := stream.ReadPlan(data)
	if err != nil {
		t.Fatal(err)
	}
	s, err := read.Open(ctx, g, stream.Options{})
	if err != nil {
		t.Fatal(err)
	}
	src := s.Source()
	for i := range uint64(300) {
		text, err := src.Append(ctx, nil, i)
		if err != nil {
			t.Fatal(err)
		}
		f, err := p.Parse(ctx, "text", string(text))
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		tree, err := f.Tree(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if err := names.Check(tree); err != nil {
			t.Fatalf("%q: %v", text, err)
		}
	}
}

// TestSeedsRefused: a seed that is no sentence, no seeds that can be had, hooks.
func TestSeedsRefused(t *testing.T) {
	g := load.MustString(`s = "a" s? ;`)
	for want, c := range map[string]struct {
		plan stream.Plan
		o    stream.Options
	}{
		"a seed of a plan is a sentence": {stream.Plan{Seeds: []string{"a", "b"}}, stream.Options{}},
		"do not go with hooks":           {stream.Plan{Strategy: "mixed", Seeds: []string{"a"}}, stream.Options{Hooks: func() derive.Hooks { return nil }}},
		"leave the bound out":            {stream.Plan{Bound: derive.BoundRef{Depth: 3}, Seeds: []string{"a"}}, stream.Options{}},
	} {
		if _, err := c.plan.Open(t.Context(), g, c.o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
