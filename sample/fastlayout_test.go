package sample_test

import (
	"bufio"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/load"
	"github.com/gramfuzz/gramfuzz/sample"
)

// TestLaidOutAsTrees checks that texts and records laid out without a tree equal those of the
// tree.
func TestLaidOutAsTrees(t *testing.T) {
	for _, name := range grammars.Names() {
		g := grammars.Must(name)
		t.Run(name, func(t *testing.T) { laidOutAsTrees(t, g, 60) })
	}
}

// TestRealLaidOutAsTrees is the same for real grammars, each with all layouts: 10 sentences of
// each, 100 with GRAMFUZZ_LONG=1, and 10,000 where it is all.
func TestRealLaidOutAsTrees(t *testing.T) {
	n := uint64(10)
	switch os.Getenv("GRAMFUZZ_LONG") {
	case "":
	case "all":
		n = 10_000
	default:
		n = 100
	}
	for path, start := range realGrammars(t) {
		g, _, err := load.File(path, load.Options{Start: start})
		if err != nil {
			t.Fatal(err)
		}
		t.Run(filepath.Base(path), func(t *testing.T) {
			t.Parallel()
			laidOutAsTrees(t, g, n)
		})
	}
}

// TestRealAllocatesNothing checks that sentences of real grammars allocate nothing once the tables
// that they need are made, where no token needs a joiner. Few draws are decided with larger numbers.
func TestRealAllocatesNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("real grammars take a while")
	}
	const n, passes = 200, 20
	free := 0
	for path, start := range realGrammars(t) {
		g, _, err := load.File(path, load.Options{Start: start})
		if err != nil {
			t.Fatal(err)
		}
		for _, strategy := range []sample.Strategy{sample.Uniform, sample.Walk} {
			s, err := sample.New(ctx, g, sample.Options{Seed: 5, Strategy: strategy})
			if err != nil {
				t.Fatal(err)
			}
			src := s.Source()
			var text []byte
			all := func() {
				for i := range uint64(n) {
					if text, err = src.Append(ctx, text[:0], i); err != nil {
						t.Fatal(err)
					}
				}
			}
			least, slow := math.Inf(1), 0
			for pass := 0; pass < passes && least > 0; pass++ { // a part is compiled when it is drawn again
				before := sample.SlowGaps(src)
				least = min(least, testing.AllocsPerRun(1, all))
				slow = sample.SlowGaps(src) - before
			}
			if least == 0 {
				free++
				continue
			}
			t.Logf("%s, %v: %v allocations in %d sentences, %d tokens by the joiner", path, strategy, least, n, slow)
			if slow == 0 && least > n/20 {
				t.Errorf("%s, %v: %v allocations in %d sentences", path, strategy, least, n)
			}
		}
	}
	if free < 60 {
		t.Errorf("only %d samplers of 72 allocate nothing", free)
	}
}

// realGrammars returns the start rules of the grammars of the data folder, by path.
func realGrammars(t *testing.T) map[string]string {
	t.Helper()
	data := os.Getenv("GRAMFUZZ_DATA")
	if data == "" {
		t.Skip("GRAMFUZZ_DATA names no data folder")
	}
	f, err := os.Open(filepath.Join(data, "grammars", "dev.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	out := map[string]string{}
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		if fields := strings.Split(lines.Text(), "\t"); fields[0] != "class" {
			out[filepath.Join(data, "grammars", "dev", fields[1])] = fields[2]
		}
	}
	if len(out) < 30 {
		t.Fatalf("only %d grammars", len(out))
	}
	return out
}

func laidOutAsTrees(t *testing.T, g *grammar.Grammar, n uint64) {
	for _, o := range []sample.Options{
		{Layout: derive.Tight}, {Layout: derive.Spaced}, {Layout: derive.Random},
		{Layout: derive.Random, Strategy: sample.Walk}, {Layout: derive.Random, Strategy: sample.Weighted},
		{Layout: derive.Random, Strategy: sample.Balanced}, {Layout: derive.Tight, Strategy: sample.Walk},
	} {
		o.Seed = 17
		n := n
		if o.Strategy != sample.Uniform {
			n = min(n, 1000)
		}
		facts := g.Facts(nil, grammar.Structure)
		if o.Layout == derive.Random && (o.Strategy == sample.Walk || o.Strategy == sample.Weighted) {
			o.Bound.Depth = facts.Depth(g.Root, grammar.Any) + 4
		}
		s, err := sample.New(ctx, g, o)
		if err != nil {
			t.Fatal(err)
		}
		little, err := sample.New(ctx, g, sample.LittleMemory(o))
		if err != nil {
			t.Fatal(err)
		}
		src, other, forgets := s.Source(), s.Source(), little.Source()
		var made sample.Sentence
		for i := range n {
			tree, err := other.Tree(ctx, i)
			if err != nil {
				if _, again := src.Append(ctx, nil, i); again == nil || again.Error() != err.Error() {
					t.Fatalf("%v, sentence %d: %v, as a tree %v", o.Layout, i, again, err)
				}
				continue
			}
			if !sentenceAgrees(t, src, &made, tree, facts, s.Bound().Unit, i) {
				t.Fatalf("%v, %v", o.Layout, o.Strategy)
			}
			if text, err := src.Append(ctx, nil, i); err != nil || string(text) != tree.Text() {
				t.Fatalf("%v, %v, sentence %d: %q, %v; as a tree %q", o.Layout, o.Strategy, i, text, err, tree.Text())
			}
			if o.Strategy != sample.Uniform || i%10 != 0 {
				continue // with little memory each takes ten times as long
			}
			if text, err := forgets.Append(ctx, nil, i); err != nil || string(text) != tree.Text() {
				t.Fatalf("%v, sentence %d, with little memory: %q, %v; as a tree %q", o.Layout, i, text, err, tree.Text())
			}
		}
	}
}
