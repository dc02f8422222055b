package randombits

import (
	"math/rand/v2"
	"testing"
)

// TestStreamIsPCG checks that the generator equals the standard library's.
func TestStreamIsPCG(t *testing.T) {
	want := rand.NewPCG(3, 4)
	got := Stream{PCG: PCG{3, 4}}
	for i := range 1000 {
		if w, g := want.Uint64(), got.Next(); w != g {
			t.Fatalf("number %d is %x, want %x", i, g, w)
		}
	}
}
