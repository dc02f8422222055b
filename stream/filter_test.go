package stream_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/internal/testing/brute"
	"github.com/gramfuzz/gramfuzz/sample"
	"github.com/gramfuzz/gramfuzz/stream"
)

func treeStream(t testing.TB, leaves int) *stream.Stream {
	t.Helper()
	s, err := stream.Sample(t.Context(), grammars.Must("tree"), sample.Options{Bound: count.Size(3*leaves-2, grammar.Terminals), Seed: 5})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// leansLeft accepts trees whose left part is larger than the right one.
func leansLeft(t *derive.Tree) bool {
	return strings.HasPrefix(t.Text(), "((")
}

// TestFilterIsUniform draws trees with 5 leaves. Of the 14 trees, 5 begin with a leaf; the other
// 9 must come equally often.
func TestFilterIsUniform(t *testing.T) {
	f := treeStream(t, 5).Filter(leansLeft, 0)
	src := f.Source()
	got := map[string]int{}
	const n = 9000
	for i := range uint64(n) {
		s, err := textOf(src, i)
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
	if p := brute.ChiSquare(counts, brute.Even(9)); len(counts) != 9 || p < 1e-6 {
		t.Errorf("%d texts, p = %g: %v", len(counts), p, got)
	}
}

// TestFilterKeepsWhatIsAccepted checks that a sentence accepted at once is the sampler's own, and
// that sentences are the same for every source.
func TestFilterKeepsWhatIsAccepted(t *testing.T) {
	s := treeStream(t, 8)
	f := s.Filter(leansLeft, 0)
	own := s.Source()
	texts := make([]string, 100)
	var wg sync.WaitGroup
	for part := range 4 {
		wg.Go(func() {
			src := f.Source()
			for i := part; i < len(texts); i += 4 {
				texts[i], _ = textOf(src, uint64(i))
			}
		})
	}
	wg.Wait()
	src := f.Source()
	for i, text := range texts {
		again, err := textOf(src, uint64(i))
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(text, again); d != "" {
			t.Errorf("sentence %d: -one goroutine +another:\n%s", i, d)
		}
		if plain, _ := textOf(own, uint64(i)); strings.HasPrefix(plain, "((") && plain != text {
			t.Errorf("sentence %d is %s, the sampler's is %s and accepted", i, text, plain)
		}
	}
}

func TestFilterBudget(t *testing.T) {
	f := treeStream(t, 5).Filter(func(*derive.Tree) bool { return false }, 50)
	_, err := f.Source().Tree(t.Context(), 7)
	if err == nil {
		t.Fatal("a filter that refuses all gives a sentence")
	}
	const want = "none of 50 derivations was accepted: fewer than 3 in 50 are, with 95 % confidence; give a larger budget or another bound"
	if d := cmp.Diff(want, err.Error()); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}

// textOf returns the text of a sentence.
func textOf(src stream.Source, i uint64) (string, error) {
	b, err := src.Append(context.Background(), nil, i)
	return string(b), err
}

// all returns every text of s, in order, and checks the end against Len.
func all(t testing.TB, s *stream.Stream) []string {
	t.Helper()
	src := s.Source()
	var out []string
	for i := uint64(0); ; i++ {
		text, err := textOf(src, i)
		if errors.Is(err, sample.ErrExhausted) {
			if n := s.Len(); n != nil && n.Uint64() != i {
				t.Errorf("%d sentences, but Len is %v", i, n)
			}
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, text)
	}
}

func mustDistinct(t testing.TB, name string, o sample.Options) *stream.Stream {
	t.Helper()
	o.Distinct = true
	s, err := stream.Sample(t.Context(), grammars.Must(name), o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestFilterInOrder checks that a filter of a finite stream keeps the accepted sentences in their
// order.
func TestFilterInOrder(t *testing.T) {
	s := mustDistinct(t, "tree", sample.Options{Bound: count.Size(25, grammar.Terminals), Seed: 3})
	var want []string
	for _, text := range all(t, s) {
		if strings.HasPrefix(text, "((") {
			want = append(want, text)
		}
	}
	f := s.Filter(leansLeft, 0)
	if diff := cmp.Diff(want, all(t, f)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if got, err := textOf(f.Source(), 17); err != nil || got != want[17] {
		t.Errorf("sentence 17 alone is %s, %v; want %s", got, err, want[17])
	}
}

// TestNoRepeats checks that a stream without repeats has the same texts, each once.
func TestNoRepeats(t *testing.T) {
	s := treeStream(t, 5)
	got := all(t, s.NoRepeats())
	slices.Sort(got)
	if len(got) != 14 || len(slices.Compact(got)) != 14 {
		t.Errorf("%d texts, want the 14 trees of 5 leaves: %q", len(got), got)
	}
}

// TestShards checks that shards are disjoint and, taken in turn, are the whole stream.
func TestShards(t *testing.T) {
	for _, o := range []sample.Options{
		{Bound: count.Size(25, grammar.Terminals), Seed: 1},
		{Bound: count.Sizes(1, 25, grammar.Terminals), Seed: 1},
	} {
		d := mustDistinct(t, "tree", o)
		whole := all(t, d)
		for _, k := range []int{1, 2, 3, 7} {
			var parts [][]string
			for i := range k {
				s, err := d.Shard(i, k)
				if err != nil {
					t.Fatal(err)
				}
				parts = append(parts, all(t, s))
			}
			var together []string
			for i := range whole {
				together = append(together, parts[i%k][i/k])
			}
			if d := cmp.Diff(whole, together); d != "" {
				t.Errorf("%v, %d shards: -whole +together:\n%s", o.Bound, k, d)
			}
		}
	}
}

func TestShardOfShard(t *testing.T) {
	d := mustDistinct(t, "tree", sample.Options{Bound: count.Depth(5)})
	a, err := d.Shard(1, 2)
	if err != nil {
		t.Fatal(err)
	}
	b, err := a.Shard(2, 3)
	if err != nil {
		t.Fatal(err)
	}
	direct, err := d.Shard(5, 6)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(all(t, direct), all(t, b)); d != "" {
		t.Errorf("-5/6 +2/3 of 1/2:\n%s", d)
	}
}

func TestShardErrors(t *testing.T) {
	d := mustDistinct(t, "lopsided", sample.Options{Bound: count.Depth(6)})
	for _, bad := range [][2]int{{0, 0}, {-1, 3}, {3, 3}} {
		if _, err := d.Shard(bad[0], bad[1]); err == nil {
			t.Errorf("shard %v: no error", bad)
		}
	}
	if d, err := d.Shard(9, 10); err != nil || d.Len().Sign() != 0 || len(all(t, d)) != 0 {
		t.Errorf("a shard beyond the last derivation is not empty: %v, %v", d.Len(), err)
	}
}
