package guide

import (
	"bytes"
	"image/png"
	"math/rand/v2"
	"testing"

	"github.com/gramfuzz/gramfuzz/grammars"
)

// TestFieldsAreKept: images stay images under operators, expansion and shrinking, with correct
// lengths and checksums of their chunks.
func TestFieldsAreKept(t *testing.T) {
	src, err := NewSentences(grammars.Must("png"), SentenceOptions{})
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	changed := map[string]int{}
	check := func(op string, in, out *Input) {
		t.Helper()
		if out == nil {
			return
		}
		if _, err := png.Decode(bytes.NewReader(out.Text)); err != nil {
			t.Fatalf("%s: %v: %x", op, err, out.Text)
		}
		if !bytes.Equal(in.Text, out.Text) {
			changed[op]++
		}
	}
	for range 30 {
		in, err := src.Random(t.Context(), rng)
		if err != nil {
			t.Fatal(err)
		}
		other, err := src.Random(t.Context(), rng)
		if err != nil {
			t.Fatal(err)
		}
		for _, op := range src.operators() {
			out, err := op.make(t.Context(), rng, in, other)
			if err != nil {
				t.Fatal(err)
			}
			check(op.name, in, out)
		}
		for what, list := range map[string]candidates{"expand": src.expand(rng, in), "shrink": src.shrink(in)} {
			for range 10 {
				out, err := list(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				check(what, in, out)
			}
		}
	}
	if len(changed) < 4 || changed["shrink"] == 0 || changed["expand"] == 0 {
		t.Errorf("only these change images: %v", changed)
	}
}
