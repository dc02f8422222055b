package stream_test

import (
	"context"
	"testing"
	"time"

	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/stream"
)

// BenchmarkRecord compares records with texts: a record should cost at most three times as much
// as the text alone. Records of grammars that are laid out (select, go) are made from the same
// trees as the texts.
func BenchmarkRecord(b *testing.B) {
	for _, name := range []string{"expr", "json", "assign", "lopsided", "tree", "url"} {
		g := grammars.Must(name)
		ctx := context.Background()
		s, err := (&stream.Plan{Seed: 1}).Open(ctx, g, stream.Options{})
		if err != nil {
			b.Fatal(err)
		}
		var buf []byte
		run := func(n int, worker func(context.Context, []byte, uint64) ([]byte, error)) {
			for i := range uint64(n) {
				if buf, err = worker(ctx, buf[:0], i); err != nil {
					b.Fatal(err)
				}
			}
		}
		text, record := s.Source().Append, s.Records().Append
		const n, turns = 10_000, 100
		run(n, text)
		run(n, record)
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			var texts, records time.Duration
			for b.Loop() {
				for range turns { // short turns: other load affects both equally
					begin := time.Now()
					run(n/turns, text)
					middle := time.Now()
					run(n/turns, record)
					texts, records = texts+middle.Sub(begin), records+time.Since(middle)
				}
			}
			b.ReportMetric(float64(texts.Nanoseconds())/float64(b.N*n), "ns/text")
			b.ReportMetric(float64(records.Nanoseconds())/float64(b.N*n), "ns/record")
			b.ReportMetric(float64(records)/float64(texts), "times-text")
		})
	}
}
