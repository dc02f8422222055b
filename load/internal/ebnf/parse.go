package ebnf

import (
	"fmt"
	"slices"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/load/internal/notation"
	"github.com/gramfuzz/gramfuzz/load/internal/syntax"
)

// maxNesting bounds the nesting of groups, so that neither the reader nor a later walk of the graph
// runs out of stack.
const maxNesting = 500

// Parse reads a file in the native notation. name is the file's name in positions. Every rule with
// a mistake is reported and left out. Reading continues after its ";", so one call finds the
// mistakes of all rules. If the diagnostics' Err is not nil, the grammar is incomplete.
func Parse(name string, src []byte) (*syntax.Grammar, grammar.Diagnostics) {
	g := &syntax.Grammar{Name: name, Notation: "ebnf"}
	toks, ds := reader.Tokens(name, src)
	if toks == nil {
		return g, notUTF8(ds)
	}
	b := &builder{ds: ds}
	for _, rule := range b.split(toks) {
		if slices.ContainsFunc(rule, reader.IsBad) || !b.balanced(rule) {
			continue
		}
		node, d := reader.Rule(rule, toks[len(toks)-1])
		if d != nil {
			b.ds = append(b.ds, *d)
			continue
		}
		g.Rules = append(g.Rules, b.rule(node))
	}
	g.Rules = append(g.Rules, b.blocks...)
	b.ds.Sort()
	return g, b.ds
}

// notUTF8 adds advice to the message about a byte that is not UTF-8: the notation for a byte.
func notUTF8(ds grammar.Diagnostics) grammar.Diagnostics {
	d := &ds[0]
	var bad byte
	if _, err := fmt.Sscanf(d.Message, "byte 0x%x", &bad); err == nil {
		d.Code = "invalid-utf8"
		d.Hint += fmt.Sprintf(`, or write the byte as an escape: "\x%02x"`, bad)
	}
	return ds
}

// builder turns syntax trees into rules and collects the diagnostics of one file.
type builder struct {
	ds     grammar.Diagnostics
	blocks []*syntax.Rule // the tokens that begin and end blocks
}

func (b *builder) fail(pos grammar.Pos, code, message, hint string, args ...any) {
	if len(args) > 0 {
		hint = fmt.Sprintf(hint, args...)
	}
	b.ds = append(b.ds, grammar.Diagnostic{
		Severity: grammar.Error, Pos: pos, Code: code, Message: message, Hint: hint,
	})
}

// split cuts the file into rules after each ";". It also cuts before a "name =" inside a body,
// where a ";" is missing. Layout and comments are left out.
func (b *builder) split(toks []notation.Token) (rules [][]notation.Token) {
	var rule []notation.Token
	flush := func() {
		if len(rule) > 0 {
			rules = append(rules, rule)
		}
		rule = nil
	}
	body := false // after the = of the current rule
	for _, t := range toks {
		if t.EOF() || reader.Elide[t.Kind] {
			continue
		}
		if t.Kind == "Define" && body {
			if at := b.unfinished(rule); at >= 0 {
				rule, body = slices.Clone(rule[at:]), false
			}
		}
		rule = append(rule, t)
		switch {
		case t.Kind == "Define":
			body = true
		case is(t, ";"):
			flush()
			body = false
		}
	}
	flush()
	return rules
}

func is(t notation.Token, text string) bool { return t.Kind == "Punct" && t.Value == text }

func isName(t notation.Token) bool { return t.Kind == "Word" || t.Kind == "Quoted" }

// unfinished handles "=" inside a rule's body. If a name is before it, a new rule begins there, and
// the ";" of the current rule is missing. unfinished reports this, and returns the index of the new
// rule's first token: its name, or the first mark such as @token directly before the name.
// Otherwise it returns -1.
func (b *builder) unfinished(rule []notation.Token) int {
	at := len(rule) - 1
	if !isName(rule[at]) {
		return -1
	}
	for at > 0 && rule[at-1].Kind == "Annotation" && slices.Contains([]string{"@token", "@skip", "@fragment"}, rule[at-1].Value) {
		at--
	}
	if !slices.ContainsFunc(rule, reader.IsBad) {
		b.fail(notation.Pos(rule[at].Pos), "syntax", "a new rule begins"+in(rule), `end the rule before it with ";"`)
	}
	return at
}

// in names the rule for messages: " in rule x", or "".
func in(rule []notation.Token) string {
	for i, t := range rule {
		if i > 0 && t.Kind == "Define" && isName(rule[i-1]) {
			return " in rule " + rule[i-1].Value
		}
	}
	return ""
}

// balanced reports unmatched parentheses and groups nested too deeply.
func (b *builder) balanced(rule []notation.Token) bool {
	var open []notation.Token
	for _, t := range rule {
		switch {
		case is(t, "("):
			open = append(open, t)
			if len(open) > maxNesting {
				b.fail(notation.Pos(t.Pos), "nesting", fmt.Sprintf("groups are nested more than %d deep", maxNesting), "give an inner group a rule of its own")
				return false
			}
		case is(t, ")"):
			if len(open) == 0 {
				b.fail(notation.Pos(t.Pos), "syntax", `this ")" has no "("`+in(rule), "remove it, or write the other one")
				return false
			}
			open = open[:len(open)-1]
		}
	}
	if len(open) > 0 {
		b.fail(notation.Pos(open[len(open)-1].Pos), "syntax", `this "(" is never closed`+in(rule), `write ")" where the group ends`)
		return false
	}
	return true
}

// explain describes a misplaced token in a rule and returns the token to show.
func explain(rule []notation.Token, t notation.Token) (notation.Token, notation.Problem) {
	before := notation.Token{}
	for _, u := range rule {
		if u.Pos.Offset < t.Pos.Offset {
			before = u
		}
	}
	starts := before.Kind == "Define" || before.Kind == "Punct" && before.Value != ")" && before.Value != "."
	message, hint := fmt.Sprintf("unexpected %q", t.Value), `a rule is a name, "=", a body and ";"`
	switch {
	case t.EOF():
		message, hint = "the file ends inside a rule", `end the rule with ";"`
	case before.Kind == "Weight":
		t, message, hint = before, fmt.Sprintf("the weight %q does not end an alternative", before.Value), `write it once, before the next "|" or ";"`
	case t.Kind == "Repeat" || t.Kind == "Count":
		message, hint = message+" with nothing to repeat before it", "write it after an element or a group"
	case t.Kind == "Annotation" || t.Kind == "AnnotationOpen" && starts:
		message, hint = message+" with no element before it", "an annotation stands after the element it is about"
	case t.Kind == "AnnotationOpen":
		message, hint = fmt.Sprintf("the arguments of %s…) are wrong", t.Value), "write them as in @name(first, second)"
	case t.Kind == "ArgumentComma" || t.Kind == "ArgumentsClose":
		hint = "write arguments as in @name(first, second)"
	case is(t, "-"):
		hint = `a difference is A - B with an element on both sides; a name may hold "-" only inside`
	case is(t, ":"):
		hint = `a label is one name at the start of an alternative, as in "name: …"`
	}
	return t, notation.Problem{What: message + in(rule), Do: hint}
}
