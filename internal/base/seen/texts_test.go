package seen

import (
	"strconv"
	"testing"
)

func text(dst []byte, i int) []byte {
	return strconv.AppendInt(append(dst[:0], "a sentence of about thirty bytes "...), int64(i), 10)
}

// TestTexts checks that a new text is new, that a recent one is known, and that of many texts
// most are.
func TestTexts(t *testing.T) {
	const n = 1_000_000
	s := NewTexts()
	var dst []byte
	for i := range n {
		dst = text(dst, i)
		if !s.Add(dst) {
			t.Fatalf("text %d is taken for one that came before", i)
		}
		if s.Add(dst) {
			t.Fatalf("text %d is forgotten at once", i)
		}
	}
	forgotten := 0
	for i := range n {
		dst = text(dst, n-1-i)
		if s.Add(dst) {
			forgotten++
		}
	}
	t.Logf("%d of %d texts are forgotten", forgotten, n)
	if 4*forgotten > n {
		t.Errorf("%d of %d texts are forgotten", forgotten, n)
	}
	s.Clear()
	if !s.Add(dst) {
		t.Error("a text is known after Clear")
	}
}

// TestTextsOfFew checks that none of few texts is forgotten.
func TestTextsOfFew(t *testing.T) {
	s := NewTexts()
	const n = 10_000
	for range 3 {
		s.Clear()
		for i := range 2 * n {
			if s.Add(text(nil, i%n)) != (i < n) {
				t.Fatalf("text %d of %d", i%n, n)
			}
		}
	}
}

func BenchmarkTexts(b *testing.B) {
	texts := make([][]byte, 1<<16)
	for i := range texts {
		texts[i] = text(nil, i)
	}
	s := NewTexts()
	b.ReportAllocs()
	for i := range b.N {
		s.Add(texts[i%len(texts)])
	}
}
