package ebnf

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"

	"github.com/gramfuzz/gramfuzz/grammar"
)

// maxNesting bounds how deep groups stand in groups, so that no file makes
// the reader, or what walks the graph later, run out of stack.
const maxNesting = 500

// Parse reads a file in the native notation; name is what positions call it.
// The graph is raw: call [grammar.Grammar.Freeze] next. Every rule with a
// mistake is reported and left out, and reading goes on behind its ";", so
// that one call finds the mistakes of all rules. Where the diagnostics' Err
// is not nil the graph is incomplete.
func Parse(name string, src []byte) (*grammar.Grammar, grammar.Diagnostics) {
	r := &reader{file: name}
	g := &grammar.Grammar{Name: name, Notation: "ebnf"}
	text := strings.TrimPrefix(string(src), "\ufeff")
	if at := invalidUTF8(text); at >= 0 {
		before := text[:at]
		pos := grammar.Pos{
			File: name,
			Line: strings.Count(before, "\n") + 1,
			Col:  utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:]) + 1,
		}
		r.fail(pos, "invalid-utf8", fmt.Sprintf("byte 0x%02x is not UTF-8", text[at]), `save the file as UTF-8, or write the byte as an escape: "\x%02x"`, text[at])
		return g, r.diags
	}
	all, err := tokenize(name, text)
	if err != nil {
		var at participle.Error
		pos := grammar.Pos{File: name, Line: 1, Col: 1}
		if errors.As(err, &at) {
			pos = position(at.Position())
		}
		r.fail(pos, "syntax", "this is not the native notation", "choose another notation")
		return g, r.diags
	}
	for _, c := range r.split(all) {
		if node := r.parse(c); node != nil {
			g.Rules = append(g.Rules, r.rule(node))
		}
	}
	r.diags.Sort()
	return g, r.diags
}

// invalidUTF8 returns the offset of the first byte that is not UTF-8, or -1.
func invalidUTF8(s string) int {
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return -1
}

// reader collects the diagnostics of one file.
type reader struct {
	file  string
	diags grammar.Diagnostics
}

func (r *reader) fail(pos grammar.Pos, code, message, hint string, args ...any) {
	if len(args) > 0 {
		hint = fmt.Sprintf(hint, args...)
	}
	r.diags = append(r.diags, grammar.Diagnostic{
		Severity: grammar.Error, Pos: pos, Code: code, Message: message, Hint: hint,
	})
}

func position(p lexer.Position) grammar.Pos {
	return grammar.Pos{File: p.Filename, Line: p.Line, Col: p.Column}
}

// parse reads the tokens of one rule; nil after a mistake, which is reported.
func (r *reader) parse(c chunk) *ruleNode {
	if c.broken || !r.balanced(c) {
		return nil
	}
	lex, err := lexer.Upgrade(&tokens{list: c.list, end: c.end})
	if err != nil {
		r.fail(position(c.end.Pos), "syntax", err.Error(), "look for a mistake before it")
		return nil
	}
	node, err := ruleParser.ParseFromLexer(lex)
	if err == nil {
		return node
	}
	var unexpected *participle.UnexpectedTokenError
	var at participle.Error
	switch {
	case errors.As(err, &unexpected):
		r.explain(c, unexpected.Unexpected)
	case errors.As(err, &at):
		r.fail(position(at.Position()), "syntax", at.Message()+c.in(), "see the notation's description")
	default:
		r.fail(position(c.end.Pos), "syntax", err.Error()+c.in(), "see the notation's description")
	}
	return nil
}

// balanced reports parentheses without a partner and groups nested too deep.
func (r *reader) balanced(c chunk) bool {
	var open []lexer.Token
	for _, t := range c.list {
		switch {
		case t.Type != tPunct:
		case t.Value == "(":
			if open = append(open, t); len(open) > maxNesting {
				r.fail(position(t.Pos), "nesting", fmt.Sprintf("groups are nested more than %d deep", maxNesting), "give an inner group a rule of its own")
				return false
			}
		case t.Value == ")":
			if len(open) == 0 {
				r.fail(position(t.Pos), "syntax", `there is no "(" for this ")"`+c.in(), "remove it, or write the other one")
				return false
			}
			open = open[:len(open)-1]
		}
	}
	if len(open) > 0 {
		r.fail(position(open[len(open)-1].Pos), "syntax", `this "(" is never closed`+c.in(), `write ")" where the group ends`)
		return false
	}
	return true
}

// explain reports a token that may not stand where it does in a rule.
func (r *reader) explain(c chunk, t lexer.Token) {
	before := lexer.Token{}
	for _, u := range c.list {
		if u.Pos.Offset < t.Pos.Offset {
			before = u
		}
	}
	starts := before.Type == tDefine || before.Type == tPunct && before.Value != ")" && before.Value != "."
	message, hint := fmt.Sprintf("unexpected %q", t.Value), `a rule is a name, "=", a body and ";"`
	switch {
	case t.EOF():
		message, hint = "the file ends inside a rule", `end the rule with ";"`
	case before.Type == tWeight:
		t, message, hint = before, fmt.Sprintf("the weight %q does not end an alternative", before.Value), `write it once, before the next "|" or ";"`
	case t.Type == tRepeat || t.Type == tCount:
		message, hint = message+" with nothing to repeat before it", "write it after an element or a group"
	case t.Type == tAnnotation || t.Type == tAnnotOpen && starts:
		message, hint = message+" with no element before it", "an annotation stands after the element it is about"
	case t.Type == tAnnotOpen:
		message, hint = fmt.Sprintf("the arguments of %s…) are wrong", t.Value), "write them as in @name(first, second)"
	case t.Type == tArgumentComma || t.Type == tArgumentsEnd:
		hint = "write arguments as in @name(first, second)"
	case t.Value == "-" && t.Type == tPunct:
		hint = `a difference is A - B with an element on both sides; a name may hold "-" only inside`
	case t.Value == ":" && t.Type == tPunct:
		hint = `a label is one name at the start of an alternative, as in "name: …"`
	}
	r.fail(position(t.Pos), "syntax", message+c.in(), hint)
}
