package w3c

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/load/internal/notation"
)

// Print writes a grammar in W3C EBNF. Tokens and layout, if the grammar has them, follow @terminals
// and @pass, or <?TOKENS?> if tokens may overlap. The diagnostics list the features that W3C EBNF
// cannot express: annotations, weights, lexer modes, bytes that are not UTF-8. The rest reads back
// with the same counts by bytes. Bounds such as {2,4} are written out. A literal with both kinds of
// quotes or with control characters becomes a sequence of literals.
func Print(g *grammar.Grammar) (string, grammar.Diagnostics) {
	p := notation.NewPrinter(notation.Target{
		Name: "W3C EBNF", Define: " ::= ", Or: " | ", Empty: "()", Diff: true,
		Legal: legal, Lit: literal, Class: class,
	}, g)
	p.ReportLosses(true)
	var b strings.Builder
	lexical := false
	var layout []string
	for _, r := range p.Rules() {
		if r.Kind.Lexical() {
			lexical = true
		} else {
			b.WriteString(p.Rule(r))
			if r.Glued {
				b.WriteString(" /* ws: explicit */")
			}
			b.WriteString("\n")
		}
		if r.Kind == grammar.Skip && !r.Inline {
			layout = append(layout, p.RuleName(r.Name))
		}
	}
	if !lexical {
		return b.String(), p.Lost
	}
	mark, definition := "@terminals", ""
	if g.ContextLexing { // only this dialect lets tokens overlap
		mark, definition, layout = "<?TOKENS?>", " /* ws: definition */", nil
	}
	b.WriteString("\n" + mark + "\n\n")
	for _, r := range p.Rules() {
		if !r.Kind.Lexical() {
			continue
		}
		b.WriteString(p.Rule(r))
		if r.Kind == grammar.Skip && !r.Inline {
			b.WriteString(definition)
		}
		b.WriteString("\n")
	}
	for _, l := range layout {
		b.WriteString("\n@pass " + l + "\n")
	}
	return b.String(), p.Lost
}

func legal(r rune, i int) bool {
	return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || r == '_' || i > 0 && ('0' <= r && r <= '9' || r == '-' || r == '.')
}

// literal writes printable ASCII in quotes and all other characters as code points.
func literal(text string) ([]string, string) {
	if !utf8.ValidString(text) {
		return nil, "it is not UTF-8"
	}
	var out []string
	for len(text) > 0 {
		if r, n := utf8.DecodeRuneInString(text); !quotable(r) {
			out, text = append(out, fmt.Sprintf("#x%X", r)), text[n:]
			continue
		}
		double, single := span(text, '"'), span(text, '\'')
		if double >= single {
			out, text = append(out, `"`+text[:double]+`"`), text[double:]
		} else {
			out, text = append(out, "'"+text[:single]+"'"), text[single:]
		}
	}
	return out, ""
}

func quotable(r rune) bool { return r >= ' ' && r != 0x7f && r <= '~' }

// span returns the number of bytes of text that fit between two quotes.
func span(text string, quote rune) int {
	for i, r := range text {
		if !quotable(r) || r == quote {
			return i
		}
	}
	return len(text)
}

func class(e *grammar.Expr) ([]string, string) { return notation.PrintClass(e, member) }

// member writes a letter unchanged and all other characters as code points. Letters that are
// hexadecimal digits also become code points, since they could be read as a part of a code point
// before them.
func member(r rune) string {
	if 'g' <= r && r <= 'z' || 'G' <= r && r <= 'Z' {
		return string(r)
	}
	return fmt.Sprintf("#x%X", r)
}
