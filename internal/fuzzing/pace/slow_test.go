package pace

import (
	"bytes"
	"testing"
	"time"

	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/stream"
)

// Suppose that sentences of select with NULL hang and the others are fast.
func TestSlow(t *testing.T) {
	g := grammars.Must("select")
	s, err := (&stream.Plan{Strategy: stream.Mixed, Seed: 1}).Open(t.Context(), g, stream.Options{})
	if err != nil {
		t.Fatal(err)
	}
	src, p := s.Source(), NewSlow(g)
	slow := []byte("NULL")
	var drawn, ran, drawnSlow, ranSlow int
	for i := range uint64(20_000) {
		text, tree, err := stream.Draw(t.Context(), src, nil, i)
		if err != nil {
			t.Fatal(err)
		}
		is := bytes.Contains(text, slow)
		drawn++
		if is {
			drawnSlow++
		}
		if p.Skip(AppendAlternatives(nil, tree)) {
			continue
		}
		ran++
		took := 50 * time.Microsecond
		if is {
			took, ranSlow = 100*time.Millisecond, ranSlow+1
		}
		p.Took(i/perWeighting, AppendAlternatives(nil, tree), took)
	}
	t.Logf("drawn %d, slow %d; run %d, slow %d", drawn, drawnSlow, ran, ranSlow)
	if drawnSlow < 100 || ranSlow == 0 || 4*ranSlow > drawnSlow {
		t.Errorf("of %d slow sentences %d were run; want some, at most a quarter", drawnSlow, ranSlow)
	}
	if fast := drawn - drawnSlow; 10*(ran-ranSlow) < 9*fast {
		t.Errorf("of %d fast sentences %d were run, want nine in ten", fast, ran-ranSlow)
	}
}

// Nothing is left out if no sentence is slow, or if slow sentences take little of the time.
func TestSlowIdle(t *testing.T) {
	g := grammars.Must("json")
	s, err := (&stream.Plan{Strategy: stream.Mixed, Seed: 1}).Open(t.Context(), g, stream.Options{})
	if err != nil {
		t.Fatal(err)
	}
	src, p := s.Source(), NewSlow(g)
	for i := range uint64(5000) {
		_, tree, err := stream.Draw(t.Context(), src, nil, i)
		if err != nil {
			t.Fatal(err)
		}
		if p.Skip(AppendAlternatives(nil, tree)) {
			t.Fatalf("sentence %d is left out", i)
		}
		took := time.Duration(10+len(tree.Nodes())) * 10 * time.Microsecond
		if i%1000 == 999 {
			took = 40 * time.Millisecond
		}
		p.Took(i/perWeighting, AppendAlternatives(nil, tree), took)
	}
}
