package bnf

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/load/internal/notation"
)

var flat = &notation.Flat{
	Name: "BNF",
	Legal: func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("_-", r) {
			return r
		}
		return '_'
	},
	Lit: literal,
}

// Print writes a grammar in BNF, with every symbol in quotes. Groups, classes and repetitions
// become helper rules. The diagnostics list the features that BNF cannot express: tokens, layout,
// annotations, weights, characters that begin a line, bytes that are not UTF-8, very large classes
// and bounds, unbounded repetitions of elements that may be empty. The rest reads back with the
// same counts by bytes.
func Print(g *grammar.Grammar) (string, grammar.Diagnostics) {
	rules, lost := flat.Rules(g)
	var b strings.Builder
	for _, r := range rules {
		b.WriteString(r.Name + " ::=")
		for i, a := range r.Alts {
			if i > 0 {
				b.WriteString(" |")
			}
			tokens := a.Tokens
			if len(tokens) == 0 {
				tokens = []string{`""`}
			}
			b.WriteString(" " + strings.Join(tokens, " "))
		}
		b.WriteString("\n")
	}
	return b.String(), lost
}

// literal writes a text as symbols in quotes. A text with both kinds of quotes takes several
// symbols.
func literal(text string) (tokens []string, reason string) {
	if !utf8.ValidString(text) {
		return nil, "it is not UTF-8"
	}
	if strings.ContainsAny(text, "\r\n") {
		return nil, "it has a line break"
	}
	for text != "" {
		quote := `"`
		if text[0] == '"' {
			quote = "'"
		}
		n := strings.Index(text, quote)
		if n < 0 {
			n = len(text)
		}
		tokens, text = append(tokens, quote+text[:n]+quote), text[n:]
	}
	return tokens, ""
}
