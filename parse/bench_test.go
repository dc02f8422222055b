package parse_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"testing"
	"time"

	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/internal/testing/jsontext"
)

// BenchmarkJSON parses 1 MB of JSON, both to the packed forest of its only tree and on to the
// derivation tree with every choice inside tokens. It also reports the speed relative to the
// tokens of encoding/json's Decoder ("x-decoder": more is faster).
func BenchmarkJSON(b *testing.B) {
	ctx := context.Background()
	text := jsontext.Make(1 << 20)
	p := must(b, grammars.Must("json"))
	decoder := timeOf(func() {
		d := json.NewDecoder(bytes.NewReader([]byte(text)))
		for {
			if _, err := d.Token(); err == io.EOF {
				return
			} else if err != nil {
				b.Fatal(err)
			}
		}
	})
	for _, c := range []struct {
		name string
		tree bool
	}{{"forest", false}, {"tree", true}} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				f, err := p.Parse(ctx, "t", text)
				if err != nil {
					b.Fatal(err)
				}
				if c.tree {
					if _, err := f.Tree(ctx); err != nil {
						b.Fatal(err)
					}
				}
			}
			b.ReportMetric(decoder.Seconds()/(b.Elapsed().Seconds()/float64(b.N)), "x-decoder")
		})
	}
}

// timeOf returns the shortest time of five runs.
func timeOf(f func()) time.Duration {
	least := time.Hour
	for range 5 {
		start := time.Now()
		f()
		least = min(least, time.Since(start))
	}
	return least
}
