package main

import (
	"context"
	"os"
	"os/exec"
	"testing"
	"time"
)

// TestSlice measures two small grammars with a few sentences each.
func TestSlice(t *testing.T) {
	data := os.Getenv("GRAMFUZZ_DATA")
	if data == "" {
		t.Skip("GRAMFUZZ_DATA is not set")
	}
	if _, err := exec.LookPath("javac"); err != nil {
		t.Skip("no JDK")
	}
	gs, err := devGrammars(data)
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{data: data, n: 40, limit: time.Minute, lo: 5, hi: 40, longest: 20000}
	seen := 0
	for _, g := range gs {
		if g.path != "json" && g.path != "tinyc" {
			continue
		}
		seen++
		r := b.run(context.Background(), g)
		if r.err != nil {
			t.Errorf("%s: %v", g.path, r.err)
			continue
		}
		if r.accepted.all < 40 || r.accepted.some != r.accepted.all {
			t.Errorf("%s: ANTLR accepts %v of the sentences; want all of 40 or more", g.path, r.accepted)
		}
		if r.examples.all == 0 || r.examples.some != r.examples.all {
			t.Errorf("%s: %v of the examples are parsed, want all", g.path, r.examples)
		}
		if r.alts.share() < 0.95 {
			t.Errorf("%s: %v of the alternatives, want 95 %%", g.path, r.alts)
		}
		w := b.witness(context.Background(), g)
		w.parse, w.coverage = 0, 0 // times depend on the load of the machine
		if missed := w.goals(); len(missed) > 0 || len(w.accepted) != len(sets) || w.accepted[0].all != 40 {
			t.Errorf("%s: of the goals of witnesses %q are missed: %v %q", g.path, missed, w, w.notes)
		}
	}
	if seen != 2 {
		t.Errorf("%d of the two grammars are in dev.tsv", seen)
	}
}
