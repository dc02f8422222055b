package antlr4

import (
	"fmt"
	"unicode"
	"unicode/utf8"

	"github.com/alecthomas/participle/v2/lexer"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/load/internal/syntax"
)

// builder makes the rule graph of a grammar. It begins with the lexer rules, because the meaning of
// names and literals in parser rules depends on them.
type builder struct {
	combined bool // literals in parser rules may be implicit tokens
	fold     bool // caseInsensitive of the grammar with the parser rules
	notes    notes
	ds       grammar.Diagnostics

	lexRules []*lexRule
	lexNames map[string]*lexRule
	lexRefs  map[string]bool // lexer rules that others use as a part
	modes    map[string]bool

	producers map[string][]string // by token type: the names of rules that produce it
	aliases   map[string]string   // by text: the token type

	implicit     []string                // texts of implicit tokens, in order
	implicitRule map[string]*syntax.Rule // the implicit tokens that became rules, by text
	ends         map[string]bool         // parser rules that name EOF
	eofs         map[*syntax.Expr]bool   // EOF in these
	helpers      []*helper
	helperNames  map[string]bool
	warned       map[string]bool
}

// place is the context of a conversion within its rule.
type place struct {
	rule string
	fold bool
}

func newBuilder(combined, fold bool) *builder {
	return &builder{
		combined: combined, fold: fold,
		lexNames: map[string]*lexRule{}, lexRefs: map[string]bool{}, modes: map[string]bool{"": true},
		producers: map[string][]string{}, aliases: map[string]string{},
		implicitRule: map[string]*syntax.Rule{}, helperNames: map[string]bool{}, warned: map[string]bool{}, ends: map[string]bool{}, eofs: map[*syntax.Expr]bool{},
	}
}

// sourceRule is a rule and whether its letters fold case by default.
type sourceRule struct {
	*unitRule
	fold bool
}

// build makes the rules of the grammar, in the order of the files.
func (b *builder) build(rules []sourceRule) []*syntax.Rule {
	for _, r := range rules {
		if r.lexical() {
			b.addLexRule(r)
		}
	}
	twins := b.textTwins()
	b.checkModes()
	b.settleTypes()
	out := make([]*syntax.Rule, 0, len(rules)+len(twins))
	firstLexical, nextLex := -1, 0
	for _, r := range rules {
		if !r.lexical() {
			out = append(out, b.syntaxRule(r))
			continue
		}
		if firstLexical < 0 {
			firstLexical = len(out)
		}
		for _, p := range b.lexRules[nextLex].parts {
			out = append(out, p.rule)
		}
		nextLex++
	}
	out = b.insertImplicit(out, firstLexical)
	out = append(out, twins...)
	return append(out, b.finishHelpers()...)
}

// entry returns the name of the intended start rule. That is the first parser rule if it names EOF;
// otherwise the first unused rule that names EOF, or else the first rule that names EOF, or else
// the first unused rule. This is right for 97 % of 390 grammars of grammars-v4 with a known start
// rule. The first rule is the start in 91 % of them.
func (b *builder) entry(rules []*syntax.Rule) string {
	used := map[string]bool{}
	var parserRules []string
	for _, r := range rules {
		if r.Kind != grammar.Syntax || r.Inline {
			continue
		}
		parserRules = append(parserRules, r.Name)
		r.Body.Walk(func(e *syntax.Expr) {
			if e.Op == grammar.Ref && e.Name != r.Name {
				used[e.Name] = true
			}
		})
	}
	for _, fits := range []func(i int) bool{
		func(i int) bool { return i == 0 && b.ends[parserRules[i]] },
		func(i int) bool { return b.ends[parserRules[i]] && !used[parserRules[i]] },
		func(i int) bool { return b.ends[parserRules[i]] },
		func(i int) bool { return !used[parserRules[i]] },
	} {
		for i := range parserRules {
			if fits(i) {
				return parserRules[i]
			}
		}
	}
	return ""
}

// insertImplicit inserts the implicit tokens that became rules before all other lexer rules.
func (b *builder) insertImplicit(rules []*syntax.Rule, at int) []*syntax.Rule {
	if at < 0 {
		at = len(rules)
	}
	var first []*syntax.Rule
	for _, text := range b.implicit {
		if r := b.implicitRule[text]; r != nil {
			first = append(first, r)
		}
	}
	out := append([]*syntax.Rule{}, rules[:at]...)
	return append(append(out, first...), rules[at:]...)
}

// report adds a diagnostic about the rule of p.
func (b *builder) report(sev grammar.Severity, p place, pos lexer.Position, code, hint, format string, args ...any) {
	b.ds = append(b.ds, grammar.Diagnostic{Severity: sev, Pos: position(pos), Code: code, Rule: p.rule,
		Message: fmt.Sprintf(format, args...), Hint: hint})
}

// reporter returns a complain function for a literal or set that begins at pos.
func (b *builder) reporter(p place, pos lexer.Position) complain {
	return func(sev grammar.Severity, col int, code, message, hint string) {
		at := pos
		at.Column += col
		b.report(sev, p, at, code, hint, "%s", message)
	}
}

// isTokenName reports whether a name belongs to the lexer.
func isTokenName(name string) bool {
	r, _ := utf8.DecodeRuneInString(name)
	return unicode.IsUpper(r)
}

// repeat applies the suffix of element e to its expression x.
func repeat(e *element, x *syntax.Expr) *syntax.Expr {
	min, max := 0, grammar.Unbounded
	switch e.Suffix {
	case 0:
		return x
	case '?':
		max = 1
	case '+':
		min = 1
	}
	rep := syntax.NewRep(position(e.Pos), x, min, max)
	rep.Lazy = e.Lazy
	return rep
}

// nothing returns an expression without derivations.
func nothing(pos lexer.Position) *syntax.Expr { return syntax.NewClass(position(pos), false) }

// ignoredElement reports whether e is code, which the graph omits, and records it.
func (b *builder) ignoredElement(e *element) bool {
	switch {
	case e.Kind == elAction:
		b.notes.add(noteAction, position(e.Pos))
	case e.Kind == elPredicate:
		b.notes.add(notePredicate, position(e.Pos))
	default:
		if e.Args {
			b.notes.add(noteArgs, position(e.Pos))
		}
		return false
	}
	return true
}
