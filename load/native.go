package load

import (
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/load/internal/companion"
	"github.com/gramfuzz/gramfuzz/load/internal/ebnf"
)

// CompanionExtension is what the name of a companion file adds to that of its
// grammar file.
const CompanionExtension = companion.Extension

// Format lays out a file in the native notation in the canonical way; comments
// are kept. A file with mistakes is not formatted: the diagnostics list them.
func Format(name string, src []byte) ([]byte, grammar.Diagnostics) { return ebnf.Format(name, src) }

// Native writes a grammar in the native notation.
func Native(g *grammar.Grammar) string { return ebnf.Print(g) }
