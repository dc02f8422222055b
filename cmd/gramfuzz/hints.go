package main

import (
	"context"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/ui/describe"
	"github.com/gramfuzz/gramfuzz/sample"
)

// fewSentences is a number of sentences too small to reach much with any strategy.
const fewSentences = 100

// hintDrowned prints the expected number of alternatives that n sentences miss, and advice.
func (f *flags) hintDrowned(ctx context.Context, g *grammar.Grammar, o sample.Options, n uint64) {
	if f.quiet || n < fewSentences || n > 1<<40 {
		return
	}
	if missed, all := describe.MissedParts(ctx, g, o, int(n)); missed > 0 {
		f.note("%d uniform sentences are not expected to reach %d of %d alternatives; --strategy balanced gives each its turn, --all-alternatives takes all in few, and gramfuzz explain lists them", n, missed, all)
	}
}
