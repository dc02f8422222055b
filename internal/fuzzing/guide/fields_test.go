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
	for range 30 {
		in, err := src.Random(t.Context(), rng)
		if err != nil {
			t.Fatal(err)
		}
		other, err := src.Random(t.Context(), rng)
		if err != nil {
			t.Fatal(err)
		}
		eachVariant(t, src, rng, in, other, 10, func(what string, out *Input) {
			if _, err := png.Decode(bytes.NewReader(out.Text)); err != nil {
				t.Fatalf("%s: %v: %x", what, err, out.Text)
			}
			if !bytes.Equal(in.Text, out.Text) {
				changed[what]++
			}
		})
	}
	if len(changed) < 4 || changed["shrink"] == 0 || changed["expand"] == 0 {
		t.Errorf("only these change images: %v", changed)
	}
}
