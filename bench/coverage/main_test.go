package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/internal/testing/brute"
	"github.com/gramfuzz/gramfuzz/load"
	"github.com/gramfuzz/gramfuzz/parse"
	"github.com/gramfuzz/gramfuzz/stream"
)

// TestConfigurationsDraw checks that every target's grammar loads and that every configuration
// draws from it. Only configuration broad draws from grammars of the data folder. They are large: a
// few levels above the least depth their sentences have gigabytes, and tables for all
// configurations take minutes.
func TestConfigurationsDraw(t *testing.T) {
	for _, target := range available() {
		large := strings.HasPrefix(target.grammar, inData)
		g, err := target.load()
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range configs {
			if large && (c.name != "broad" || testing.Short()) {
				continue
			}
			var b bytes.Buffer
			if err := c.write(context.Background(), &b, g, 3, 1); err != nil {
				t.Errorf("%s, %s: %v", target.name, c.name, err)
			} else if n := bytes.Count(b.Bytes(), []byte{0}); n != 3 {
				t.Errorf("%s, %s: %d sentences", target.name, c.name, n)
			}
		}
	}
}

// TestSlice checks that a small run of one parser of the standard library reaches some of the
// statements, but not all.
func TestSlice(t *testing.T) {
	if os.Getenv("GRAMFUZZ_LONG") == "" {
		t.Skip("GRAMFUZZ_LONG is not set: building a program with coverage takes a while")
	}
	var out, log bytes.Buffer
	if err := run(context.Background(), []string{"-n", "50", "-targets", "encoding/json", "-configs", "uniform"}, &out, &log); err != nil {
		t.Fatalf("%v\n%s", err, &log)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 3 || strings.Contains(lines[2], "| 0.0") || strings.Contains(lines[2], "| 100.0") {
		t.Errorf("unexpected table:\n%s", &out)
	}
}

// TestEdges measures edges in a small run. The gain from a guide's feedback must exceed its cost.
func TestEdges(t *testing.T) {
	if os.Getenv("GRAMFUZZ_LONG") == "" {
		t.Skip("GRAMFUZZ_LONG is not set: building a program with counters takes a while")
	}
	var out, log bytes.Buffer
	if err := run(context.Background(), []string{"-edges", "-time", "500ms", "-seeds", "1", "-targets", "encoding/json", "-ways", "walk;cover"}, &out, &log); err != nil {
		t.Fatalf("%v\n%s", err, &log)
	}
	var walk, cover int
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 4 {
		t.Fatalf("unexpected table:\n%s", &out)
	}
	for i, n := range []*int{&walk, &cover} {
		if _, err := fmt.Sscan(strings.Split(lines[i+2], "|")[2], n); err != nil {
			t.Fatalf("%v in\n%s", err, &out)
		}
	}
	if walk < 100 || cover < walk*9/10 {
		t.Errorf("walk reaches %d edges, cover %d", walk, cover)
	}
}

func TestStatements(t *testing.T) {
	hit, all, err := statements([]byte("mode: set\ncoverage/main.go:1.2,3.4 9 1\na/b.go:1.2,3.4 3 1\na/b.go:5.2,6.4 2 0\n"))
	if hit != 3 || all != 5 || err != nil {
		t.Errorf("%d of %d, %v", hit, all, err)
	}
	if _, _, err := statements([]byte("a.go:1.1,2.2 x 1\n")); err == nil {
		t.Error("a broken profile was read")
	}
}

// TestReached counts pairs: two parts of one sentence, the first beginning before the second.
func TestReached(t *testing.T) {
	g := load.MustString(`s = "a" s | "b" ("c" | "d") ;`) // s/0, s/1, s/1.0, s/1.1
	ctx := context.Background()
	p, err := parse.New(ctx, g, parse.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := newReached(g)
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		text  string
		pairs int // so far
	}{{"bc", 1}, {"bc", 1}, {"abc", 3}, {"aabc", 4}, {"aaaabd", 6}} {
		forest, err := p.Parse(ctx, "text", tc.text)
		if err != nil {
			t.Fatal(err)
		}
		tree, err := forest.Tree(ctx)
		if err != nil {
			t.Fatal(err)
		}
		r.add(tree)
		if r.hit != tc.pairs {
			t.Errorf("%d pairs up to %s, want %d", r.hit, tc.text, tc.pairs)
		}
	}
	if alternatives := r.paths.Report().Alternatives.Reached; alternatives != 4 || r.can != 6 {
		t.Errorf("%d alternatives, %d pairs in all", alternatives, r.can)
	}
}

// TestPossible compares the number of possible pairs of random grammars with the pairs that occur in
// sentences. Strategy balanced, which counts derivations, draws a sentence for each pair.
func TestPossible(t *testing.T) {
	ctx := t.Context()
	for seed := range uint64(40) {
		g := brute.Random(rand.New(rand.NewPCG(seed, 0)))
		r, err := newReached(g)
		if err != nil {
			t.Fatal(err)
		}
		src, err := config{plan: same(stream.Plan{Strategy: "balanced", Strength: 2})}.open(ctx, g, 1)
		if err != nil {
			continue // no part begins before another
		}
		n := len(r.place)
		for i := range uint64(10*n + n*n) {
			tree, err := src.Tree(ctx, i)
			if err != nil {
				break
			}
			r.add(tree)
		}
		if r.hit != r.can {
			t.Errorf("seed %d: %d of %d pairs", seed, r.hit, r.can)
		}
	}
}

// TestPartTables prints the tables of a small run.
func TestPartTables(t *testing.T) {
	var out bytes.Buffer
	cols := []column{{name: "tree", g: grammars.Must("tree")}}
	if _, err := chosen("uniform;uniformly"); err == nil || !strings.Contains(err.Error(), `"uniformly"`) {
		t.Errorf("an unknown configuration: %v", err)
	}
	configs, err := chosen("uniform;balanced")
	if err != nil {
		t.Fatal(err)
	}
	if err := partTables(context.Background(), cols, configs, 0, 20, 1, &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	if got := strings.Count(out.String(), "| 100.0 | 100.0 |"); got != 6 || !strings.Contains(out.String(), "| pairs of parts | tree") {
		t.Errorf("unexpected tables:\n%s", &out)
	}
}
