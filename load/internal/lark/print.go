package lark

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/load/internal/notation"
	"github.com/gramfuzz/gramfuzz/load/internal/syntax"
)

// Print writes a grammar for Lark. Tokens become terminals with names in capitals, layout is
// ignored, and labels become aliases. Indentation is left to Lark's Indenter, which needs the
// names …NEWLINE, …INDENT and …DEDENT. Only the start may derive the empty text. Other rules are
// written without it, and references to them are optional instead. The diagnostics list the losses:
// annotations, weights, lexer modes, bytes that are not UTF-8. The rest reads back with the same
// counts by bytes.
func Print(g *grammar.Grammar) (string, grammar.Diagnostics) {
	w := &writer{g: g, terminal: notation.NewPrinter(notation.Target{Legal: legal}, g).Terminals()}
	for _, r := range g.Rules {
		w.newline = w.newline || isNewline(r)
	}
	t := notation.Target{
		Name: "Lark", Define: ": ", Or: " | ", Empty: "()", Start: "start",
		Legal: legal, Spell: w.spell, Lit: literal, Class: class, Rep: repetition,
	}
	w.Printer = notation.NewPrinter(t, g)
	var b strings.Builder
	if w.entered = w.Entered() || w.terminal[g.Start]; w.entered { // the start of Lark must be a rule
		t.Start = ""
		w.Printer = notation.NewPrinter(t, g)
		b.WriteString("start: " + w.RuleName(g.Start.Name))
		if w.Nullable(g.Start) {
			b.WriteString("?")
		}
		b.WriteString("\n")
	}
	w.ReportAll(notation.Can{Tokens: true, Indentation: true})
	for _, r := range w.Rules() {
		w.rule(&b, r)
	}
	for _, r := range w.Rules() {
		switch {
		case r.Kind != grammar.Skip || r.Inline || w.elsewhere(r) || w.NonEmpty(r, false) == nil:
		case w.terminal[r]:
			b.WriteString("%ignore " + w.RuleName(r.Name) + "\n")
		default:
			w.Lose(r, r.Pos, "lost-layout", fmt.Sprintf("that %q, which is not a terminal, may stand between tokens", r.Name), "refer to it wherever layout may stand")
		}
	}
	var declared []string // names for %declare
	for _, e := range g.Exprs {
		if name := w.RuleName(e.Name); e.Op == grammar.Ref && w.elsewhere(e.Rule) && !slices.Contains(declared, name) {
			declared = append(declared, name)
		}
	}
	if declared != nil {
		b.WriteString("%declare " + strings.Join(declared, " ") + "\n")
	}
	return b.String(), w.Lost
}

type writer struct {
	*notation.Printer
	g        *grammar.Grammar
	terminal map[*grammar.Rule]bool
	newline  bool // lines have a meaning
	entered  bool // an extra rule start refers to the grammar's start
}

// elsewhere reports whether references to a rule need no written definition.
func (w *writer) elsewhere(r *grammar.Rule) bool {
	return r == nil || r.Body.Silent || r.Kind.Lexical() && derivesNothing(w.g, r)
}

// derivesNothing reports whether a rule derives no text, not even the empty one.
func derivesNothing(g *grammar.Grammar, r *grammar.Rule) bool {
	f := g.Facts(nil, grammar.Exact)
	return !f.Nullable(r.Body) && !f.CanBeNonEmpty(r.Body)
}

// rule writes the definition of a rule, if it needs one.
func (w *writer) rule(b *strings.Builder, r *grammar.Rule) {
	whole := r == w.g.Start && !w.entered
	body := w.NonEmpty(r, whole)
	switch {
	case w.elsewhere(r), body == nil:
		return
	case r.Kind.Lexical() && !w.terminal[r] && !r.Inline:
		w.Lose(r, r.Pos, "lost-token", fmt.Sprintf("that %q, which leads to itself, is a token", r.Name), "written is a rule; layout may stand between its parts")
	case isNewline(r) && !brackets(r):
		w.Lose(r, r.Pos, "lost-indentation", "that lines have no meaning between brackets other than ( ), [ ] and { }", "write an Indenter that knows them")
	case r.Glued:
		w.Lose(r, r.Pos, "lost-context", fmt.Sprintf("that no layout stands in %q", r.Name), "make it a token, if it is regular")
	}
	head := w.RuleName(r.Name)
	if r.Priority != 0 {
		head += fmt.Sprintf(".%d", r.Priority)
	}
	if body.Op != grammar.Choice || body.Labels == nil || w.terminal[r] {
		fmt.Fprintf(b, "%s: %s\n", head, w.Body(r, body))
		return
	}
	for i, k := range body.Children {
		sep := "\n    | "
		if i == 0 {
			sep = head + ": "
		}
		b.WriteString(sep + w.Body(r, k))
		if label := body.Labels[i]; label != "" {
			b.WriteString(" -> " + w.alias(label))
		}
	}
	b.WriteString("\n")
}

