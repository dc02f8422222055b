package guide

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestBuckets: counts in the same AFL bucket have the same label.
func TestBuckets(t *testing.T) {
	want := []int{1, 2, 3, 4, 8, 16, 32, 128} // least count of each bucket
	var begins []int
	for n := 1; n < 256; n++ {
		if n == 1 || Edge(7, uint8(n)) != Edge(7, uint8(n-1)) {
			begins = append(begins, n)
		}
	}
	if !slices.Equal(begins, want) {
		t.Errorf("buckets begin at %v, want %v", begins, want)
	}
	if Edge(1, 1) == Edge(2, 1) {
		t.Error("two edges have one label")
	}
	seen := map[Label]bool{}
	for i := range 100_000 {
		seen[Edge(i, uint8(1+i%3))] = true
	}
	if len(seen) != 100_000 {
		t.Errorf("%d labels of 100,000 edges", len(seen))
	}
}

func TestAppendLines(t *testing.T) {
	if got, err := AppendLines(nil, strings.NewReader("")); len(got) != 0 || err != nil {
		t.Errorf("no lines: %v, %v", got, err)
	}
	long := strings.Repeat("x", 3*maxLine)
	got, err := AppendLines([]Label{1}, strings.NewReader("a\n\nb\r\na\n"+long+"\nno end"))
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(got[1:])
	want := []Label{Named("a").times(2), Named("b"), Named(long[:maxLine]), Named("no end")}
	slices.Sort(want)
	if !slices.Equal(got[1:], want) || got[0] != 1 {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestLabelSet compares the set with maps, both label by label and by counters.
func TestLabelSet(t *testing.T) {
	var s, byCounters LabelSet
	labels, things := map[Label]bool{}, map[Label]bool{}
	rng := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		counters := make([]byte, rng.IntN(100))
		for i := range counters {
			if rng.IntN(8) == 0 {
				counters[i] = byte(rng.Uint32())
			}
		}
		shown := AppendEdges(nil, counters)
		fresh := byCounters.AddEdges(nil, counters)
		name := Named(fmt.Sprint("name ", rng.IntN(50))).times(uint8(1 + rng.IntN(255)))
		block := Edge(1<<30+rng.IntN(50), 1)
		for _, l := range append(shown, name, block) {
			isFresh, first := s.Add(l)
			if isFresh == labels[l] || first == things[l.subject()] {
				t.Fatalf("label %x: %v, %v", l, isFresh, first)
			}
			if isFresh && l != name && l != block {
				if len(fresh) == 0 || fresh[0] != l {
					t.Fatalf("label %x is new, by counters %x", l, fresh)
				}
				fresh = fresh[1:]
			}
			labels[l], things[l.subject()] = true, true
		}
		if len(fresh) > 0 || s.Len() != len(labels) {
			t.Fatalf("%d labels, want %d; by counters %x besides", s.Len(), len(labels), fresh)
		}
	}
	s.Clear()
	if fresh, first := s.Add(Edge(5, 1)); s.Len() != 1 || !fresh || !first {
		t.Error("it is not empty after Clear")
	}
}

// BenchmarkLabelSet measures a run that shows 2,000 edges, all known.
func BenchmarkLabelSet(b *testing.B) {
	var shown []Label
	for i := range 2000 {
		shown = append(shown, Edge(i*7%16384, uint8(1+i%9)))
	}
	var s LabelSet
	for b.Loop() {
		for _, l := range shown {
			s.Add(l)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(shown)), "ns/label")
}

// BenchmarkEdges measures a run with 2,000 edges of 16,384, all known.
func BenchmarkEdges(b *testing.B) {
	counters := make([]byte, 16384)
	rng := rand.New(rand.NewPCG(1, 2))
	for from := range 200 { // the edges of a function are beside each other
		for i := range 10 {
			counters[(from*73+i)%len(counters)] = uint8(1 + rng.IntN(9))
		}
	}
	var s LabelSet
	var labels []Label
	for b.Loop() {
		labels = AppendEdges(s.AddEdges(labels[:0], counters), counters)
	}
}

// TestLoops: loops end on a cancelled context and on an error; a language with two sentences
// causes no endless loop; the same seed gives the same result.
func TestLoops(t *testing.T) {
	ctx := t.Context()
	for _, name := range Names() {
		for _, text := range []string{`s = "a" | "b" ;`, `s = "only" ;`, `s = [a-z]+ ;`} {
			var log [2][]string
			for k := range log {
				loop, err := New(name, sentences(t, text, SentenceOptions{}), func(_ context.Context, in *Input) ([]Label, error) {
					log[k] = append(log[k], string(in.Text))
					return []Label{Named(string(in.Text[:min(2, len(in.Text))]))}, nil
				}, Options{Seed: 9})
				if err != nil {
					t.Fatal(err)
				}
				if err := steps(ctx, loop, 500); err != nil {
					t.Fatal(err)
				}
				s := loop.Stats()
				total := 0
				for _, op := range s.Operators {
					total += op.Tests
				}
				if s.Tests < 500 || s.Tests > 2000 || s.Tests != len(log[k]) || total != s.Tests || s.Labels == 0 || s.LastNew == 0 {
					t.Errorf("%s, %s: %+v", name, text, s)
				}
			}
			if !slices.Equal(log[0], log[1]) {
				t.Errorf("%s, %s: the same seed makes other inputs", name, text)
			}
		}
		broken := errors.New("broken")
		src := sentences(t, `s = byte* ;`, SentenceOptions{})
		loop, _ := New(name, src, func(context.Context, *Input) ([]Label, error) { return nil, broken }, Options{})
		if err := steps(ctx, loop, 10); !errors.Is(err, broken) {
			t.Errorf("%s: the test's error is lost: %v", name, err)
		}
		over, cancel := context.WithCancel(ctx)
		cancel()
		loop, _ = New(name, src, func(context.Context, *Input) ([]Label, error) { return nil, nil }, Options{})
		if err := steps(over, loop, 10); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: the context's end: %v", name, err)
		}
	}
	if _, err := New("nosuch", nil, nil, Options{}); err == nil || !strings.Contains(err.Error(), "exemplars") {
		t.Errorf("an unknown guide: %v", err)
	}
}
