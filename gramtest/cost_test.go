package gramtest

import (
	"runtime"
	"testing"

	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/stream"
)

// TestAllocs: a sentence allocates only its text, apart from the sampler's own memory; texts
// share slabs.
func TestAllocs(t *testing.T) {
	tests := []struct {
		name    string
		from    stream.Generator
		warm, n int
	}{
		{"uniform", stream.Generator{}, 100_000, 20_000},
		{"random weights", stream.Generator{Strategy: stream.RandomWeights}, 10_000, 10_000},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var check, hand [2]runtime.MemStats
			at, bytes := 0, 0
			from := func(c *config) { c.draw.Mix = []stream.Generator{tt.from} }
			o := []Option{from, Bound(small), Valid(), Seed(1), Count(tt.warm + tt.n), Dir("")}
			Check(t, grammars.Must("json"), func(_ *T, s *Sentence) {
				switch at++; {
				case at == tt.warm:
					runtime.ReadMemStats(&check[0])
				case at == tt.warm+tt.n:
					runtime.ReadMemStats(&check[1])
				case at > tt.warm:
					bytes += len(s.Text())
				}
			}, o...)

			draw := newConfig(o).draw
			s, err := draw.Open(t.Context(), grammars.Must("json"), draw.Options)
			if err != nil {
				t.Fatal(err)
			}
			src := s.Source()
			var text []byte
			for i := range tt.warm + tt.n {
				if text, err = src.Append(t.Context(), text[:0], uint64(i)); err != nil {
					t.Fatal(err)
				}
				if i == tt.warm-1 {
					runtime.ReadMemStats(&hand[0])
				}
			}
			runtime.ReadMemStats(&hand[1])

			took := func(m [2]runtime.MemStats) (allocs, bytes int) {
				return int(m[1].Mallocs - m[0].Mallocs), int(m[1].TotalAlloc - m[0].TotalAlloc)
			}
			checkAllocs, checkBytes := took(check)
			handAllocs, handBytes := took(hand)
			t.Logf("Check takes %d bytes in %d allocations for %d sentences of %d bytes; the sampler %d in %d", checkBytes, checkAllocs, tt.n, bytes, handBytes, handAllocs)
			if more := checkAllocs - handAllocs; more > tt.n/100 {
				t.Errorf("%d allocations more than by hand for %d sentences", more, tt.n)
			}
			if most := handBytes + bytes + bytes/20 + 2*slabSize; checkBytes > most {
				t.Errorf("%d bytes allocated, more than the %d of the sampler and the text", checkBytes, most)
			}
			if handAllocs > tt.n/10 {
				t.Errorf("the sampler allocates %d times for %d sentences", handAllocs, tt.n)
			}
		})
	}
}
