package sample_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/load"
	"github.com/gramfuzz/gramfuzz/sample"
)

// TestLargeWalks: a bound of terminals does not keep the text of a token short. A walk that
// outgrows the memory is made anew, and where nearly all do, an error says so.
func TestLargeWalks(t *testing.T) {
	const memory = 1 << 20
	for _, c := range []struct {
		token string
		some  bool // of the sentences have an error
	}{
		{"T : 'x' T T | 'y'", false},
		{"T : 'x' T T | 'x' T T T | 'x' T T T T | 'x' T T T T T | 'y'", true},
	} {
		g, _, err := load.Source("Large.g4", []byte("grammar Large;\ns : T+ ;\n"+c.token+" ;"), load.Options{})
		if err != nil {
			t.Fatal(err)
		}
		s, err := sample.New(context.Background(), g, sample.Options{Strategy: sample.Walk, Seed: 1, MaxMemory: memory})
		if err != nil {
			t.Fatal(err)
		}
		src, failed := s.Source(), false
		for i := range uint64(300) {
			if _, err := src.Append(context.Background(), nil, i); err != nil {
				failed = true
				if !errors.Is(err, derive.ErrTooLarge) || !strings.Contains(err.Error(), "8 walks within size 1 to 51 terminals") {
					t.Fatalf("%s: %v", c.token, err)
				}
			}
		}
		if failed != c.some {
			t.Errorf("%s: a sentence failed: %v, want %v", c.token, failed, c.some)
		}
	}
}
