package gbnf

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/load/internal/notation"
)

// Print writes a grammar in GBNF, its start as root. The diagnostics
// list what cannot be said there: tokens, layout, annotations, weights, bytes
// that are not UTF-8. What is left reads back with the same counts by bytes.
func Print(g *grammar.Grammar) (string, grammar.Diagnostics) {
	p := notation.NewPrinter(notation.Target{
		Name: "GBNF", Define: " ::= ", Or: " | ", Empty: `""`,
		Start: "root", Legal: legal, Lit: literal, Class: class, Rep: repetition,
	}, g)
	p.ReportLosses(false)
	var b strings.Builder
	for _, r := range p.Rules() {
		b.WriteString(p.Rule(r) + "\n")
	}
	return b.String(), p.Lost
}

func legal(r rune, i int) bool {
	return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '-' && i > 0
}

func literal(text string) ([]string, string) {
	if !utf8.ValidString(text) {
		return nil, "it is not UTF-8"
	}
	var b strings.Builder
	for _, r := range text {
		b.WriteString(escaped(r, `"\`))
	}
	return []string{`"` + b.String() + `"`}, ""
}

func class(e *grammar.Expr) ([]string, string) {
	return notation.PrintClass(e, func(r rune) string { return escaped(r, `^-\[]`) })
}

// escaped writes one character so that it stands for itself beside specials.
func escaped(r rune, specials string) string {
	switch {
	case r == '\n':
		return `\n`
	case r == '\r':
		return `\r`
	case r == '\t':
		return `\t`
	case strings.ContainsRune(`\"[]`, r) && strings.ContainsRune(specials, r):
		return `\` + string(r)
	case strings.ContainsRune(specials, r) || r < ' ' || r == 0x7f:
		return fmt.Sprintf(`\x%02X`, r)
	case r > 0xffff:
		return fmt.Sprintf(`\U%08X`, r)
	case r > 0x7e:
		return fmt.Sprintf(`\u%04X`, r)
	}
	return string(r)
}

func repetition(atom string, min, max int) string {
	switch {
	case min == 0 && max == 1:
		return atom + "?"
	case min == 0 && max < 0:
		return atom + "*"
	case min == 1 && max < 0:
		return atom + "+"
	case max < 0:
		return fmt.Sprintf("%s{%d,}", atom, min)
	case min == max:
		return fmt.Sprintf("%s{%d}", atom, min)
	}
	return fmt.Sprintf("%s{%d,%d}", atom, min, max)
}
