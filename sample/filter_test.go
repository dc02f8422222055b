package sample_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/internal/brute"
	"github.com/gramfuzz/gramfuzz/sample"
)

func treeSampler(t testing.TB, leaves int) *sample.Sampler {
	t.Helper()
	s, err := sample.New(ctx, grammars.Must("tree"), sample.Options{Bound: count.Size(3*leaves-2, grammar.Terminals), Seed: 5})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// leansLeft accepts trees whose left part is larger than the right one.
func leansLeft(t *derive.Tree) bool {
	return strings.HasPrefix(t.Text(), "((")
}

// TestFilterIsUniform: of the 14 trees with 5 leaves 5 begin with a leaf; the
// other 9 come evenly.
func TestFilterIsUniform(t *testing.T) {
	f := sample.NewFilter(treeSampler(t, 5), leansLeft, 0)
	src := f.Source()
	got := map[string]int{}
	const n = 9000
	for i := range uint64(n) {
		s, err := src.Text(ctx, i)
		if err != nil {
			t.Fatal(err)
		}
		got[s]++
	}
	var counts []int
	for s, c := range got {
		if !strings.HasPrefix(s, "((") {
			t.Errorf("%s was not accepted", s)
		}
		counts = append(counts, c)
	}
	if p := brute.ChiSquare(counts, brute.Even(9)); len(counts) != 9 || p < alpha {
		t.Errorf("%d texts, p = %g: %v", len(counts), p, got)
	}
	if accepted, tried := f.Rate(); accepted != n || tried < n*14/9*9/10 || tried > n*14/9*11/10 {
		t.Errorf("%d of %d accepted, want about 9 in 14", accepted, tried)
	}
}

// TestFilterKeepsWhatIsAccepted: a sentence that is accepted at once is the
// sampler's own, and sentences do not depend on who asks.
func TestFilterKeepsWhatIsAccepted(t *testing.T) {
	s := treeSampler(t, 8)
	f := sample.NewFilter(s, leansLeft, 0)
	own := s.Source()
	texts := make([]string, 100)
	var wg sync.WaitGroup
	for part := range 4 {
		wg.Go(func() {
			src := f.Source()
			for i := part; i < len(texts); i += 4 {
				texts[i], _ = src.Text(ctx, uint64(i))
			}
		})
	}
	wg.Wait()
	src := f.Source()
	for i, text := range texts {
		again, err := src.Text(ctx, uint64(i))
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(text, again); d != "" {
			t.Errorf("sentence %d: -one goroutine +another:\n%s", i, d)
		}
		if plain, _ := own.Text(ctx, uint64(i)); strings.HasPrefix(plain, "((") && plain != text {
			t.Errorf("sentence %d is %s, the sampler's is %s and accepted", i, text, plain)
		}
	}
}

func TestFilterBudget(t *testing.T) {
	f := sample.NewFilter(treeSampler(t, 5), func(*derive.Tree) bool { return false }, 50)
	_, err := f.Source().Tree(ctx, 7)
	if err == nil {
		t.Fatal("a filter that refuses all gives a sentence")
	}
	const want = "none of 50 derivations was accepted: fewer than 3 in 50 are, with 95 % confidence; give a larger budget or another bound"
	if d := cmp.Diff(want, err.Error()); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}

func ExampleNewFilter() {
	s, err := sample.New(ctx, grammars.Must("expr"), sample.Options{Seed: 1})
	if err != nil {
		panic(err)
	}
	noDivision := func(t *derive.Tree) bool { return !strings.Contains(t.Text(), "/") }
	src := sample.NewFilter(s, noDivision, 0).Source()
	text, err := src.Text(ctx, 0)
	fmt.Println(strings.Contains(text, "/"), err)
	// Output: false <nil>
}
