package sample_test

import (
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/internal/testing/cputime"
	"github.com/gramfuzz/gramfuzz/load"
	"github.com/gramfuzz/gramfuzz/sample"
)

// BenchmarkDepth draws from the grammars that the F1 fuzzer was measured on, over the depths
// that give sentences of about 30, 115, 550 and 2,700 bytes.
func BenchmarkDepth(b *testing.B) {
	data := os.Getenv("GRAMFUZZ_DATA")
	if data == "" {
		b.Skip("GRAMFUZZ_DATA is not set")
	}
	for _, file := range []string{"json.f1.ebnf", "expr.ebnf"} {
		g, _, err := load.File(filepath.Join(data, "grammars", "f1", file), load.Options{})
		if err != nil {
			b.Fatal(err)
		}
		for _, depth := range []int{8, 10, 12, 14, 16, 18, 20} {
			s, err := sample.New(ctx, g, sample.Options{Bound: count.Depth(depth), Measure: grammar.Exact, Seed: 1})
			if err != nil {
				continue
			}
			b.Run(file+"/"+count.Depth(depth).String(), func(b *testing.B) {
				src := s.Source()
				var buf []byte
				total := 0
				for i := range 20_000 {
					buf, _ = src.Append(ctx, buf[:0], uint64(1_000_000+i))
				}
				b.ReportAllocs()
				i := uint64(0)
				for b.Loop() {
					buf, err = src.Append(ctx, buf[:0], i)
					if err != nil {
						b.Fatal(err)
					}
					total += len(buf)
					i++
				}
				b.SetBytes(int64(total / int(i)))
				b.ReportMetric(float64(total)/float64(i), "bytes/sentence")
			})
		}
	}
}

// BenchmarkGoroutines checks that two goroutines with a source each make at least 1.8 times as
// many sentences as one: they share no written memory.
func BenchmarkGoroutines(b *testing.B) {
	s, err := sample.New(ctx, grammars.Must("json"), sample.Options{Seed: 1})
	if err != nil {
		b.Fatal(err)
	}
	const each = 100_000
	elapsed := func(workers int) float64 {
		begin := time.Now()
		var wg sync.WaitGroup
		for w := range workers {
			wg.Go(func() {
				src := s.Source()
				var buf []byte
				for i := range uint64(each) {
					buf, _ = src.Append(ctx, buf[:0], uint64(w)*each+i)
				}
			})
		}
		wg.Wait()
		return time.Since(begin).Seconds()
	}
	elapsed(2) // warm up
	var one, two float64
	for b.Loop() {
		one += elapsed(1)
		two += elapsed(2)
	}
	b.ReportMetric(2*one/two, "times-one")
}

// BenchmarkSize10000 draws JSON texts of exactly 10,000 terminals: the tables and a sentence.
func BenchmarkSize10000(b *testing.B) {
	for b.Loop() {
		s, err := sample.New(ctx, grammars.Must("json"), sample.Options{Bound: count.Size(10_000, grammar.Terminals), Seed: 1})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := s.Source().Text(ctx, 0); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkBalanced reports the CPU time of a balanced sentence relative to a uniform one,
// drawn in turns, by strength. It also reports the time to make the tables, for strength 2 for
// one first part. The same sentences are drawn repeatedly, so the uniform sampler has compiled
// everything it uses.
func BenchmarkBalanced(b *testing.B) {
	for _, name := range []string{"json", "go", "select", "expr"} {
		for _, way := range []struct {
			name     string
			strength int
			again    bool
		}{{"new", 1, false}, {"again", 1, true}, {"pairs again", 2, true}} {
			strength := way.strength
			b.Run(name+"/"+way.name, func(b *testing.B) {
				const turn = 40 // of four rows of pairs, whose tables are all kept
				first := uint64(0)
				draw := func(o sample.Options) (tables time.Duration, draw func()) {
					begin := cputime.Used()
					s, err := sample.New(ctx, grammars.Must(name), o)
					if err != nil {
						b.Fatal(err)
					}
					src := s.Source()
					var buf []byte
					draw = func() {
						for i := range uint64(turn) {
							if buf, err = src.Append(ctx, buf[:0], first+i); err != nil {
								b.Fatal(err)
							}
						}
					}
					if buf, err = src.Append(ctx, buf[:0], 0); err != nil {
						b.Fatal(err)
					}
					return cputime.Used() - begin, draw
				}
				_, uniform := draw(sample.Options{Seed: 1})
				tables, balanced := draw(sample.Options{Seed: 1, Strategy: sample.Balanced, Strength: strength})
				uniform()
				balanced()
				var one, other time.Duration
				for b.Loop() {
					begin := cputime.Used()
					uniform()
					middle := cputime.Used()
					balanced()
					one += middle - begin
					other += cputime.Used() - middle
					if !way.again {
						first += turn
					}
				}
				b.ReportMetric(float64(other)/float64(one), "times-uniform")
				b.ReportMetric(float64(other.Microseconds())/float64(b.N*turn), "µs/sentence")
				b.ReportMetric(float64(tables.Milliseconds()), "table-ms")
			})
		}
	}
}
