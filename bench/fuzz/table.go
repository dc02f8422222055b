package main

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"time"
)

// weights has the executions in a round, in millions, of targets that are quicker or slower than
// most. All others have 0.1.
var weights = map[string]float64{
	"derive FuzzParseRecord":                        0.8,
	"internal/fuzzing/campaign FuzzParseFinding":    0.3,
	"internal/fuzzing/campaign FuzzState":           0.001,
	"internal/fuzzing/corpus FuzzParseFuzz":         1.5,
	"internal/fuzzing/fleet FuzzMessages":           0.8,
	"internal/base/folder FuzzUnpack":               0.5,
	"internal/lexical/lex FuzzScan":                 2,
	"internal/lexical/lex FuzzAgree":                0.002,
	"internal/base/words FuzzText":                  1,
	"internal/fuzzing/target/gocov FuzzFile":        2,
	"internal/fuzzing/target/gocov FuzzComparisons": 1,
	"load/internal/jsong FuzzParse":                 1,
	"mutate FuzzParseDictionary":                    0.5,
	"parse FuzzAgainstBruteForce":                   0.0002,
	"parse FuzzFields":                              0.3,
	"parse FuzzLines":                               0.05,
	"reduce FuzzFileCache":                          0.02,
	"reduce FuzzText":                               0.0005,
	"stream FuzzReadPlan":                           0.8,
	"swarm FuzzParseCoins":                          0.5,
	"swarm FuzzLoad":                                0.4,
	"internal/fuzzing/target FuzzClassify":          0.3,
	"internal/fuzzing/target/afl FuzzHandshake":     0.3,
	"load/internal/ebnf FuzzParse":                  0.05,
	"load FuzzSource":                               0.05,
	"load/internal/companion FuzzParse":             0.05,
	"load/internal/goebnf FuzzParse":                0.15,
	"load/internal/gbnf FuzzParse":                  0.15,
	"load/internal/iso FuzzParse":                   0.15,
	"load/internal/lark FuzzParse":                  0.15,
	"load/internal/regexps FuzzParse":               1,
	"load/internal/treesitter FuzzParse":            0.3,
}

func weight(t *target) float64 {
	if w, ok := weights[t.Pkg+" "+t.Name]; ok {
		return w
	}
	return 0.1
}

// table writes the account as a page.
func table(all []*target) []byte {
	all = slices.Clone(all)
	slices.SortFunc(all, func(a, b *target) int {
		return cmp.Or(cmp.Compare(a.Pkg, b.Pkg), cmp.Compare(a.Name, b.Name))
	})
	var b bytes.Buffer
	b.WriteString(`# Executions of fuzz targets

Written by ` + "`go -C bench run ./fuzz -o fuzz/RESULTS.md -state FILE`" + `, run several times; a target runs on one
core, on mutants of its seeds. The mutants are blind: no coverage guides them. Times are of a
machine that did other work too, so "slowest" is mostly a wait for the processor. "found"
counts runs that ended with a finding; each has been mended, and its input is a seed or a test
of its own now.

| package | target | seeds | executions | each | slowest | found |
|---|---|---:|---:|---:|---:|---:|
`)
	var sum uint64
	var took time.Duration
	for _, t := range all {
		sum, took = sum+t.Runs, took+t.Took
		fmt.Fprintf(&b, "| %s | %s | %d | %d | %v | %v | %d |\n", t.Pkg, t.Name, t.Seeds, t.Runs,
			(t.Took / time.Duration(max(t.Runs, 1))).Round(100*time.Nanosecond), t.Slowest.Round(time.Millisecond), t.Found)
	}
	fmt.Fprintf(&b, "| all | | | %d | | | |\n\nTime: %v.\n", sum, took.Round(time.Second))
	return b.Bytes()
}
