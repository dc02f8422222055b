package load

import (
	"os"
	"path/filepath"
	"testing"
)

// BenchmarkLargest loads the largest grammar of a checkout of antlr/grammars-v4,
// whose folder GRAMFUZZ_GRAMMARS_V4 names.
func BenchmarkLargest(b *testing.B) {
	root := os.Getenv("GRAMFUZZ_GRAMMARS_V4")
	if root == "" {
		b.Skip("GRAMFUZZ_GRAMMARS_V4 names no checkout of antlr/grammars-v4")
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := File(filepath.Join(root, "sql", "plsql"), Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
