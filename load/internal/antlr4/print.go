package antlr4

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gramfuzz/gramfuzz/grammar"
)

// Print writes a grammar as a combined ANTLR 4 grammar, or as a lexer grammar if it has only
// lexer rules. The diagnostics list the features that ANTLR cannot express or would not accept:
// annotations, weights, bytes that are not characters, modes beside parser rules, indirect left
// recursion, …
//
// Token bodies are written as in their file (Rule.Written), since ANTLR's lexer excludes
// shadowed texts itself. In a grammar without tokens, every character becomes its own token.
// Overlapping classes are then cut into disjoint lexer rules, which keeps the language. The
// start rule is followed by EOF.
func Print(g *grammar.Grammar) (string, grammar.Diagnostics) {
	p := &printer{g: g, facts: g.Facts(nil, grammar.Exact), own: g.Notation == "antlr4"}
	p.arrange()
	p.nameRules()
	p.reportLosses()
	var b strings.Builder
	kind := ""
	if len(p.syntax) == 0 {
		kind = "lexer "
	}
	fmt.Fprintf(&b, "%sgrammar %s;\n", kind, grammarName(g.Name))
	p.declareTypes(&b)
	if entry := p.entryRule(); entry != "" {
		b.WriteString("\n" + entry)
	}
	for _, r := range p.syntax {
		b.WriteString("\n" + p.syntaxRule(r))
	}
	for _, a := range p.atoms {
		if a.name != "" {
			fmt.Fprintf(&b, "\n%s\n    : %s\n    ;\n", a.name, a.set())
		}
	}
	mode := ""
	for _, group := range p.lexical {
		if m := group[0].Mode; m != mode {
			fmt.Fprintf(&b, "\nmode %s;\n", p.modeText(m))
			mode = m
		}
		b.WriteString("\n" + p.lexRule(group))
	}
	p.ds.Sort()
	return b.String(), p.ds
}

// printer writes one grammar.
type printer struct {
	g     *grammar.Grammar
	facts *grammar.Facts
	own   bool // read from ANTLR; rules that the reader added are undone

	syntax  []*grammar.Rule
	lexical [][]*grammar.Rule // a group holds the parts of one lexer rule
	names   map[*grammar.Rule]string
	types   []string // types without a rule
	atoms   []atom   // sets of characters in parser rules
	ds      grammar.Diagnostics
}

func (p *printer) lose(sev grammar.Severity, pos grammar.Pos, code, rule, message, hint string) {
	p.ds = append(p.ds, grammar.Diagnostic{Severity: sev, Pos: pos, Code: code, Rule: rule, Message: message, Hint: hint})
}

// body returns the expression written for r.
func (p *printer) body(r *grammar.Rule) *grammar.Expr {
	if r.Written != nil && !holds(r.Written, grammar.Diff) {
		return r.Written
	}
	return r.Body
}

func holds(e *grammar.Expr, op grammar.Op) bool {
	found := false
	e.Walk(func(e *grammar.Expr) { found = found || e.Op == op })
	return found
}

// arrange determines the rules to write, and their order.
func (p *printer) arrange() {
	wanted := p.wanted()
	var lexical [][]*grammar.Rule
	groups := map[string]int{}
	for _, r := range p.g.Rules {
		base, role := p.split(r.Name)
		if t := typeOf(r); t != "" && p.g.Rule(t) == nil && !slices.Contains(p.types, t) {
			p.types = append(p.types, t)
		}
		switch {
		case !wanted[r] || role == "text" || role == "type" || r.Inline && p.isSet(r):
		case r.Kind == grammar.Syntax:
			p.syntax = append(p.syntax, r)
		case role != "":
			i := groups[base]
			lexical[i] = append(lexical[i], r)
		default:
			groups[r.Name] = len(lexical)
			lexical = append(lexical, []*grammar.Rule{r})
		}
	}
	modes := []string{""}
	for _, group := range lexical {
		if !slices.Contains(modes, group[0].Mode) {
			modes = append(modes, group[0].Mode)
		}
	}
	for _, m := range modes {
		for _, group := range lexical {
			if group[0].Mode == m {
				p.lexical = append(p.lexical, group)
			}
		}
	}
	if len(lexical) == 0 {
		p.cutIntoAtoms()
	} else {
		p.classRules()
	}
	if len(modes) > 1 && len(p.syntax) > 0 {
		first := p.firstIn(modes[1])
		p.lose(grammar.Error, first.Pos, "modes", first.Name, "a combined grammar has no modes",
			"move the lexer rules into a file of their own, as a lexer grammar, and name it in options { tokenVocab = …; }")
	}
}

func (p *printer) firstIn(mode string) *grammar.Rule {
	for _, group := range p.lexical {
		if group[0].Mode == mode {
			return group[0]
		}
	}
	return nil
}

// wanted returns the rules of a file and the helpers that they use.
func (p *printer) wanted() map[*grammar.Rule]bool {
	wanted := map[*grammar.Rule]bool{}
	var todo []*grammar.Rule
	add := func(r *grammar.Rule) {
		if r != nil && !wanted[r] {
			wanted[r] = true
			todo = append(todo, r)
		}
	}
	for _, r := range p.g.Rules {
		if !r.Inline {
			add(r)
		}
	}
	for len(todo) > 0 {
		r := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		p.body(r).Walk(func(e *grammar.Expr) {
			if e.Op == grammar.Ref {
				add(p.g.Rule(e.Name))
			}
		})
	}
	return wanted
}

