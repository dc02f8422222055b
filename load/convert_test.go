package load_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/load"
	"github.com/gramfuzz/gramfuzz/load/internal/notation/notationtest"
)

// harmless are losses that change no text: the lost part does not affect the language or is
// expressed differently.
var harmless = map[string]bool{"lost-token": true, "lost-layout": true, "lost-annotation": true, "lost-weight": true,
	"undefined-rule": true}

// convert prints g, reads it back and compares the counts by bytes. It reports whether a
// comparison was possible. It is not after losses that change the language, which the printer
// has to list.
func convert(t *testing.T, g *grammar.Grammar, to string, bytes int) bool {
	t.Helper()
	text, lost, err := load.Print(g, to)
	if err != nil {
		t.Fatal(err)
	}
	same := true
	for _, d := range lost {
		negated := strings.Contains(d.Message, "negated")
		if d.Severity == grammar.Error || d.Severity != grammar.Note && !harmless[d.Code] && !negated {
			same = false
		}
	}
	back, _, err := load.Source("back", []byte(text), load.Options{Notation: to, Case: "mixed"})
	if err != nil {
		if same {
			t.Errorf("%s in %s does not read back: %v", g.Name, to, err)
		}
		return false
	}
	if same && !notationtest.SameCounts(t, g, back, bytes) {
		t.Errorf("%s to %s: see above", g.Name, to)
	}
	return same
}

// TestConvert converts the six transcriptions of JSON to every notation.
func TestConvert(t *testing.T) {
	for _, f := range transcribed {
		g, _, err := load.File(filepath.Join("internal", f), load.Options{Case: "mixed"})
		if err != nil {
			t.Fatal(err)
		}
		for _, to := range load.Printable() {
			if !convert(t, g, to, 10) {
				t.Errorf("%s to %s loses something", f, to)
			}
		}
	}
}

// TestConvertCorpus converts every grammar of the data folder that loads: with GRAMFUZZ_LONG=all to
// every notation, otherwise each in turn to one or, with GRAMFUZZ_LONG=1, to three of ten.
func TestConvertCorpus(t *testing.T) {
	for turn, to := range load.Printable() {
		t.Run(to, func(t *testing.T) {
			compared, all := 0, 0
			eachOfCorpora(t, turn, 5000, func(g *grammar.Grammar) {
				all++
				if convert(t, g, to, 4) {
					compared++
				}
			})
			t.Logf("%d grammars, %d of them without a loss that changes texts", all, compared)
		})
	}
}

// eachOfCorpora calls do with every grammar of the data folder that loads and has at most
// so many expressions, that is those of ten which have their turn.
func eachOfCorpora(t *testing.T, turn, most int, do func(g *grammar.Grammar)) {
	t.Helper()
	data := os.Getenv("GRAMFUZZ_DATA")
	if data == "" {
		t.Skip("set GRAMFUZZ_DATA to the data folder to run this test")
	}
	share := 3
	switch os.Getenv("GRAMFUZZ_LONG") {
	case "":
		share = 1
	case "all":
		share = 10
	}
	for _, c := range corpora {
		files, err := filepath.Glob(filepath.Join(data, "grammars", "formats", c.folder, "*"+c.ext))
		if err != nil {
			t.Fatal(err)
		}
		for i, f := range files {
			if (i+turn)%10 >= share {
				continue
			}
			if g, _, err := load.File(f, load.Options{Case: "mixed"}); err == nil && len(g.Exprs) <= most {
				do(g)
			}
		}
	}
}
