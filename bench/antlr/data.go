package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gramfuzz/gramfuzz/load"
)

// testGrammar is a grammar of the data folder.
type testGrammar struct {
	path   string // as the tables name it
	dir    string
	start  string
	native string // the kind of native program that reads its language; "" for none

	companion string // annotations that the grammar needs; "" for none
}

func (g testGrammar) options() load.Options {
	o := load.Options{Start: g.start}
	if g.companion != "" {
		o.Companion = []byte(g.companion)
	}
	return o
}

// natives has the kinds of native programs, by grammar.
var natives = map[string]string{"xml": "xml", "sql/sqlite": "sqlite", "lua": "lua", "python/python3": "python", "javascript/javascript": "node"}

// devGrammars lists the grammars without actions.
func devGrammars(data string) ([]testGrammar, error) {
	rows, err := table(filepath.Join(data, "grammars", "dev.tsv"))
	var out []testGrammar
	for _, r := range rows {
		out = append(out, testGrammar{path: r["path"], dir: filepath.Join(data, "grammars", "dev", r["path"]), start: r["start"], native: natives[r["path"]]})
	}
	return out, err
}

// impureGrammars lists the grammars with actions or predicates.
func impureGrammars(data string) ([]testGrammar, error) {
	rows, err := table(filepath.Join(data, "grammars", "grammars.tsv"))
	var out []testGrammar
	for _, r := range rows {
		dir := filepath.Join(data, "grammars", "impure", r["path"])
		if found, _ := filepath.Glob(filepath.Join(dir, "*.g4")); len(found) > 0 {
			out = append(out, testGrammar{path: r["path"], dir: dir, start: r["start"], native: natives[r["path"]]})
		}
	}
	return out, err
}

// table reads a table of values separated by tabs, whose first line has the names of the columns.
func table(path string) ([]map[string]string, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("%w; name the data folder with -data or GRAMFUZZ_DATA", err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	head := strings.Split(lines[0], "\t")
	var rows []map[string]string
	for _, line := range lines[1:] {
		row := map[string]string{}
		for i, v := range strings.Split(line, "\t") {
			row[head[i]] = v
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// examples lists the example files of a grammar, smallest first.
func (g testGrammar) examples() []string {
	size := map[string]int64{}
	var out []string
	filepath.WalkDir(filepath.Join(g.dir, "examples"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(path, ".tree") || strings.HasSuffix(path, ".errors") || strings.HasSuffix(path, ".ignore") {
			return nil
		}
		if info, err := d.Info(); err == nil {
			size[path] = info.Size()
			out = append(out, path)
		}
		return nil
	})
	slices.SortFunc(out, func(a, b string) int { return int(size[a] - size[b]) })
	return out
}