// split parses the name of a rule made by the reader: X'2 is part 2 of X, X'text its text, and
// X'type its type.
func (p *printer) split(name string) (base, role string) {
	if !p.own || strings.HasPrefix(name, "'") || strings.HasPrefix(name, "~") {
		return name, ""
	}
	base, role, _ = strings.Cut(name, "'")
	return base, role
}

// isSet reports whether r is a token set, which is written inline.
func (p *printer) isSet(r *grammar.Rule) bool {
	return p.own && (r.Name == "." || strings.HasPrefix(r.Name, "~"))
}

// typeOf returns the token type set by a command of r, or "".
func typeOf(r *grammar.Rule) string {
	for _, c := range r.Commands {
		if c.Name == "type" {
			return c.Arg
		}
	}
	return ""
}

func (p *printer) declareTypes(b *strings.Builder) {
	if len(p.types) > 0 {
		fmt.Fprintf(b, "\ntokens { %s }\n", strings.Join(p.types, ", "))
	}
}

func (p *printer) modeText(mode string) string {
	if mode == "" {
		return "DEFAULT_MODE"
	}
	return mode
}

// entryRule returns a rule that puts EOF after the start rule, if other rules use the start rule.
// Otherwise it returns "", and the start rule itself ends in EOF.
func (p *printer) entryRule() string {
	if !p.startIsUsed() {
		return ""
	}
	name := "entry"
	for p.taken(name) {
		name += "_"
	}
	return fmt.Sprintf("%s\n    : %s EOF\n    ;\n", name, p.names[p.g.Start])
}

func (p *printer) taken(name string) bool {
	for _, n := range p.names {
		if n == name {
			return true
		}
	}
	return false
}

func (p *printer) startIsUsed() bool {
	used := false
	for _, r := range p.syntax {
		p.body(r).Walk(func(e *grammar.Expr) {
			used = used || e.Op == grammar.Ref && p.g.Rule(e.Name) == p.g.Start
		})
	}
	return used && p.g.Start.Kind == grammar.Syntax
}

// syntaxRule writes a parser rule.
func (p *printer) syntaxRule(r *grammar.Rule) string {
	body := p.body(r)
	end := ""
	if r == p.g.Start && !p.startIsUsed() {
		end = " EOF"
	}
	alts := []*grammar.Expr{body}
	labelled := false
	if body.Op == grammar.Choice {
		alts = body.Children
		labelled = p.own && body.Labels != nil && !slices.Contains(body.Labels, "")
	}
	lines := make([]string, len(alts))
	carried := carries(r, body)
	for i, a := range alts {
		lines[i] = strings.TrimPrefix(p.expr(a, inAlt, false)+end, " ")
		if carried && rightward(a) {
			lines[i] = "<assoc=right> " + lines[i]
		}
		if labelled {
			lines[i] += " # " + body.Labels[i]
		}
	}
	return ruleText(p.names[r], lines)
}

// lexRule writes a lexer rule of one or more parts.
func (p *printer) lexRule(parts []*grammar.Rule) string {
	var lines []string
	for _, r := range parts {
		body := p.body(r)
		commands := p.commands(r)
		switch {
		case body.Op == grammar.Choice && (commands == "" || len(parts) > 1):
			for _, a := range body.Children {
				lines = append(lines, p.expr(a, inAlt, true)+commands)
			}
		case commands == "":
			lines = append(lines, p.expr(body, inAlt, true))
		default: // a command belongs to one alternative
			lines = append(lines, p.expr(body, inSeq, true)+commands)
		}
	}
	name := p.names[parts[0]]
	if parts[0].Kind == grammar.Fragment || parts[0].Inline {
		name = "fragment " + name
	}
	return ruleText(name, lines)
}

func ruleText(name string, alts []string) string {
	for i, a := range alts {
		if i > 0 && a != "" {
			alts[i] = " " + a
		}
	}
	text := strings.Join(alts, "\n    |")
	if text != "" {
		text = " " + text
	}
	return fmt.Sprintf("%s\n    :%s\n    ;\n", name, text)
}

// commands returns the command suffix of an alternative of the rule.
func (p *printer) commands(r *grammar.Rule) string {
	var out []string
	hides := false
	for _, c := range r.Commands {
		arg := c.Arg
		switch c.Name {
		case "skip":
			hides = true
		case "channel":
			hides = true
			if arg != "DEFAULT_TOKEN_CHANNEL" && arg != "0" {
				arg = "HIDDEN" // a combined grammar cannot declare its own channels
			}
		case "mode", "pushMode":
			arg = p.modeText(arg)
		case "indent", "dedent", "newline", "open", "close":
			if c.Name != "open" && c.Name != "close" {
				p.lose(grammar.Warning, r.Pos, "indentation", r.Name, fmt.Sprintf("the indentation of which %q is a token is left out", r.Name), "write it as code of the lexer")
			}
			continue
		}
		if arg != "" {
			arg = "(" + arg + ")"
		}
		out = append(out, c.Name+arg)
	}
	if r.Kind == grammar.Skip && !hides {
		out = append(out, "skip")
	}
	if len(out) == 0 {
		return ""
	}
	return " -> " + strings.Join(out, ", ")
}
