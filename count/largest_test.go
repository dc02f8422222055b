package count_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/core"
	"github.com/gramfuzz/gramfuzz/load"
)

// BenchmarkFloatsLargest counts the largest grammar of grammars-v4, PL/SQL with 3,715 rules, for
// sizes 1 to 100, in floats for sampling. GRAMFUZZ_GRAMMARS_V4 names a checkout of
// antlr/grammars-v4.
func BenchmarkFloatsLargest(b *testing.B) {
	root := os.Getenv("GRAMFUZZ_GRAMMARS_V4")
	if root == "" {
		b.Skip("GRAMFUZZ_GRAMMARS_V4 names no checkout of antlr/grammars-v4")
	}
	g, _, err := load.File(filepath.Join(root, "sql", "plsql"), load.Options{Start: "sql_script"})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		p, err := count.NewProgram(g, count.Sizes(1, 100, grammar.Terminals), count.Options{})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := core.NewFloats(ctx, (*core.Program)(p), 100, nil); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(len(p.Nodes)), "nodes")
	}
}
