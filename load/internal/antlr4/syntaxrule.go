package antlr4

import (
	"fmt"
	"strings"

	"github.com/alecthomas/participle/v2/lexer"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/load/internal/syntax"
)

// helper is an inline rule for a set of token types. It gets its body when all types are known.
type helper struct {
	rule    *syntax.Rule
	only    string          // the set of all rules that produce this type
	without map[string]bool // otherwise the set of all types but these
}

// syntaxRule converts a parser rule.
func (b *builder) syntaxRule(r sourceRule) *syntax.Rule {
	p := place{rule: r.Name.Value}
	body := b.syntaxAlts(p, r.Body)
	if len(r.Body.Alts) > 1 {
		annotatePrecedences(p.rule, r.Body.Alts, body)
	}
	return &syntax.Rule{Name: p.rule, Pos: r.pos(), Kind: grammar.Syntax, Body: body}
}

// syntaxAlts converts alternatives of a parser rule.
func (b *builder) syntaxAlts(p place, l *altList) *syntax.Expr {
	children := make([]*syntax.Expr, len(l.Alts))
	labels := make([]string, len(l.Alts))
	labelled := false
	for i, a := range l.Alts {
		var seq []*syntax.Expr
		for _, e := range a.Elements {
			if !b.ignoredElement(e) {
				seq = append(seq, repeat(e, b.syntaxElement(p, e)))
			}
		}
		children[i] = syntax.NewSeq(position(a.Pos), seq...)
		labels[i] = a.Label
		labelled = labelled || a.Label != ""
		if len(a.Commands) > 0 {
			b.report(grammar.Error, p, a.Commands[0].Pos, "bad-command", "commands belong to lexer rules, whose names begin with a capital letter",
				"the command %q in parser rule %q", a.Commands[0].Name, p.rule)
		}
	}
	x := syntax.NewChoice(position(l.Alts[0].Pos), children...)
	if labelled && len(children) > 1 {
		x.Labels = labels
	}
	return x
}

// syntaxElement converts an element of a parser rule without its suffix.
func (b *builder) syntaxElement(p place, e *element) *syntax.Expr {
	if e.Not {
		return b.tokenSet(p, e)
	}
	switch e.Kind {
	case elLiteral:
		return b.syntaxLiteral(p, e)
	case elAny:
		return b.helperRef(e.Pos, ".", &helper{})
	case elBlock:
		return b.syntaxAlts(p, e.Block)
	case elRef:
		if e.Text == "EOF" {
			b.ends[p.rule] = true
			end := syntax.NewSeq(position(e.Pos))
			b.eofs[end] = true
			return end
		}
		if isTokenName(e.Text) {
			return b.tokenRef(p, e.Pos, e.Text)
		}
		return syntax.NewRef(position(e.Pos), e.Text)
	}
	b.report(grammar.Error, p, e.Pos, "misplaced-set", "make it a lexer rule, whose name begins with a capital letter", "a set of characters in parser rule %q", p.rule)
	return nothing(e.Pos)
}

// tokenRef returns an expression for the token type with the given name.
func (b *builder) tokenRef(p place, pos lexer.Position, name string) *syntax.Expr {
	rules := b.producers[name]
	switch {
	case len(rules) == 1:
		return syntax.NewRef(position(pos), rules[0])
	case len(rules) > 1:
		return b.helperRef(pos, name+"'type", &helper{only: name})
	case b.lexNames[name] == nil:
		return syntax.NewRef(position(pos), name) // undefined: reported by the checks
	}
	if !b.warned[name] {
		b.warned[name] = true
		why := "the lexer hides it (skip, more or channel) or gives it another type"
		if b.lexNames[name].fragment {
			why = "it is a fragment"
		}
		b.report(grammar.Warning, p, pos, "hidden-token", "what needs it is never derived; take it out, or let the lexer give it",
			"no parser ever sees token %q: %s", name, why)
	}
	return nothing(pos)
}

// syntaxLiteral returns an expression for a literal in a parser rule.
func (b *builder) syntaxLiteral(p place, e *element) *syntax.Expr {
	pos := position(e.Pos)
	chars := unescape(e.Text, false, b.reporter(p, e.At))
	if len(chars) == 0 {
		b.report(grammar.Error, p, e.Pos, "empty-literal", "leave the alternative empty instead", "the literal is empty")
	}
	value := text(e.Text)
	if t, ok := b.aliases[value]; ok {
		return b.tokenRef(p, e.Pos, t)
	}
	if !b.combined && !b.warned[e.Text] {
		b.warned[e.Text] = true
		b.report(grammar.Warning, p, e.Pos, "no-token", "give the lexer a rule of exactly this text", "no lexer rule is the literal %s", e.Text)
	}
	if !b.known(value) {
		b.implicit = append(b.implicit, value)
		if b.fold && hasCase(value) {
			b.implicitRule[value] = &syntax.Rule{Name: e.Text, Pos: pos, Kind: grammar.Token, Body: literalExpr(pos, chars, true)}
		}
	}
	if r := b.implicitRule[value]; r != nil {
		return syntax.NewRef(pos, r.Name)
	}
	return literalExpr(pos, chars, false)
}

