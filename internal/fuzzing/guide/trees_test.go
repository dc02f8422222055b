package guide

import (
	"bytes"
	"context"
	"math/rand/v2"
	"runtime"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammars"
)

// TestTreesAgain: released trees are rebuilt unchanged, those of damaged texts too, and the bound
// holds.
func TestTreesAgain(t *testing.T) {
	for _, name := range []string{"expr", "json", "assign", "go"} {
		t.Run(name, func(t *testing.T) {
			src, err := NewSentences(grammars.Must(name), SentenceOptions{Texts: true})
			if err != nil {
				t.Fatal(err)
			}
			ctx, rng := t.Context(), rand.New(rand.NewPCG(1, 2))
			held := trees{src: src, max: 2000}
			treeOf := func(in *Input) *derive.Tree {
				if in.Tree != nil {
					return in.Tree
				}
				tree, err := src.Tree(ctx, in.Base)
				if err != nil {
					t.Fatal(err)
				}
				return tree
			}
			var all []*kept
			var want []*derive.Tree
			for range 200 {
				in, err := src.Random(ctx, rng)
				if err != nil {
					t.Fatal(err)
				}
				damaged := src.damaged(rng, in, "damage")
				all = append(all, held.keep(in), held.keep(damaged))
				want = append(want, in.Tree, in.Tree)
			}
			again := 0
			for range 2000 {
				i := rng.IntN(len(all))
				if all[i].choices != nil {
					again++
				}
				in, err := held.open(ctx, all[i])
				if err != nil {
					t.Fatal(err)
				}
				if d := cmp.Diff(contents(want[i]), contents(treeOf(in))); d != "" {
					t.Fatal(d)
				}
				nodes := 0
				for _, k := range all {
					if k.choices == nil {
						nodes += k.nodes
					}
				}
				if nodes != held.nodes || nodes > held.max+all[i].nodes {
					t.Fatalf("%d nodes are there, %d are counted, %d may be", nodes, held.nodes, held.max)
				}
			}
			if again < 100 {
				t.Errorf("only %d trees were made again", again)
			}
		})
	}
}

// contents are the text, the choices and the number of nodes of a tree.
func contents(t *derive.Tree) []any { return []any{t.Text(), t.Choices(), len(t.Nodes())} }

// TestTreesBounded: with a label for each length, loops derive ever longer inputs. Their memory
// is bounded, except for texts and choices.
func TestTreesBounded(t *testing.T) {
	for _, name := range []string{"cover", "labels"} {
		src, err := NewSentences(grammars.Must("expr"), SentenceOptions{})
		if err != nil {
			t.Fatal(err)
		}
		loop, err := New(name, src, func(_ context.Context, in *Input) ([]Label, error) {
			return []Label{Named(strconv.Itoa(len(in.Text))), Named("open " + strconv.Itoa(bytes.Count(in.Text, []byte("("))))}, nil
		}, Options{})
		if err == nil {
			err = steps(t.Context(), loop, 12_000)
		}
		if err != nil {
			t.Fatal(err)
		}
		texts := 0
		for _, in := range loop.Examples() {
			texts += len(in.Text)
		}
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		t.Logf("%s: %d examples of %d bytes, heap %d", name, len(loop.Examples()), texts, m.HeapAlloc)
		if m.HeapAlloc > 128<<20 { // all trees of cover would take 300 MB
			t.Errorf("%s holds %d bytes", name, m.HeapAlloc)
		}
		runtime.KeepAlive(loop)
	}
}

// TestRecent checks that sentences that are asked for are remembered, and others for a while.
func TestRecent(t *testing.T) {
	r := Recent{Max: 10}
	add := func(text string, choices ...int) { r.Add(&Input{Text: []byte(text), Choices: choices}) }
	add("asked", 1, -2, 300)
	for i := range 100 {
		if diff := cmp.Diff([]int{1, -2, 300}, r.Choices([]byte("asked"))); diff != "" {
			t.Fatalf("after %d others (-want +got):\n%s", i, diff)
		}
		text := string(rune('a' + i%26))
		add(text, i)
		if diff := cmp.Diff([]int{i}, r.Choices([]byte(text))); diff != "" {
			t.Fatalf("at once (-want +got):\n%s", diff)
		}
	}
	if r.Choices([]byte("a")) != nil {
		t.Error("an old sentence is remembered")
	}
	if n := len(r.young) + len(r.old); n > 2*r.Max {
		t.Errorf("%d sentences are remembered, more than twice %d", n, r.Max)
	}
}
