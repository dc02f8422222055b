package load

import (
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/load/internal/ebnf"
)

// Format formats a file in the native notation; comments are kept. A file with errors is not
// formatted: the diagnostics list them, or name the notation of a file in another one.
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