// known reports whether the text already is an implicit token.
func (b *builder) known(value string) bool {
	if b.warned["literal "+value] {
		return true
	}
	b.warned["literal "+value] = true
	return false
}

// tokenSet returns an expression for ~ in a parser rule.
func (b *builder) tokenSet(p place, e *element) *syntax.Expr {
	h := &helper{without: map[string]bool{}}
	var names []string
	if !b.collect(p, e, h.without, &names) {
		b.report(grammar.Error, p, e.Pos, "not-a-set", "in a parser rule ~ takes a token, or alternatives of tokens", "~ of something that is not one token")
		return nothing(e.Pos)
	}
	name := "~" + names[0]
	if len(names) > 1 {
		name = "~(" + strings.Join(names, "|") + ")"
	}
	return b.helperRef(e.Pos, name, h)
}

// collect adds the token types in the set e to types, and their written forms to names.
func (b *builder) collect(p place, e *element, types map[string]bool, names *[]string) bool {
	switch {
	case e.Kind == elRef && isTokenName(e.Text):
		types[e.Text] = true
		*names = append(*names, e.Text)
	case e.Kind == elLiteral:
		value := text(e.Text)
		if t, ok := b.aliases[value]; ok {
			types[t] = true
		} else {
			b.syntaxLiteral(p, e) // an implicit token like any other
			types["'"+value] = true
		}
		*names = append(*names, e.Text)
	case e.Kind == elBlock:
		for _, a := range e.Block.Alts {
			if len(a.Elements) != 1 || a.Elements[0].Suffix != 0 || a.Elements[0].Not || !b.collect(p, a.Elements[0], types, names) {
				return false
			}
		}
	default:
		return false
	}
	return true
}

// helperRef returns a reference to an inline rule, made on first use.
func (b *builder) helperRef(pos lexer.Position, name string, h *helper) *syntax.Expr {
	if !b.helperNames[name] {
		b.helperNames[name] = true
		h.rule = &syntax.Rule{Name: name, Pos: position(pos), Kind: grammar.Syntax, Inline: true}
		b.helpers = append(b.helpers, h)
	}
	return syntax.NewRef(position(pos), name)
}

// maxSetTokens bounds the number of alternatives of all token sets together.
const maxSetTokens = 1 << 19

// finishHelpers gives the inline rules their bodies and returns them.
func (b *builder) finishHelpers() []*syntax.Rule {
	each, total := len(b.implicit), 0 // largest size of a set; size of all sets
	for _, lr := range b.lexRules {
		each += len(lr.parts)
	}
	var out []*syntax.Rule
	for _, h := range b.helpers {
		if h.only == "" {
			total += each
		}
		if total > maxSetTokens {
			b.ds = append(b.ds, grammar.Diagnostic{Severity: grammar.Error, Pos: b.helpers[0].rule.Pos, Code: "too-large",
				Message: fmt.Sprintf("the sets of tokens (. and ~) may have more than %d members together", maxSetTokens),
				Hint:    "use fewer different sets"})
			return nil
		}
		out = append(out, h.rule)
	}
	for _, h := range b.helpers {
		children := b.members(h)
		if len(children) == 0 {
			b.ds = append(b.ds, grammar.Diagnostic{Severity: grammar.Warning, Pos: h.rule.Pos, Code: "empty-set",
				Message: fmt.Sprintf("the token set %s is empty", h.rule.Name), Hint: "what needs it is never derived"})
			children = append(children, syntax.NewClass(h.rule.Pos, false))
		}
		h.rule.Body = syntax.NewChoice(h.rule.Pos, children...)
	}
	return out
}

// members returns the alternatives of a helper.
func (b *builder) members(h *helper) []*syntax.Expr {
	var children []*syntax.Expr
	if h.only != "" {
		for _, name := range b.producers[h.only] {
			children = append(children, syntax.NewRef(h.rule.Pos, name))
		}
		return children
	}
	children = b.implicitExcept(h.rule.Pos, h.without)
	for _, lr := range b.lexRules {
		for _, part := range lr.parts {
			if part.shown && !h.without[part.typ] {
				children = append(children, syntax.NewRef(h.rule.Pos, part.rule.Name))
			}
		}
	}
	return children
}

// implicitExcept returns the implicit tokens that are not in without.
func (b *builder) implicitExcept(pos grammar.Pos, without map[string]bool) []*syntax.Expr {
	var children []*syntax.Expr
	for _, value := range b.implicit {
		switch r := b.implicitRule[value]; {
		case without["'"+value]:
		case r != nil:
			children = append(children, syntax.NewRef(pos, r.Name))
		default:
			children = append(children, syntax.NewLit(pos, value))
		}
	}
	return children
}
