package mutate

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
)

func mustNew(t testing.TB, o Options) *Damager {
	t.Helper()
	d, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestShare(t *testing.T) {
	for _, share := range []float64{0, 0.25, 1} {
		d := mustNew(t, Options{Share: share})
		hits := 0
		for i := range uint64(10_000) {
			if d.Hits(7, i) {
				hits++
			}
		}
		// Five standard deviations of 10,000 coin tosses are 250 at most.
		if want := share * 10_000; float64(hits) < want-250 || float64(hits) > want+250 || share != 0.25 && float64(hits) != want {
			t.Errorf("share %v hits %d of 10000", share, hits)
		}
	}
	for _, share := range []float64{-0.1, 1.1} {
		if _, err := New(Options{Share: share}); err == nil {
			t.Errorf("New takes a share of %v", share)
		}
	}
}

// TestKinds checks that each kind of damage happens, and that Edits and Apply reproduce it.
func TestKinds(t *testing.T) {
	const text = "if (x1 < 42) é"
	want := map[string]bool{
		"if (x1 < ) é": false, "if (x1 < 4242) é": false, "x1 (if < 42) é": false, "if (x1": false, "(x1 < 42) é": false,
		"if (x1 < 9223372036854775807) é": false, "if (x1 WORD 42) é": false, "if WORD(x1 < 42) é": false, "if (x1 < 42) ": false,
		"if (x1 < 4": false, "if x1 < 42) é": false, "if () é": false, "if (LITERAL < 42) é": false, "if (x1 LITERAL< 42) é": false,
		"if (x1 R 42) é": false, "if (x1 x 42) é": false, "if (x1 < (x142) é": false,
	}
	d := mustNew(t, Options{Share: 1, Words: []string{"WORD"}, Grammar: &grammar.Grammar{Exprs: []*grammar.Expr{{Op: grammar.Lit, Text: "LITERAL"}}}})
	for i := range uint64(300_000) {
		got, _ := d.Append(nil, []byte(text), 1, i)
		if _, wanted := want[string(got)]; wanted {
			want[string(got)] = true
		}
		redone, err := Apply([]byte(text), Edits([]byte(text), got))
		if err != nil || string(redone) != string(got) {
			t.Fatalf("edits of %q redo to %q, %v", got, redone, err)
		}
	}
	for text, seen := range want {
		if !seen {
			t.Errorf("%q was never made", text)
		}
	}
}

func TestAppendIsAFunction(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	d := mustNew(t, Options{Share: 0.5})
	for i := range uint64(2000) {
		text := make([]byte, r.IntN(30))
		for j := range text {
			text[j] = "ab1 (é\xff\"_"[r.IntN(10)]
		}
		before := string(text)
		one, changed := d.Append(nil, text, 3, i)
		two, _ := d.Append([]byte("prefix"), text, 3, i)
		if diff := cmp.Diff("prefix"+string(one), string(two)); diff != "" {
			t.Fatalf("the place in dst matters (-want +got):\n%s", diff)
		}
		if changed != (string(one) != before) || string(text) != before {
			t.Fatalf("changed = %v for %q to %q; the sentence is now %q", changed, before, one, text)
		}
	}
}

func TestApplyRefuses(t *testing.T) {
	for _, e := range []derive.Edit{{At: -1}, {At: 4}, {At: 1, Delete: 3}, {Delete: -1}} {
		if _, err := Apply([]byte("abc"), []derive.Edit{e}); err == nil {
			t.Errorf("Apply takes %+v", e)
		}
	}
}

func BenchmarkAppend(b *testing.B) {
	d := mustNew(b, Options{Share: 1})
	text := []byte(`{"key": [1, 2, {"nested": "text"}], "other": -12.5e3}`)
	dst := make([]byte, 0, 1000)
	b.ReportAllocs()
	i := uint64(0)
	for b.Loop() {
		dst, _ = d.Append(dst[:0], text, 1, i)
		i++
	}
}

func Example() {
	d, err := New(Options{Share: 1})
	if err != nil {
		panic(err)
	}
	sentence := []byte(`[1, 22, "x"]`)
	text, changed := d.Append(nil, sentence, 1, 4)
	fmt.Printf("%q %v\n", text, changed)
	// Output: "[1, , \"x\"]" true
}
