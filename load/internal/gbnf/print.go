package gbnf

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/load/internal/notation"
)

// Print writes a grammar in GBNF, with its start called root. The diagnostics list the features
// that GBNF cannot express: tokens, layout, annotations, weights, bytes that are not UTF-8. The
// rest reads back with the same counts by bytes.
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

var escapes = notation.Escapes{Control: `\x%02X`, Short: `\u%04X`, Long: `\U%08X`}

// escaped writes one character so that it represents itself where specials have a meaning. GBNF
// allows a backslash before four characters only, so other specials are written by their numbers.
func escaped(r rune, specials string) string {
	if strings.ContainsRune(specials, r) && !strings.ContainsRune(`\"[]`, r) {
		return fmt.Sprintf(escapes.Control, r)
	}
	return escapes.Char(r, specials)
}

func repetition(atom string, min, max int) string { return atom + notation.Bounds(min, max) }