func legal(r rune, i int) bool {
	return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || r == '_' || i > 0 && '0' <= r && r <= '9'
}

// alias spells a label.
func (w *writer) alias(label string) string {
	out := strings.Map(func(r rune) rune {
		if legal(r, 1) {
			return unicode.ToLower(r)
		}
		return '_'
	}, label)
	return spelt(out, "a")
}

// spelt makes name legal in Lark, with at most one _ before its first letter. If it begins with no
// letter, letter is put in front.
func spelt(name, letter string) string {
	rest := strings.TrimLeft(name, "_")
	if rest == "" || !legal(rune(rest[0]), 0) {
		rest = letter + rest
	}
	if strings.HasPrefix(name, "_") {
		return "_" + rest
	}
	return rest
}

// spell writes names of terminals in capitals and names of rules in lower case.
func (w *writer) spell(r *grammar.Rule, name string) string {
	end := ""
	switch {
	case r == nil, r.Kind.Lexical() && derivesNothing(w.g, r):
	case r.Body.Silent:
		end = strings.ToUpper(r.Commands[0].Name)
	case isNewline(r):
		end = "NEWLINE"
	case !w.terminal[r]:
		if name = spelt(strings.ToLower(name), "r"); name == "start" && w.entered {
			return "start_rule"
		}
		return name
	}
	name = spelt(strings.ToUpper(name), "T")
	if end != "" && !strings.HasSuffix(name, end) {
		return name + "_" + end
	}
	if end == "" && w.newline && (strings.HasSuffix(name, "NEWLINE") || strings.HasSuffix(name, "NL")) {
		return name + "_TOKEN" // only the token that ends lines may have a name …NEWLINE
	}
	return name
}

// isNewline reports whether a rule is the token that ends lines.
func isNewline(r *grammar.Rule) bool {
	return slices.ContainsFunc(r.Commands, func(c grammar.Command) bool { return c.Name == "newline" })
}

func literal(text string) ([]string, string) {
	if !utf8.ValidString(text) {
		return nil, "it is not UTF-8"
	}
	var b strings.Builder
	for _, r := range text {
		b.WriteString(escapes.Char(r, `"\`))
	}
	return []string{`"` + b.String() + `"`}, ""
}

// class writes a class as a regular expression.
func class(e *grammar.Expr) ([]string, string) {
	if slices.ContainsFunc(e.Ranges, func(r grammar.Range) bool { return r.Lo < 0 || r.Hi > unicode.MaxRune }) {
		return nil, "it holds more than characters"
	}
	parts, reason := notation.PrintClass(e, func(r rune) string { return escapes.Char(r, `\]^-/[&~|`) })
	if reason != "" {
		return nil, reason
	}
	if parts[0] == "." {
		return []string{"/./s"}, ""
	}
	return []string{"/" + parts[0] + "/"}, ""
}

// escapes has the escapes of Python's strings and regular expressions.
var escapes = notation.Escapes{Control: `\x%02x`, Short: `\u%04x`, Long: `\U%08x`}

func repetition(atom string, min, max int) string {
	suffix := notation.Suffix(min, max)
	switch {
	case suffix != "":
		return atom + suffix
	case max < 0:
		return fmt.Sprintf("(%s~%d %s*)", atom, min, atom)
	case min == max:
		return fmt.Sprintf("%s~%d", atom, min)
	}
	return fmt.Sprintf("%s~%d..%d", atom, min, max)
}

// brackets reports whether lines have no meaning inside the usual brackets and only there.
func brackets(r *grammar.Rule) bool {
	var args []string
	for _, c := range r.Commands {
		if c.Name == "open" || c.Name == "close" {
			args = append(args, c.Arg)
		}
	}
	return slices.Equal(args, syntax.Brackets)
}
