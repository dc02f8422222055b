package campaign

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gramfuzz/gramfuzz/internal/fuzzing/target"
)

// letters returns a driver with an edge for each letter of a text. A text with a "!" fails, one
// with a "?" times out.
func letters() Drive {
	return Func(func(_ context.Context, text []byte) (*Ran, error) {
		r := &Ran{Outcome: target.Outcome{Class: target.OK}, Result: &target.Result{}, Edges: make([]byte, 128)}
		for _, c := range text {
			switch c {
			case '!':
				r.Outcome = target.Outcome{Class: target.Crash, Detail: "bang"}
			case '?':
				r.Outcome = target.Outcome{Class: target.Timeout}
			default:
				r.Edges[c]++
			}
		}
		return r, nil
	})
}

// replayed runs texts and returns their results, and the least of them.
func replayed(t *testing.T, texts ...string) (lines []string, c *Corpus) {
	t.Helper()
	var seeds []Seed
	for i, text := range texts {
		seeds = append(seeds, Seed{Name: fmt.Sprint(i), Text: []byte(text)})
	}
	o := &Options{Drive: letters()}
	c, err := o.Replay(t.Context(), seeds, func(r *Replayed) error {
		lines = append(lines, r.Line())
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return lines, c
}

func least(c *Corpus) (texts []string) {
	for _, text := range c.Least() {
		texts = append(texts, string(text))
	}
	return texts
}

func TestReplay(t *testing.T) {
	lines, c := replayed(t, "abc", "aabd", "a!", "xyz?")
	want := []string{"3\t3\tok\t0\n", "3\t1\tok\t1\n", "1\t0\tsignal bang\t2\n", "0\t0\ttimeout\t3\n"}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if c.Edges != 4 || c.Failed != 2 {
		t.Errorf("%d edges, %d failures; want 4 and 2: what takes too long reaches nothing that counts", c.Edges, c.Failed)
	}
}

func TestLeast(t *testing.T) {
	for _, test := range []struct{ texts, want []string }{
		{nil, nil},
		{[]string{"a", "a", "aa"}, []string{"a"}},
		{[]string{"ab", "bc", "abcd", "abcde"}, []string{"abcde"}},
		{[]string{"ab", "cd", "bc"}, []string{"ab", "cd"}},       // the last one is not needed
		{[]string{"abcd", "abe", "cdf"}, []string{"abe", "cdf"}}, // nor is the first one
		{[]string{"a", "a!", "b?"}, []string{"a", "a!", "b?"}},   // ways to end count
	} {
		_, c := replayed(t, test.texts...)
		got := least(c)
		slices.Sort(got)
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%q: -want +got:\n%s", test.texts, diff)
		}
	}
}

// TestLeastOfMany checks with random texts that the chosen ones have all labels, and that none of
// them can be left out.
func TestLeastOfMany(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		texts := make([]string, rng.IntN(20))
		for i := range texts {
			for range rng.IntN(8) {
				texts[i] += string("abcdefghij!"[rng.IntN(11)])
			}
		}
		_, all := replayed(t, texts...)
		kept := least(all)
		_, c := replayed(t, kept...)
		if c.Edges != all.Edges {
			t.Fatalf("%q reach %d edges, %q %d", texts, all.Edges, kept, c.Edges)
		}
		if again := least(c); len(again) != len(kept) {
			t.Fatalf("of %q all but %q can be left out", kept, again)
		}
	}
}
