package gramtest

import (
	"slices"
	"testing"
	"time"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/internal/records/record"
	"github.com/gramfuzz/gramfuzz/sample"
	"github.com/gramfuzz/gramfuzz/stream"
)

// work is a property of about a microsecond: a chain of multiplications, each of
// which waits for the one before, so that how the loop lies in memory matters
// little. It is not inlined for the same reason.
//
//go:noinline
func work(text []byte) uint64 {
	const odd = 0x9e3779b97f4a7c15
	x := uint64(len(text))
	for range 140 {
		x = (x ^ x>>29) * odd
		x = (x ^ x>>32) * odd
		x = (x ^ x>>31) * odd
		x = (x ^ x>>30) * odd
	}
	return x
}

var sink uint64

var small = count.Sizes(1, 12, grammar.Terminals)

const (
	warm  = 32 * round // sentences to fill the sampler's tables
	round = 100 * stream.Block
)

// BenchmarkCheck measures the cost of Check on top of the sampler and the property. The two
// alternate: a round of sentences by Check, then the same round by hand. A round takes some
// milliseconds, so both run under the same conditions. The benchmark reports the median over
// the rounds of their quotient, and of the property's own time. One sentence is one iteration.
func BenchmarkCheck(b *testing.B) {
	b.ReportAllocs()
	hand := byHand(b)
	hand(0, warm)
	var quotients, alone []float64
	var began time.Time
	n := uint64(0)
	Check(b, grammars.Must("json"), func(_ *T, s *Sentence) {
		sink += work(s.Text())
		n++
		if n < warm || n%round != 0 {
			return
		}
		took := time.Since(began)
		if n == warm {
			b.ResetTimer()
		} else {
			b.StopTimer()
			began = time.Now()
			hand(n-round, n)
			quotients = append(quotients, float64(took)/float64(time.Since(began)))
			began = time.Now()
			for range round {
				sink += work(s.Text())
			}
			alone = append(alone, float64(time.Since(began))/round)
			b.StartTimer()
		}
		began = time.Now()
	}, Seed(1), Strategy(sample.Uniform), Bound(small), Valid(), Count(warm+b.N), Dir(""))
	if len(quotients) > 0 {
		b.ReportMetric(median(quotients), "times-by-hand")
		b.ReportMetric(median(alone), "property-ns")
	}
}

// byHand returns a function that draws sentences from … to-1 like the Check of BenchmarkCheck
// and runs the property on each.
func byHand(b *testing.B) func(from, to uint64) {
	s, err := (&stream.Plan{Strategy: stream.Mixed, Mix: []stream.Generator{{}}, Seed: 1, Bound: record.Bound(small)}).Open(b.Context(), grammars.Must("json"), stream.Options{})
	if err != nil {
		b.Fatal(err)
	}
	src := s.Source()
	var text []byte
	return func(from, to uint64) {
		for i := from; i < to; i++ {
			if text, err = src.Append(b.Context(), text[:0], i); err != nil {
				b.Fatal(err)
			}
			sink += work(text)
		}
	}
}

func median(xs []float64) float64 {
	slices.Sort(xs)
	return xs[len(xs)/2]
}
