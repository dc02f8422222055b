package stream_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gramfuzz/gramfuzz/coverage"
	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/load"
	"github.com/gramfuzz/gramfuzz/sample"
	"github.com/gramfuzz/gramfuzz/stream"
)

// TestBroad checks that strategy broad takes every alternative soon, and that its records lead
// back.
func TestBroad(t *testing.T) {
	for _, name := range []string{"go", "json", "assign"} {
		g := grammars.Must(name)
		s, err := (&stream.Plan{Strategy: "broad", Seed: 3}).Open(t.Context(), g, stream.Options{})
		if err != nil {
			t.Fatal(err)
		}
		c, err := coverage.New(g, coverage.Options{})
		if err != nil {
			t.Fatal(err)
		}
		src, records := s.Source(), s.Records()
		for i := range uint64(400) {
			tree, err := src.Tree(t.Context(), i)
			if err != nil {
				t.Fatal(err)
			}
			c.Add(tree)
			if i%37 != 0 {
				continue
			}
			rec, err := records.Record(t.Context(), i)
			if err != nil {
				t.Fatal(err)
			}
			plan, number, err := stream.PlanOf(rec)
			if err != nil {
				t.Fatal(err)
			}
			again, err := plan.Open(t.Context(), g, stream.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if text, err := again.Source().Append(t.Context(), nil, number); err != nil || string(text) != tree.Text() {
				t.Errorf("%s, sentence %d: %q leads back to %q, %v", name, i, tree.Text(), text, err)
			}
		}
		if part := c.Report().Alternatives; part.Reached != part.Total {
			t.Errorf("%s: %d of %d alternatives", name, part.Reached, part.Total)
		}
	}
}

// TestBroadTurns checks that the generators take turns sentence by sentence; the first is
// strategy balanced.
func TestBroadTurns(t *testing.T) {
	g := load.MustString(`s = "a" | "b" s | "c" s s ;`)
	texts := func(p *stream.Plan, every, first uint64) (list []string) {
		s, err := p.Open(t.Context(), g, stream.Options{})
		if err != nil {
			t.Fatal(err)
		}
		src := s.Source()
		for i := range uint64(9) {
			text, err := src.Append(t.Context(), nil, i*every+first)
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, string(text))
		}
		return list
	}
	broad := &stream.Plan{Strategy: "broad", Seed: 3}
	mix := &stream.Plan{Strategy: stream.Mixed, Seed: 3, Mix: []stream.Generator{{Strategy: sample.Balanced.String()}, {Strategy: stream.RandomWeights}}}
	if diff := cmp.Diff(texts(mix, 1, 0), texts(broad, 3, 0)); diff != "" {
		t.Errorf("the balanced ones (-mixed +broad):\n%s", diff)
	}
	if diff := cmp.Diff(texts(mix, 1, stream.Block), texts(broad, 3, 1)); diff != "" {
		t.Errorf("the walks (-mixed +broad):\n%s", diff)
	}
}

// TestBroadWithoutTables checks that walks replace tables that would take too much memory, and
// that a note says so.
func TestBroadWithoutTables(t *testing.T) {
	g := load.MustString(`s = "x"{100000} ("a" | "b") | "y" s ;`)
	s, err := (&stream.Plan{Strategy: "broad", MaxBytes: -1}).Open(t.Context(), g, stream.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Notes()) != 1 {
		t.Errorf("notes %q", s.Notes())
	}
	if _, err := s.Source().Append(t.Context(), nil, 0); err != nil {
		t.Error(err)
	}
}

// TestReadable checks that the lexer reads sentences of every strategy as their tokens. In this
// grammar two adjacent letters are one token, and no space separates tokens.
func TestReadable(t *testing.T) {
	g, _, err := load.Source("g.g4", []byte("grammar g; s : ('x' | A A ';' | A ',')* EOF ; A : 'a'+ ;"), load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, strategy := range []string{"uniform", "walk", stream.RandomWeights, stream.Mixed, "broad"} {
		commas := 0
		src := mustOpen(t, g, stream.Plan{Strategy: strategy, Seed: 1}).Source()
		for i := range uint64(300) {
			text, err := src.Append(t.Context(), nil, i)
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(string(text), ";") {
				t.Errorf("%s: sentence %d is %q, of which no lexer reads two tokens before the semicolon", strategy, i, text)
				break
			}
			commas += strings.Count(string(text), ",")
		}
		if commas == 0 {
			t.Errorf("%s: no sentence has a comma", strategy)
		}
	}
}
