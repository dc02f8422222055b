package stream_test

import (
	"errors"
	"math/big"
	"testing"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/sample"
	"github.com/gramfuzz/gramfuzz/stream"
)

// TestRanked checks that the sentences are all those of the table in the order of their ranks,
// and that a shard is every second one.
func TestRanked(t *testing.T) {
	for _, name := range []string{"tree", "lambda", "json"} {
		g := grammars.Must(name)
		table, err := count.New(t.Context(), g, count.Sizes(1, 7, 0), count.Options{})
		if err != nil {
			t.Fatal(err)
		}
		layout, err := derive.NewLayout(g, derive.Tight)
		if err != nil {
			t.Fatal(err)
		}
		s := stream.Ranked(table, layout.Lenient())
		odd, err := s.Shard(1, 2)
		if err != nil {
			t.Fatal(err)
		}
		if s.Len().Cmp(table.Total()) != 0 {
			t.Errorf("%s: %v sentences, want %v", name, s.Len(), table.Total())
		}
		src, records, shard := s.Source(), s.Records(), odd.Source()
		n := min(table.Total().Uint64(), 500)
		for i := range n {
			tree, err := table.Unrank(new(big.Int).SetUint64(i))
			if err == nil {
				tree, err = layout.Lenient().Tree(tree, nil)
			}
			if err != nil {
				t.Fatal(err)
			}
			text, err := textOf(src, i)
			if err != nil || text != tree.Text() {
				t.Fatalf("%s: sentence %d is %q, %v; want %q", name, i, text, err, tree.Text())
			}
			if rec, err := records.Record(t.Context(), i); err != nil || string(rec.Text) != text || rec.Rank != new(big.Int).SetUint64(i).String() {
				t.Errorf("%s: sentence %d has the record %+v, %v", name, i, rec, err)
			}
			if i%2 == 1 {
				if part, err := textOf(shard, i/2); err != nil || part != text {
					t.Errorf("%s: sentence %d of the shard is %q, %v; want %q", name, i/2, part, err, text)
				}
			}
		}
		if _, err := src.Tree(t.Context(), table.Total().Uint64()); table.Total().IsUint64() && !errors.Is(err, sample.ErrExhausted) {
			t.Errorf("%s: after the last sentence: %v", name, err)
		}
	}
}
