// Package syntax holds grammars as they are in their files: rules with names, and references that
// are names too.
//
//	g, ds := abnf.Parse("url.abnf", src) // a *syntax.Grammar
//	b, more := bind.Bind(g)              // a *grammar.Bound: references know their rules
//
// Readers build a [Grammar] with the New… functions, and companions change it. The graph made
// from it shares nothing with it.
package syntax

import "github.com/gramfuzz/gramfuzz/grammar"

// Rule is one rule of a grammar. The fields have the meaning of those of [grammar.Rule].
type Rule struct {
	Name        string
	Pos         grammar.Pos
	Kind        grammar.Kind
	Body        *Expr
	Inline      bool
	Glued       bool
	Priority    int
	Word        bool
	Mode        string
	Commands    []grammar.Command
	Annotations []grammar.Annotation
}

// Grammar is the rules of one grammar, perhaps of several files.
type Grammar struct {
	Name     string // for messages and records: a shipped grammar's name or a file's base name
	Notation string // the notation it was read from, e.g. "ebnf", "antlr4"
	Rules    []*Rule
	Entry    string // the rule that the notation's conventions make the start; "" is the first syntax rule
	SHA256   string // of the files it was read from, hex

	// Ignored lists constructs that the reader kept as notes only, such as actions.
	Ignored grammar.Diagnostics

	// LenientUndefined makes an undefined rule a warning as long as the start
	// stays productive: for notations whose files leave rules to prose.
	LenientUndefined bool

	// ContextLexing says that only the tokens that the parser can take next
	// compete for a text, so that no token is shadowed by another.
	ContextLexing bool
}

// EachRef calls f for every reference in the rules' bodies.
func (g *Grammar) EachRef(f func(*Expr)) {
	for _, r := range g.Rules {
		r.Body.Walk(func(e *Expr) {
			if e.Op == grammar.Ref {
				f(e)
			}
		})
	}
}
