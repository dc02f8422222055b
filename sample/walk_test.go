package sample_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	gctx "github.com/gramfuzz/gramfuzz/context"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/load"
	"github.com/gramfuzz/gramfuzz/sample"
)

// TestLargeWalks: a bound of terminals does not limit the text of a token. A walk that exceeds
// the memory is repeated, and if nearly all do, an error says so.
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

// TestWalkEnds checks that a walk ends where the smallest alternative never leads to an end: a name that is
// used and not defined yet keeps the list going, and its definition brings another use.
func TestWalkEnds(t *testing.T) {
	for _, src := range []string{
		`@forward(v) s = r* ; r = n @use(v) n @fresh(v) ("(" n @use(v) n @use(v) ")") @scope(v) | "." ; n = [a-c]{1,2} ;`,
		`@forward(v) s = r s | "" ; r = n @use(v) ";" n @use(v) n @fresh(v) | "." | "," ; n = [a-d] ;`,
	} {
		g := load.MustString(src)
		m, err := gctx.NewMachine(g, derive.Options{MaxSize: 50, MaxNodes: 1 << 15})
		if err != nil {
			t.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(1, 2))
		for i := range 300 {
			if _, err := m.Draft(t.Context(), derive.ChooserFunc(func(d *derive.Decision) (int, error) { return d.Value(rng.IntN(d.N)), nil })); err != nil {
				t.Errorf("%s: walk %d: %v", src, i, err)
				break
			}
		}
	}
}
