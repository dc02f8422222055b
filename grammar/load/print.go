package load

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/grammar/abnf"
	"github.com/gramfuzz/gramfuzz/grammar/antlr4"
	"github.com/gramfuzz/gramfuzz/grammar/ebnf"
	"github.com/gramfuzz/gramfuzz/grammar/gbnf"
	"github.com/gramfuzz/gramfuzz/grammar/jsong"
	"github.com/gramfuzz/gramfuzz/grammar/w3c"
)

// printers is the one table of the notations that can be written. To add one,
// add a line.
func printers() map[string]func(*grammar.Grammar) (string, grammar.Diagnostics) {
	return map[string]func(*grammar.Grammar) (string, grammar.Diagnostics){
		"ebnf":   func(g *grammar.Grammar) (string, grammar.Diagnostics) { return ebnf.Print(g), nil },
		"antlr4": antlr4.Print,
		"abnf":   abnf.Print,
		"gbnf":   gbnf.Print,
		"jsong":  jsong.Print,
		"w3c":    w3c.Print,
	}
}

// Printable returns the names of the notations that [Print] writes, sorted.
func Printable() []string {
	var names []string
	for name := range printers() {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Print writes a frozen grammar in a notation; g4 and json are names too. The diagnostics list what cannot
// be said there and is left out; the error is not nil where there is no such
// notation.
func Print(g *grammar.Grammar, notation string) (string, grammar.Diagnostics, error) {
	p := printers()[canonical(notation)]
	if p == nil {
		return "", nil, fmt.Errorf("there is no notation %q to write; there are %s", notation, strings.Join(Printable(), ", "))
	}
	text, ds := p(g)
	return text, ds, nil
}
