package load

import (
	"slices"

	"github.com/gramfuzz/gramfuzz/load/internal/abnf"
	"github.com/gramfuzz/gramfuzz/load/internal/antlr4"
	"github.com/gramfuzz/gramfuzz/load/internal/bnf"
	"github.com/gramfuzz/gramfuzz/load/internal/ebnf"
	"github.com/gramfuzz/gramfuzz/load/internal/gbnf"
	"github.com/gramfuzz/gramfuzz/load/internal/goebnf"
	"github.com/gramfuzz/gramfuzz/load/internal/iso"
	"github.com/gramfuzz/gramfuzz/load/internal/jsong"
	"github.com/gramfuzz/gramfuzz/load/internal/lark"
	"github.com/gramfuzz/gramfuzz/load/internal/treesitter"
	"github.com/gramfuzz/gramfuzz/load/internal/w3c"
)

// notations returns the table of all notations. To add a notation, add a line. Files with other
// extensions are recognized by their content (see detect).
func notations() []notation {
	return []notation{
		{"antlr4", ".g4", antlr4.Parse},
		{"abnf", ".abnf", abnf.Parse},
		{"gbnf", ".gbnf", gbnf.Parse},
		{"jsong", ".json", jsong.Parse},
		{"w3c", ".w3c", w3c.Parse},
		{"iso", ".iso", iso.Parse},
		{"ebnf", "", ebnf.Parse},
		{"bnf", "", bnf.Parse},
		{"tree-sitter", "", treesitter.Parse},
		{"lark", ".lark", lark.Parse},
		{"goebnf", "", goebnf.Parse},
	}
}

// Notations returns the names of all notations, sorted.
func Notations() []string {
	var names []string
	for _, n := range notations() {
		names = append(names, n.name)
	}
	slices.Sort(names)
	return names
}

// canonical returns the name of a notation given by its name or by the extension of its files.
func canonical(name string) string {
	switch name {
	case "g4":
		return "antlr4"
	case "json":
		return "jsong"
	}
	return name
}
