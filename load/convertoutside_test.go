package load_test

import (
	"bytes"
	"os/exec"
	"strings"
	"testing"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/load"
	"github.com/gramfuzz/gramfuzz/load/internal/notation/notationtest"
)

// eachWritten writes the grammars of the data folder in a notation and calls do with each for
// which no loss changes texts.
func eachWritten(t *testing.T, to string, do func(g *grammar.Grammar, text string)) {
	t.Helper()
	eachOfCorpora(t, 1000, func(g *grammar.Grammar) {
		text, lost, err := load.Print(g, to)
		if err != nil {
			t.Fatal(err)
		}
		whole := true
		for _, d := range lost {
			whole = whole && (d.Severity == grammar.Note || harmless[d.Code] || strings.Contains(d.Message, "negated"))
		}
		if whole {
			do(g, text)
		}
	})
}

// TestConvertToTreeSitter: tree-sitter's generator accepts the output, and its result has the
// same counts.
func TestConvertToTreeSitter(t *testing.T) {
	n := 0
	eachWritten(t, "grammar.js", func(g *grammar.Grammar, text string) {
		made := notationtest.Generated(t, g.Name, text)
		if made == nil {
			return
		}
		back, _, err := load.Source("grammar.json", made, load.Options{Case: "mixed"})
		if err != nil {
			t.Errorf("%s: %v", g.Name, err)
		} else if !notationtest.SameCounts(t, g, back, 4) {
			t.Errorf("%s: see above", g.Name)
		}
		n++
	})
	t.Logf("%d grammars", n)
}

// larkScript loads grammars separated by lines of dashes.
const larkScript = `
import sys, lark
for text in sys.stdin.read().split("\n----\n")[:-1]:
    name, _, text = text.partition("\n")
    try:
        lark.Lark(text, parser="earley")
    except Exception as e:
        print(name, type(e).__name__, str(e)[:300].replace("\n", " "))
`

// TestConvertToLark: Lark accepts the output.
func TestConvertToLark(t *testing.T) {
	if err := exec.Command("python3", "-c", "import lark").Run(); err != nil {
		t.Skip("python3 has no package lark")
	}
	var all bytes.Buffer
	n := 0
	eachWritten(t, "lark", func(g *grammar.Grammar, text string) {
		all.WriteString(g.Name + "\n" + text + "\n----\n")
		n++
	})
	cmd := exec.Command("python3", "-c", larkScript)
	cmd.Stdin = &all
	if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("%v\n%s", err, out)
	}
	t.Logf("%d grammars", n)
}
