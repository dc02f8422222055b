package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/gramfuzz/gramfuzz/swarm"
)

// Every target's grammar loads and every configuration draws from it.
func TestConfigurationsDraw(t *testing.T) {
	for _, target := range targets {
		g, err := target.load()
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range configs {
			var b bytes.Buffer
			if err := c.write(context.Background(), &b, g, 3, 1); err != nil {
				t.Errorf("%s, %s: %v", target.name, c.name, err)
			} else if n := bytes.Count(b.Bytes(), []byte{0}); n != 3 {
				t.Errorf("%s, %s: %d sentences", target.name, c.name, n)
			}
		}
	}
}

// A small run of one parser of the standard library reaches some statements
// and not all.
func TestSlice(t *testing.T) {
	if os.Getenv("GRAMFUZZ_LONG") == "" {
		t.Skip("GRAMFUZZ_LONG is not set: building a program with coverage takes a while")
	}
	var out, log bytes.Buffer
	if err := run(context.Background(), []string{"-n", "50", "-targets", "encoding/json", "-configs", "default"}, &out, &log); err != nil {
		t.Fatalf("%v\n%s", err, &log)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 3 || strings.Contains(lines[2], "| 0.0") || strings.Contains(lines[2], "| 100.0") {
		t.Errorf("unexpected table:\n%s", &out)
	}
}

// A small run by edges: what a guide pays for feedback is not more than it gains.
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

// Pairs are those of one sentence, each once.
func TestPairs(t *testing.T) {
	g, err := targets[0].load()
	if err != nil {
		t.Fatal(err)
	}
	sw, err := swarm.New(g, swarm.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p := newPairSet(sw)
	var alts []int
	for alt := range p.place {
		alts = append(alts, alt)
	}
	for _, sentence := range [][]int{{0, 1, 0, 2}, {1, 0}, {3}, {3, -1}, {2, 3}} {
		for _, i := range sentence {
			if i < 0 {
				p.take(-1) // no alternative that counts
			} else {
				p.take(alts[i])
			}
		}
		p.end()
	}
	if n := len(alts); p.hit != 4 || p.all() != n*(n-1)/2 {
		t.Errorf("%d of %d pairs", p.hit, p.all())
	}
	few, all, err := configs[0].pairs(context.Background(), g, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	if many, _, _ := configs[0].pairs(context.Background(), g, 200, 1); many <= few || many > all {
		t.Errorf("%d pairs of 1 sentence, %d of 200, %d in all", few, many, all)
	}
}
