package gramtest

import (
	"testing"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/sample"
	"github.com/gramfuzz/gramfuzz/schedule"
)

// work is a property of about a microsecond.
func work(text []byte) (sum uint32) {
	for range 6 {
		for i := range 100 {
			sum = sum*31 + uint32(i)
		}
	}
	return sum + uint32(len(text))
}

var sink uint32

// BenchmarkCheck and BenchmarkByHand together say what Check costs beside the
// sampler and the property: their quotient.
func BenchmarkCheck(b *testing.B) {
	b.ReportAllocs()
	n := 0
	Check(b, grammars.Must("json"), func(_ *T, s *Sentence) {
		if n++; n == warm {
			b.ResetTimer()
		}
		sink += work(s.Text())
	}, Seed(1), Strategy(sample.Uniform), Bound(small), Valid(), Count(warm+b.N), Dir(""))
}

var small = count.Sizes(1, 12, grammar.Terminals)

// warm is how many sentences fill the sampler's tables.
const warm = 200_000

func BenchmarkByHand(b *testing.B) {
	b.ReportAllocs()
	s, err := schedule.New(b.Context(), grammars.Must("json"), schedule.Options{Seed: 1, Bound: small, Lanes: []schedule.Lane{{}}})
	if err != nil {
		b.Fatal(err)
	}
	src := s.Source()
	var text []byte
	draw := func(n int) {
		for i := range uint64(n) {
			if text, err = src.Append(b.Context(), text[:0], i); err != nil {
				b.Fatal(err)
			}
			sink += work(text)
		}
	}
	draw(warm)
	b.ResetTimer()
	draw(b.N)
}
