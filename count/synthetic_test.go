package count_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/internal/core"
	"github.com/gramfuzz/gramfuzz/load"
)

// synthetic returns a grammar of many rules, each with a terminal and 15
// products of two rules.
func synthetic(tb testing.TB, rules int) *grammar.Grammar {
	tb.Helper()
	rng := rand.New(rand.NewPCG(1, 1))
	var b strings.Builder
	for i := range rules {
		fmt.Fprintf(&b, "r%d = \"x%d\"", i, i)
		for range 15 {
			fmt.Fprintf(&b, " | r%d r%d", rng.IntN(rules), rng.IntN(rules))
		}
		b.WriteString(" ;\n")
	}
	g, _, err := load.Source("synthetic.ebnf", []byte(b.String()), load.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	return g
}

// BenchmarkFloatsSynthetic counts 1,000 rules with 15,000 products, sizes 1 to 200, in floats for
// sampling.
func BenchmarkFloatsSynthetic(b *testing.B) {
	g := synthetic(b, 1000)
	b.ReportAllocs()
	for b.Loop() {
		p, err := count.NewProgram(g, count.Sizes(1, 200, grammar.Terminals), count.Options{})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := core.NewFloats(ctx, (*core.Program)(p), 200, nil); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkExactSynthetic counts the same grammar exactly, sizes 1 to 100.
func BenchmarkExactSynthetic(b *testing.B) {
	g := synthetic(b, 1000)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := count.New(ctx, g, count.Sizes(1, 100, grammar.Terminals), count.Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkExactJSON(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := count.New(ctx, grammars.Must("json"), count.Sizes(1, 1000, grammar.Terminals), count.Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkFloatsJSON counts JSON texts of exactly 10,000 terminals, in floats for sampling.
func BenchmarkFloatsJSON(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		p, err := count.NewProgram(grammars.Must("json"), count.Size(10_000, grammar.Terminals), count.Options{})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := core.NewFloats(ctx, (*core.Program)(p), 10_000, nil); err != nil {
			b.Fatal(err)
		}
	}
}
