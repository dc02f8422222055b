package reduce_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/load"
	"github.com/gramfuzz/gramfuzz/reduce"
)

var update = flag.Bool("update", false, "write the golden tables anew")

// postGrammar is the grammar of the post "Reducing through the generator".
const postGrammar = `
start = assignments ;
assignments = assign | assign ";\n" assignments ;
assign = var " = " expr ;
expr = expr " + " expr | expr " - " expr | "(" expr ")" | var | digit ;
digit = "0" | "1" ;
var = "a" | "b" | "c" | "d" | "e" | "f" | "g" | "h" | "i" | "j" | "k" | "l" | "m"
    | "n" | "o" | "p" | "q" | "r" | "s" | "t" | "u" | "v" | "w" | "x" | "y" | "z" ;
`

// postPredicate is the predicate of the post.
func postPredicate(_ context.Context, text []byte) (bool, error) {
	return bytes.Contains(text, []byte("((")) && bytes.Contains(text, []byte("))")), nil
}

func mustLoad(t testing.TB, name, src string) *grammar.Grammar {
	t.Helper()
	g, _, err := load.Source(name+".ebnf", []byte(src), load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// postTree makes a sentence with the method of the post: every choice is a number 0 to 9, taken
// modulo the number of alternatives; the height is bounded.
func postTree(t testing.TB, m *derive.Machine, seed uint64) *derive.Tree {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 3))
	tree, err := m.Run(context.Background(), derive.ChooserFunc(func(d *derive.Decision) (int, error) {
		return d.Value(rng.IntN(10) % d.N), nil
	}))
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// postTrees returns n sentences for which the post's predicate holds.
func postTrees(t testing.TB, g *grammar.Grammar, n int) []*derive.Tree {
	t.Helper()
	m := derive.NewMachine(g, derive.Options{MaxDepth: 12})
	var trees []*derive.Tree
	for seed := uint64(1); len(trees) < n; seed++ {
		tree := postTree(t, m, seed)
		if ok, _ := postPredicate(context.Background(), []byte(tree.Text())); ok {
			trees = append(trees, tree)
		}
	}
	return trees
}

func TestPost(t *testing.T) {
	g := mustLoad(t, "post", postGrammar)
	trees := postTrees(t, g, 200)
	var table strings.Builder
	fmt.Fprintf(&table, "%-12s %-8s %6s %6s %6s %6s\n", "algorithm", "what", "q1", "median", "q3", "worst")
	row := func(algorithm, what string, v []int) {
		slices.Sort(v)
		fmt.Fprintf(&table, "%-12s %-8s %6d %6d %6d %6d\n", algorithm, what, v[len(v)/4], v[len(v)/2], v[len(v)*3/4], v[len(v)-1])
	}
	var choices, size []int
	for _, tree := range trees {
		choices = append(choices, len(tree.Choices()))
		size = append(size, len(tree.Text()))
	}
	row("input", "choices", choices)
	row("input", "bytes", size)
	for _, algorithm := range []string{"ddmin", "nop", "ddmin,nop", "hypothesis", "hdd", "perses", "probdd", "auto"} {
		var choices, size, calls []int
		for i, tree := range trees {
			r, err := reduce.Run(context.Background(), reduce.Input{Tree: tree}, postPredicate, reduce.Options{Algorithm: algorithm})
			if err != nil {
				t.Fatalf("%s, sentence %d: %v", algorithm, i, err)
			}
			checkResult(t, tree, r, postPredicate)
			choices = append(choices, len(r.Tree.Choices()))
			size = append(size, len(r.Text))
			calls = append(calls, r.Stats.Calls)
		}
		row(algorithm, "choices", choices)
		row(algorithm, "bytes", size)
		row(algorithm, "calls", calls)
		if median := choices[len(choices)/2]; median > 8 && algorithm != "nop" && algorithm != "hdd" && algorithm != "probdd" { // defaults alone delete no statement
			t.Errorf("%s: the median is %d choices, want at most 8", algorithm, median)
		}
	}
	golden(t, "testdata/post.txt", table.String())
}

// checkResult checks the laws of all results.
func checkResult(t *testing.T, from *derive.Tree, r *reduce.Result, p reduce.Predicate) {
	t.Helper()
	if ok, err := p(context.Background(), r.Text); !ok || err != nil {
		t.Fatalf("the predicate does not hold for the result %q (%v)", r.Text, err)
	}
	if r.Tree != nil && r.Tree.Text() != string(r.Text) {
		t.Fatalf("the result's tree says %q, its text %q", r.Tree.Text(), r.Text)
	}
	if from != nil && r.Tree != nil && reduce.Compare(r.Text, r.Tree.Choices(), []byte(from.Text()), from.Choices()) > 0 {
		t.Fatalf("%q is larger than the input %q", r.Text, from.Text())
	}
}

// golden compares got with a file; -update writes it.
func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s changed (-update writes it anew), -want +got:\n%s", file, diff)
	}
}
