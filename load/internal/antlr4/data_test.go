package antlr4

import (
	"bufio"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/load/internal/notation/notationtest"
	"github.com/gramfuzz/gramfuzz/load/internal/syntax"
)

// dataFolder returns a folder below GRAMFUZZ_DATA, or skips the test.
func dataFolder(t *testing.T, elem ...string) string {
	t.Helper()
	data := os.Getenv("GRAMFUZZ_DATA")
	if data == "" {
		t.Skip("GRAMFUZZ_DATA names no data folder")
	}
	return filepath.Join(append([]string{data, "grammars"}, elem...)...)
}

// TestDevGrammars checks that every grammar of dev.tsv loads and freezes without an error, and that
// its start rule exists.
func TestDevGrammars(t *testing.T) {
	dev := dataFolder(t, "dev")
	table, err := os.Open(dev + ".tsv")
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()
	lines := bufio.NewScanner(table)
	lines.Scan() // the header
	n := 0
	for lines.Scan() {
		cols := strings.Split(lines.Text(), "\t")
		n++
		t.Run(cols[1], func(t *testing.T) {
			g, ds := Load(os.DirFS(filepath.Join(dev, cols[1])), ".", filepath.Join(dev, cols[1]))
			checkLoads(t, g, ds, cols[2])
		})
	}
	if n < 36 {
		t.Errorf("dev.tsv lists %d grammars, want at least 36", n)
	}
}

// TestImpureGrammars loads grammars that depend on target code.
func TestImpureGrammars(t *testing.T) {
	impure := dataFolder(t, "impure")
	for _, dir := range []string{"arithmetic", "c", "golang", "html", "javascript/javascript", "lua", "pcre", "python/python3"} {
		t.Run(dir, func(t *testing.T) {
			g, ds := Load(os.DirFS(filepath.Join(impure, dir)), ".", filepath.Join(impure, dir))
			checkLoads(t, g, ds, "")
			if dir != "arithmetic" && dir != "html" && dir != "pcre" && len(g.Ignored) != 1 {
				t.Errorf("%d warnings about what is ignored, want 1", len(g.Ignored))
			}
		})
	}
}

func checkLoads(t *testing.T, read *syntax.Grammar, ds grammar.Diagnostics, start string) {
	t.Helper()
	if err := ds.Err(); err != nil {
		t.Fatalf("load: %v", err)
	}
	if start != "" {
		read.Entry = start
	}
	g, frozen := notationtest.Freeze(read)
	if err := frozen.Err(); err != nil {
		t.Fatalf("freeze: %v", err)
	}
	for _, d := range append(append(ds, read.Ignored...), frozen...) {
		if d.Severity == grammar.Warning {
			t.Log(d)
		}
	}
	if !g.Facts(nil, grammar.Structure).Productive(g.Root) {
		t.Errorf("start rule %q derives nothing", g.Start.Name)
	}
}
