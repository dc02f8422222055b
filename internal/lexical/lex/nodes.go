package lex

import "github.com/gramfuzz/gramfuzz/grammar"

// Constructors of the nodes of new bodies. The position of a node is that of its rule.

func newLit(pos grammar.Pos, text string) *grammar.Expr {
	return &grammar.Expr{Op: grammar.Lit, Pos: pos, Text: text}
}

func newClass(pos grammar.Pos, negated bool, ranges ...grammar.Range) *grammar.Expr {
	return &grammar.Expr{Op: grammar.Class, Pos: pos, Negated: negated, Ranges: ranges}
}

// newSeq returns the sequence of children; a single child is returned as it is.
func newSeq(pos grammar.Pos, children ...*grammar.Expr) *grammar.Expr {
	if len(children) == 1 {
		return children[0]
	}
	return &grammar.Expr{Op: grammar.Seq, Pos: pos, Children: children}
}

// newChoice returns the choice between children; a single child is returned as it is.
func newChoice(pos grammar.Pos, children ...*grammar.Expr) *grammar.Expr {
	if len(children) == 1 {
		return children[0]
	}
	return &grammar.Expr{Op: grammar.Choice, Pos: pos, Children: children}
}

func newRep(pos grammar.Pos, child *grammar.Expr, min, max int) *grammar.Expr {
	return &grammar.Expr{Op: grammar.Rep, Pos: pos, Children: []*grammar.Expr{child}, Min: min, Max: max}
}

func newRef(pos grammar.Pos, rule *grammar.Rule) *grammar.Expr {
	return &grammar.Expr{Op: grammar.Ref, Pos: pos, Name: rule.Name, Rule: rule}
}

// clone returns a deep copy of e. Its references refer to the same rules.
func clone(e *grammar.Expr) *grammar.Expr {
	c := *e
	c.Children = make([]*grammar.Expr, len(e.Children))
	for i, k := range e.Children {
		c.Children[i] = clone(k)
	}
	return &c
}
