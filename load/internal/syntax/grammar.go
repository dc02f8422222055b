// Package syntax has the form of grammars as read from files: rules have names, and references are
// names, too.
//
//	g, ds := abnf.Parse("url.abnf", src) // a *syntax.Grammar
//	b, more := bind.Bind(g)              // a *grammar.Bound: references know their rules
//
// Readers build a [Grammar] with the New… functions, companions change it, and package bind turns
// it into a graph.
package syntax

import "github.com/gramfuzz/gramfuzz/grammar"

// Rule is one rule of a grammar. The fields have the same meaning as those of [grammar.Rule].
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

// Grammar has the rules of one grammar, perhaps from several files.
type Grammar struct {
	Name     string // for messages and records: the name of a shipped grammar, or the base name of a file
	Notation string // the notation it was read from, e.g. "ebnf", "antlr4"
	Rules    []*Rule
	Entry    string // the start by the conventions of the notation; "" for the first syntax rule
	SHA256   string // of the files it was read from, in hexadecimal

	// Ignored lists constructs that the reader kept as notes only, such as actions.
	Ignored grammar.Diagnostics

	// LenientUndefined makes an undefined rule a warning instead of an error, if the start is
	// still productive. It is for notations whose files leave rules to prose.
	LenientUndefined bool

	// ContextLexing means that only the tokens that the parser can take next compete for a text,
	// so that no token shadows another.
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
