package reduce

import (
	"context"
	"testing"
)

// TestPanic checks that a panic of the predicate is one of Run, for any number of workers.
func TestPanic(t *testing.T) {
	for _, jobs := range []int{1, 3} {
		func() {
			defer func() {
				if v := recover(); v != "broken" {
					t.Errorf("%d workers: recovered %v", jobs, v)
				}
			}()
			_, err := Run(t.Context(), Input{Text: []byte("one (two) three\nfour\n")}, func(_ context.Context, text []byte) (bool, error) {
				if len(text) < 10 {
					panic("broken")
				}
				return true, nil
			}, Options{Jobs: jobs})
			t.Errorf("%d workers: it ended with %v", jobs, err)
		}()
	}
}
