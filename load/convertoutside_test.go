package load_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/load"
	"github.com/gramfuzz/gramfuzz/load/internal/notation/notationtest"
)

// eachWritten writes the grammars of the data folder in a notation and calls do with each for
// which no loss changes texts.
func eachWritten(t *testing.T, to string, do func(g *grammar.Grammar, text string)) {
	data := os.Getenv("GRAMFUZZ_DATA")
	if data == "" || os.Getenv("GRAMFUZZ_LONG") == "" {
		t.Skip("set GRAMFUZZ_DATA to the data folder and GRAMFUZZ_LONG=1 to run this test")
	}
	for _, c := range corpora {
		files, err := filepath.Glob(filepath.Join(data, "grammars", "formats", c.folder, "*"+c.ext))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			g, _, err := load.File(f, load.Options{Case: "mixed"})
			if err != nil || len(g.Exprs) > 1000 {
				continue
			}
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
		}
	}
}

// TestConvertToTreeSitter: tree-sitter's generator accepts the output, and its result has the
// same counts.
func TestConvertToTreeSitter(t *testing.T) {
	cli, err := exec.LookPath("tree-sitter")
	if err != nil {
		t.Skip("there is no tree-sitter")
	}
	n := 0
	eachWritten(t, "grammar.js", func(g *grammar.Grammar, text string) {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "grammar.js"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(cli, "generate", "--no-parser")
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v: %s", g.Name, err, out)
			return
		}
		back, _, err := load.File(filepath.Join(dir, "src", "grammar.json"), load.Options{Case: "mixed"})
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
