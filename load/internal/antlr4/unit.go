package antlr4

import (
	"fmt"
	"strings"

	"github.com/gramfuzz/gramfuzz/grammar"
)

// unit is one parsed .g4 file.
type unit struct {
	file     string // its name in messages
	path     string // its path in the file system
	kind     string // "lexer", "parser" or "" for a combined grammar
	name     string // as declared
	pos      grammar.Pos
	vocab    string // options { tokenVocab = … }
	vocabPos grammar.Pos
	fold     bool // options { caseInsensitive = true; }
	imports  []*name
	tokens   []*name // declared in tokens { }
	rules    []*unitRule
	notes    notes
}

// unitRule is a rule with its lexer mode.
type unitRule struct {
	*rule
	mode string
	fold *bool // the rule's own caseInsensitive option
}

// fragment reports whether the rule is a lexical helper.
func (r *unitRule) fragment() bool {
	for _, m := range r.Modifiers {
		if m == "fragment" {
			return true
		}
	}
	return false
}

// lexical reports whether the rule belongs to the lexer. Its first letter decides.
func (r *unitRule) lexical() bool { return isTokenName(r.Name.Value) }

func (r *unitRule) pos() grammar.Pos { return position(r.Name.Pos) }

// readUnit parses one file. Even after errors, the unit holds everything that could be read.
func readUnit(file string, src []byte) (*unit, grammar.Diagnostics) {
	u := &unit{file: file, pos: grammar.Pos{File: file, Line: 1, Col: 1}}
	stmts, ds := scan(file, string(src))
	mode := ""
	for _, tokens := range stmts {
		s, d := parseStatement(tokens)
		if d != nil {
			ds = append(ds, *d)
			continue
		}
		ds = append(ds, u.add(s, &mode)...)
	}
	if u.name == "" && ds.Err() == nil {
		ds = append(ds, grammar.Diagnostic{Severity: grammar.Error, Pos: u.pos, Code: "no-declaration",
			Message: "the file declares no grammar", Hint: "begin it with grammar NAME;"})
	}
	return u, ds
}

// add processes one statement.
func (u *unit) add(s *statement, mode *string) (ds grammar.Diagnostics) {
	fail := func(pos grammar.Pos, code, message, hint string) {
		ds = append(ds, grammar.Diagnostic{Severity: grammar.Error, Pos: pos, Code: code, Message: message, Hint: hint})
	}
	switch {
	case s.Decl != nil:
		if u.name != "" {
			fail(position(s.Decl.Pos), "two-declarations", "the file declares a second grammar", "one file holds one grammar")
			return ds
		}
		u.kind, u.name, u.pos = s.Decl.Kind, s.Decl.Name, position(s.Decl.Pos)
	case s.Imports != nil:
		u.imports = append(u.imports, s.Imports.Names...)
	case s.Options != nil:
		for _, o := range s.Options.List {
			u.option(o)
		}
	case s.Spec != nil && s.Spec.Kind.Type == tTokens:
		u.tokens = append(u.tokens, s.Spec.Names...)
	case s.Action != nil:
		u.notes.add(noteNamedAction, position(s.Action.Pos))
	case s.Handler != nil:
		u.notes.add(noteHandler, position(s.Handler.Pos))
	case s.Mode != nil:
		if u.kind != "lexer" {
			fail(position(s.Mode.Name.Pos), "misplaced-mode", "modes stand in lexer grammars alone", "split the grammar into a lexer and a parser grammar")
		}
		*mode = modeName(s.Mode.Name.Text)
	case s.Rule != nil:
		r := &unitRule{rule: s.Rule, mode: *mode}
		switch {
		case u.kind == "lexer" && !r.lexical():
			fail(r.pos(), "misplaced-rule", fmt.Sprintf("parser rule %q in a lexer grammar", r.Name.Value), "names of lexer rules begin with a capital letter")
		case u.kind == "parser" && r.lexical():
			fail(r.pos(), "misplaced-rule", fmt.Sprintf("lexer rule %q in a parser grammar", r.Name.Value), "names of parser rules begin with a small letter")
		}
		u.addRule(r)
	}
	return ds
}

func (u *unit) addRule(r *unitRule) {
	if len(r.Args) > 0 || r.Locals != "" || len(r.Throws) > 0 {
		u.notes.add(noteArgs, r.pos())
	}
	for _, p := range r.Prequels {
		switch {
		case p.Action != nil:
			u.notes.add(noteNamedAction, position(p.Action.Pos))
		case p.Options != nil:
			for _, o := range p.Options.List {
				if o.Name == "caseInsensitive" {
					on := o.value() == "true"
					r.fold = &on
				}
			}
		}
	}
	u.rules = append(u.rules, r)
}

func (u *unit) option(o *option) {
	switch o.Name {
	case "tokenVocab":
		u.vocab, u.vocabPos = o.value(), position(o.Pos)
	case "caseInsensitive":
		u.fold = o.value() == "true"
	case "superClass":
		u.notes.add(noteSuperClass, position(o.Pos))
	}
}

// value returns the option's value without quotes.
func (o *option) value() string { return strings.Trim(strings.Join(o.Value, "."), `'"`) }

// modeName maps ANTLR's name of the default mode to the graph's.
func modeName(name string) string {
	if name == "DEFAULT_MODE" {
		return ""
	}
	return name
}
