package sample_test

import (
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/sample"
)

// TestFirstTogether checks that goroutines that reach the same slots first, for texts and
// records at once, draw the same as one goroutine.
func TestFirstTogether(t *testing.T) {
	const rounds, workers = 60, 8
	g := grammars.Must("expr")
	for round := range uint64(rounds) {
		s, err := sample.New(ctx, g, sample.Options{Seed: round})
		if err != nil {
			t.Fatal(err)
		}
		begin := make(chan bool)
		got := make([]sample.Sentence, workers)
		var wg sync.WaitGroup
		for w := range workers {
			wg.Go(func() {
				src := s.Source()
				<-begin
				if w%4 == 0 {
					got[w].Text, _ = src.Append(ctx, nil, 0)
					return
				}
				if err := src.Sentence(ctx, &got[w], 0); err != nil {
					t.Error(err)
				}
			})
		}
		close(begin)
		wg.Wait()
		for w := range workers {
			if d := cmp.Diff(string(got[1].Text), string(got[w].Text)); d != "" {
				t.Fatalf("goroutine %d draws another text:\n%s", w, d)
			}
			if d := cmp.Diff(got[1].Choices, got[w].Choices); w%4 != 0 && d != "" {
				t.Fatalf("goroutine %d makes other choices:\n%s", w, d)
			}
		}
	}
}
