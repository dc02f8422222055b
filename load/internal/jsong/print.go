package jsong

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/load/internal/notation"
)

// flat describes the notation to the common printer.
var flat = &notation.Flat{
	Name: "JSON", Start: "start", Weights: true,
	Legal: func(r rune) rune {
		if strings.ContainsRune("<> ", r) {
			return '-'
		}
		return r
	},
	Lit: func(text string) ([]string, string) {
		if !utf8.ValidString(text) {
			return nil, "it is not UTF-8"
		}
		return []string{text}, ""
	},
}

// Print writes a grammar in JSON, with alternatives as lists. Groups, classes and repetitions
// become helper rules. The diagnostics list the features that JSON cannot express: tokens, layout,
// annotations, bytes that are not UTF-8, very large classes and bounds, unbounded repetitions of
// elements that may be empty. The rest reads back with the same counts by bytes.
func Print(g *grammar.Grammar) (string, grammar.Diagnostics) {
	rules, lost := flat.Rules(g)
	var b strings.Builder
	b.WriteString("{\n")
	for i, r := range rules {
		fmt.Fprintf(&b, "  %s: [\n", quote(r.Name))
		for j, a := range r.Alts {
			line := "[" + joinQuoted(a.Tokens) + "]"
			if a.Prob > 0 {
				line = fmt.Sprintf("[%s, {\"prob\": %v}]", line, a.Prob) // with all digits, since rounded probabilities may not add up to 1
			}
			b.WriteString("    " + line + comma(j < len(r.Alts)-1))
		}
		b.WriteString("  ]" + comma(i < len(rules)-1))
	}
	b.WriteString("}\n")
	return b.String(), lost
}

func comma(more bool) string {
	if more {
		return ",\n"
	}
	return "\n"
}

func joinQuoted(tokens []string) string {
	out := make([]string, len(tokens))
	for i, t := range tokens {
		out[i] = quote(t)
	}
	return strings.Join(out, ", ")
}

func quote(text string) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(text); err != nil { // never happens for a string
		panic(err)
	}
	return strings.TrimSpace(b.String())
}
