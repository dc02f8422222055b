package pace

import (
	"strconv"
	"testing"

	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/stream"
)

// No new text of a stream is left out, but most repeats are.
func TestRepeats(t *testing.T) {
	s, err := (&stream.Plan{Strategy: stream.Mixed, Seed: 1, Damage: stream.DefaultDamage}).Open(t.Context(), grammars.Must("select"), stream.Options{})
	if err != nil {
		t.Fatal(err)
	}
	src, r := s.Source(), newRepeats()
	before := map[string]bool{}
	repeats, left := 0, 0
	var text []byte
	for i := range uint64(50_000) {
		if text, err = src.Append(t.Context(), text[:0], i); err != nil {
			t.Fatal(err)
		}
		known, skip := before[string(text)], r.skip(text)
		if skip && !known {
			t.Fatalf("sentence %d is left out, and is new: %q", i, text)
		}
		before[string(text)] = true
		if known {
			repeats++
		}
		if skip {
			left++
		}
	}
	t.Logf("%d of 50000 are repeats, %d were left out", repeats, left)
	if repeats < 1000 || 10*left < 9*repeats {
		t.Errorf("of %d repeats %d are left out, want nine in ten", repeats, left)
	}
}

// If there are only ten texts, most sentences are run in the end.
func TestRepeatsOfFew(t *testing.T) {
	r := newRepeats()
	ran, draws := 0, 0
	for ; ran < 1000; draws++ {
		if !r.skip([]byte(strconv.Itoa(draws % 10))) {
			ran++
		}
	}
	if draws > 2000 {
		t.Errorf("%d draws for 1000 runs, want at most 2000", draws)
	}
}
