package sample_test

import (
	"testing"

	gctx "github.com/gramfuzz/gramfuzz/context"
	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/sample"
)

// BenchmarkNames draws assignment programs with names in play and without, in
// time for a byte of text.
func BenchmarkNames(b *testing.B) {
	g := grammars.Must("assign")
	for _, strategy := range []sample.Strategy{sample.Uniform, sample.Walk} {
		for _, off := range []bool{true, false} {
			name := strategy.String() + "/kept"
			if off {
				name = strategy.String() + "/off"
			}
			b.Run(name, func(b *testing.B) {
				s, err := sample.New(ctx, g, sample.Options{Bound: count.Sizes(4, 54, grammar.Terminals), Strategy: strategy, Names: gctx.Options{Off: off}, Seed: 1})
				if err != nil {
					b.Fatal(err)
				}
				src := s.Source()
				dst, bytes := make([]byte, 0, 1<<12), 0
				for i := range uint64(500_000) { // compile what is met
					if strategy == sample.Uniform {
						if dst, err = src.Append(ctx, dst[:0], 1<<40+i); err != nil {
							b.Fatal(err)
						}
					}
				}
				b.ReportAllocs()
				i := uint64(0)
				for b.Loop() {
					if dst, err = src.Append(ctx, dst[:0], i); err != nil {
						b.Fatal(err)
					}
					i++
					bytes += len(dst)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(bytes), "ns/byte")
			})
		}
	}
}

// BenchmarkNamesProgram reports how many nodes a program has with names in play,
// against one without.
func BenchmarkNamesProgram(b *testing.B) {
	g := grammars.Must("assign")
	bound := count.Size(50, grammar.Terminals)
	nodes := func(o gctx.Options) float64 {
		p, err := count.NewProgram(g, bound, count.Options{Names: o})
		if err != nil {
			b.Fatal(err)
		}
		return float64(len(p.Nodes))
	}
	for b.Loop() {
		nodes(gctx.Options{})
	}
	b.ReportMetric(nodes(gctx.Options{}), "nodes")
	b.ReportMetric(nodes(gctx.Options{Off: true}), "plain-nodes")
}
