package abnf

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/load/internal/notation"
)

// Print writes a grammar in ABNF. The diagnostics list the features that it cannot express:
// tokens, layout, annotations, weights, negated classes (written as the characters that they
// generate). The rest reads back with the same counts by bytes. If no character is above U+00FF,
// numeric values are octets, and characters from U+0080 on are written as their UTF-8 bytes.
func Print(g *grammar.Grammar) (string, grammar.Diagnostics) {
	w := writer{octets: !beyondFF(g)}
	p := notation.NewPrinter(notation.Target{
		Name: "ABNF", Define: " = ", Or: " / ", Empty: `""`, Fold: true,
		Legal: legal, Lit: w.literal, Class: w.class, Rep: repetition,
	}, g)
	p.ReportLosses(false)
	var b strings.Builder
	for _, r := range p.Rules() {
		b.WriteString(p.Rule(r) + "\n")
	}
	return b.String(), p.Lost
}

func legal(r rune, i int) bool {
	return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || i > 0 && ('0' <= r && r <= '9' || r == '-')
}

// beyondFF reports whether the grammar generates a character above U+00FF.
func beyondFF(g *grammar.Grammar) bool {
	above := grammar.NewSet(grammar.Range{Lo: 0x100, Hi: utf8.MaxRune})
	for _, e := range g.Exprs {
		if e.Op == grammar.Class && e.Gen.Intersect(above).Len() > 0 {
			return true
		}
	}
	return false
}

type writer struct{ octets bool }

// literal writes printable ASCII in quotes and all other characters as values.
func (w writer) literal(text string) ([]string, string) {
	if !w.octets && !utf8.ValidString(text) {
		return nil, "it is not UTF-8, and other values are code points"
	}
	var out []string
	for len(text) > 0 {
		n := 0
		for n < len(text) && text[n] >= ' ' && text[n] <= '~' && text[n] != '"' {
			n++
		}
		if n > 0 {
			quoted := `"` + text[:n] + `"`
			if strings.ToLower(text[:n]) != strings.ToUpper(text[:n]) {
				quoted = "%s" + quoted
			}
			out, text = append(out, quoted), text[n:]
			continue
		}
		var values []string
		for len(text) > 0 && (text[0] < ' ' || text[0] > '~' || text[0] == '"') {
			r, size := rune(text[0]), 1
			if !w.octets {
				r, size = utf8.DecodeRuneInString(text)
			}
			values, text = append(values, fmt.Sprintf("%02X", r)), text[size:]
		}
		out = append(out, "%x"+strings.Join(values, "."))
	}
	return out, ""
}

func (w writer) class(e *grammar.Expr) (alts []string, reason string) {
	if e.Negated {
		reason = "it is negated; written are the characters that it generates"
	}
	for _, r := range e.Gen.Ranges() {
		if !w.octets || r.Hi < 0x80 {
			alts = append(alts, span(r.Lo, r.Hi))
			continue
		}
		if r.Lo < 0x80 {
			alts, r.Lo = append(alts, span(r.Lo, 0x7f)), 0x80
		}
		// A character is two bytes in UTF-8. The first byte is C2 up to U+00BF, and C3 above.
		for _, lead := range []rune{0xc2, 0xc3} {
			base := (lead - 0xc2) * 0x40
			lo, hi := max(r.Lo, base+0x80), min(r.Hi, base+0xbf)
			if lo <= hi {
				alts = append(alts, fmt.Sprintf("%%x%X %s", lead, span(lo-base, hi-base)))
			}
		}
	}
	if len(alts) == 0 {
		return nil, "it has no members"
	}
	if len(alts) == 1 && strings.Contains(alts[0], " ") {
		alts[0] = "(" + alts[0] + ")"
	}
	return alts, reason
}

func span(lo, hi rune) string {
	if lo == hi {
		return fmt.Sprintf("%%x%02X", lo)
	}
	return fmt.Sprintf("%%x%02X-%02X", lo, hi)
}

func repetition(atom string, min, max int) string {
	switch {
	case min == 0 && max == 1:
		return "[" + atom + "]"
	case min == max:
		return fmt.Sprintf("%d%s", min, atom)
	case min == 0 && max < 0:
		return "*" + atom
	case max < 0:
		return fmt.Sprintf("%d*%s", min, atom)
	case min == 0:
		return fmt.Sprintf("*%d%s", max, atom)
	}
	return fmt.Sprintf("%d*%d%s", min, max, atom)
}
