package load

import (
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/load/internal/ebnf"
)

// Format lays out a file in the native notation in the canonical way; comments
// are kept. A file with mistakes is not formatted: the diagnostics list them, or
// say which notation the file is in if it is another.
func Format(name string, src []byte) ([]byte, grammar.Diagnostics) {
	out, ds := ebnf.Format(name, src)
	if ds.Err() == nil {
		return out, nil
	}
	if other, err := detect(name, src); err == nil && other != "ebnf" {
		ds = grammar.Diagnostics{{Severity: grammar.Error, Pos: grammar.Pos{File: name, Line: 1, Col: 1}, Code: "notation",
			Message: "the file is in another notation, " + other, Hint: "fmt lays out the native one; gramfuzz convert -g " + name + " --to ebnf writes the grammar in that"}}
	}
	return nil, ds
}

// Native writes a grammar in the native notation.
func Native(g *grammar.Grammar) string { return ebnf.Print(g) }
