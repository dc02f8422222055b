package parse_test

import (
	"context"
	"math/big"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/parse"
)

// TestShippedGrammars parses sentences of every shipped grammar, drawn by fair coins within a
// depth. The tree that was drawn is among their trees, and is the only one where the grammar
// is unambiguous.
func TestShippedGrammars(t *testing.T) {
	for _, name := range grammars.Names() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := grammars.Must(name)
			p, err := parse.New(context.Background(), g, parse.Options{Measure: grammar.Exact})
			if err != nil {
				t.Fatal(err)
			}
			rng := rand.New(rand.NewPCG(5, 6))
			facts := g.Facts(nil, grammar.Structure)
			m := derive.NewMachine(g, derive.Options{MaxDepth: facts.Depth(g.Root, grammar.Any) + 6, Repeat: 3})
			sentences := 100
			if os.Getenv("GRAMFUZZ_LONG") != "" {
				sentences = 1000
			}
			for range sentences {
				tree, err := m.Run(context.Background(), coins(rng))
				if err != nil {
					t.Fatal(err)
				}
				if len(tree.Nodes()) > 5000 {
					continue
				}
				isAmong(t, p, tree)
			}
		})
	}
}

func coins(rng *rand.Rand) derive.Chooser {
	return derive.ChooserFunc(func(d *derive.Decision) (int, error) { return d.Value(rng.IntN(d.N)), nil })
}

// isAmong checks that the tree is one of those of its text.
func isAmong(t *testing.T, p *parse.Parser, tree *derive.Tree) {
	t.Helper()
	ctx := context.Background()
	text := tree.Text()
	f, err := p.Parse(ctx, "sentence", text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	n, err := f.Count(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if n.Cmp(big.NewInt(2000)) > 0 {
		return // too many to search
	}
	found := 0
	for other, err := range f.All(ctx) {
		if err != nil {
			t.Fatal(err)
		}
		if other.Text() != text {
			t.Fatalf("-want +got\n-%q\n+%q", text, other.Text())
		}
		if equal(tree.Choices(), other.Choices()) {
			found++
		}
	}
	if found != 1 {
		t.Fatalf("the tree of %q is %d times among its %v trees", text, found, n)
	}
}

func equal(a, b []int) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// TestLayout checks that layout is kept byte for byte, outside all nodes.
func TestLayout(t *testing.T) {
	p := must(t, grammars.Must("json"))
	for _, text := range []string{"[]", " [ 1 ,\n\t\"a b\" ] ", "{\"a\" : {} }\n", "  null"} {
		f, err := p.Parse(context.Background(), "t", text)
		if err != nil {
			t.Fatal(err)
		}
		tree, err := f.Tree(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if tree.Text() != text {
			t.Errorf("-want +got\n-%q\n+%q", text, tree.Text())
		}
		if got, want := tree.SubText(0), strings.Join(strings.Fields(text), ""); got != want && !strings.Contains(text, "a b") {
			t.Errorf("without layout: -want +got\n-%q\n+%q", want, got)
		}
	}
}

func must(t testing.TB, g *grammar.Grammar) *parse.Parser {
	t.Helper()
	p, err := parse.New(context.Background(), g, parse.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestJSONTestSuite runs the JSON test suite by Nicolas Seriot: valid texts are accepted, and
// invalid ones are refused.
func TestJSONTestSuite(t *testing.T) {
	data := os.Getenv("GRAMFUZZ_DATA")
	if data == "" {
		t.Skip("GRAMFUZZ_DATA names no data folder")
	}
	files, err := filepath.Glob(filepath.Join(data, "suites", "JSONTestSuite", "*", "*.json"))
	if err != nil || len(files) < 200 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	p := must(t, grammars.Must("json"))
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		base := filepath.Base(file)
		f, err := p.Parse(context.Background(), base, string(text))
		switch {
		case strings.HasPrefix(base, "y_") && err != nil:
			t.Errorf("refused: %v", err)
		case strings.HasPrefix(base, "n_") && err == nil:
			t.Errorf("%s: accepted", base)
		case err == nil:
			tree, err := f.Tree(context.Background())
			if err != nil || tree.Text() != string(text) {
				t.Errorf("%s: %v, %q", base, err, tree.Text())
			}
		}
	}
}
