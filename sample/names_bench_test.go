package sample_test

import (
	"testing"

	gctx "github.com/gramfuzz/gramfuzz/context"
	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/sample"
)

// BenchmarkNames draws assignment programs with and without names, in turns, so that other
// load affects both alike. It reports the time per byte of text of both and their ratio.
func BenchmarkNames(b *testing.B) {
	g := grammars.Must("assign")
	for _, strategy := range []sample.Strategy{sample.Uniform, sample.Walk} {
		b.Run(strategy.String(), func(b *testing.B) {
			var srcs [2]*sample.Source
			dst := make([]byte, 0, 1<<12)
			for k, off := range []bool{true, false} {
				s, err := sample.New(ctx, g, sample.Options{Bound: count.Sizes(4, 54, grammar.Terminals), Strategy: strategy, Names: gctx.Options{Off: off}, Seed: 1})
				if err != nil {
					b.Fatal(err)
				}
				srcs[k] = s.Source()
				for i := range uint64(500_000) { // compile everything that occurs
					if strategy == sample.Uniform {
						if dst, err = srcs[k].Append(ctx, dst[:0], 1<<40+i); err != nil {
							b.Fatal(err)
						}
					}
				}
			}
			var spent [2]float64 // nanoseconds
			var bytes [2]int
			i := uint64(0)
			b.ReportAllocs()
			for b.Loop() {
				for k, src := range srcs {
					before := b.Elapsed()
					for j := range uint64(100) {
						var err error
						if dst, err = src.Append(ctx, dst[:0], i+j); err != nil {
							b.Fatal(err)
						}
						bytes[k] += len(dst)
					}
					spent[k] += float64((b.Elapsed() - before).Nanoseconds())
				}
				i += 100
			}
			plain, kept := spent[0]/float64(bytes[0]), spent[1]/float64(bytes[1])
			b.ReportMetric(plain, "plain-ns/byte")
			b.ReportMetric(kept, "names-ns/byte")
			b.ReportMetric(kept/plain, "ratio")
		})
	}
}
