package load_test

import (
	"path/filepath"
	"testing"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/load"
	"github.com/gramfuzz/gramfuzz/load/internal/notation/notationtest"
)

// transcribed is one grammar of JSON in six notations.
var transcribed = []string{"abnf/testdata/json.abnf", "gbnf/testdata/json.gbnf", "goebnf/testdata/json.ebnf",
	"iso/testdata/json.ebnf", "jsong/testdata/json.json", "w3c/testdata/json.ebnf"}

// TestTranscribed compares the counts by bytes of one language in all notations it is
// transcribed to; the readers of all notations have to agree.
func TestTranscribed(t *testing.T) {
	var first *grammar.Grammar
	for _, f := range transcribed {
		g, _, err := load.File(filepath.Join("internal", f), load.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = g
			continue
		}
		notationtest.SameCounts(t, first, g, 14)
	}
	if n := notationtest.Counts(first, 14)[14]; n.BitLen() < 40 {
		t.Errorf("only %v sentences of 14 bytes", n)
	}
}
