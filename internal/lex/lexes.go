package lex

import (
	"slices"

	"github.com/gramfuzz/gramfuzz/grammar"
)

// Lexes reports whether texts of g are cut into tokens before they are parsed,
// so that what stands side by side has to be kept apart: g has token rules, and
// has layout or comes from a notation where the lexer always runs first. In
// other grammars tokens are units of counting, and their texts just follow each
// other.
func Lexes(g *grammar.Grammar) bool {
	if !HasTokens(g) {
		return false
	}
	return g.Notation == "antlr4" || slices.ContainsFunc(g.Rules, func(r *grammar.Rule) bool { return competes(r) && hidden(r) })
}

// Glue takes the next token, which has to follow without layout. On error, a
// *[JoinError], the joiner stays as it was.
func (j *Joiner) Glue(kind int, text string) error {
	if text == "" {
		return nil
	}
	want := func(a *action) bool { return j.l.stands(a.kind, kind, text) }
	next, ok := j.l.read(j.now, text, want)
	if !ok {
		return j.refuse(kind, text, want)
	}
	j.now, j.last, j.begun = next, text, true
	return nil
}

// Force takes a token that cannot stand where it is asked to, and returns what
// comes closest to keeping it apart: the mode's first separator, if it has one.
// The text is then read differently.
func (j *Joiner) Force(text string) string {
	sep := ""
	if seps := j.l.separators(j.mode()); j.begun && len(seps) > 0 {
		sep = seps[0]
	}
	j.now, j.last, j.begun = joint{place: place{stack: j.now.stack}}, text, true
	return sep
}
