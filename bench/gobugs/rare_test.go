package main

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/gramfuzz/gramfuzz/load"
)

// BenchmarkRare counts the texts in streams of sentences that meet all conditions of some known
// bugs. It compares walks with and without random weights.
func BenchmarkRare(b *testing.B) {
	data := os.Getenv("GRAMFUZZ_DATA")
	if data == "" {
		b.Skip("GRAMFUZZ_DATA does not name the data folder")
	}
	for _, c := range []struct{ name, text string }{
		{"cel_format_nonlit", `^[a-z]*\(?[a-z]\)?\.format\(\[`},
		{"expr_filtermap_index", `map\(filter\(.*\), [^,]*#index`},
		{"gotoml_datetime", `(^|\n)[a-z]+ ?= ?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|[+-])`},
		{"hcl_null_expand", `(concat|max)\([^()]*, null\]\.\.\.\)`},
	} {
		g, _, err := load.File(filepath.Join(data, "gobugs", "cases", c.name, "grammar.ebnf"), load.Options{})
		if err != nil {
			b.Fatal(err)
		}
		needed := regexp.MustCompile(c.text)
		for _, name := range []string{"walk", "weights"} {
			b.Run(c.name+"/"+name, func(b *testing.B) {
				src, end, err := strategies[name](b.Context(), &bug{g: g}, 1)
				if err != nil {
					b.Fatal(err)
				}
				defer end()
				var text []byte
				hits := 0
				for i := range b.N {
					if text, err = src.Append(b.Context(), text[:0], uint64(i)); err != nil {
						b.Fatal(err)
					}
					if needed.Match(text) {
						hits++
					}
				}
				b.ReportMetric(1e6*float64(hits)/float64(b.N), "per-million")
			})
		}
	}
}
