package lex

import (
	"slices"

	"github.com/gramfuzz/gramfuzz/grammar"
)

// namesEnd reports whether e is a class that contains the end of the text.
func namesEnd(e *grammar.Expr) bool {
	return e.Op == grammar.Class && slices.ContainsFunc(e.Ranges, func(r grammar.Range) bool { return r.Lo == grammar.EndOfText })
}

// ends rewrites the lexical rules that name the end of the text. Such a rule keeps only
// the texts that may stand anywhere, not those that need the end behind them. A rule
// without texts of the first sort keeps all its texts, as layout puts nothing behind
// them. The scanner still reads rules as they are written.
func (r *resolver) ends() {
	none := make(map[*grammar.Rule]bool) // rules without texts that need no end
	for n := -1; n < len(none); {
		n = len(none)
		for _, rule := range r.rules {
			if rule.Kind.Lexical() && !none[rule] && mayEnd(rule.Body, none) && withoutEnd(rule.Body, none) == nil {
				none[rule] = true
			}
		}
	}
	for _, rule := range r.rules {
		switch {
		case !rule.Kind.Lexical() || !mayEnd(rule.Body, none):
		case !none[rule]:
			r.bodies[rule] = withoutEnd(rule.Body, none)
		default:
			r.bodies[rule] = endRead(rule.Body, none)
			if r.bodies[rule].IsEmpty() {
				r.bodies[rule] = newClass(rule.Pos, false) // the scanner never returns an empty token
			}
			r.atEnd[rule] = true
		}
	}
}

// mayEnd reports whether e names the end of the text or refers to one of rules.
func mayEnd(e *grammar.Expr, rules map[*grammar.Rule]bool) bool {
	found := false
	e.Walk(func(e *grammar.Expr) { found = found || namesEnd(e) || e.Op == grammar.Ref && rules[e.Rule] })
	return found
}

// withoutEnd returns e without the texts that need the end of the text behind them. It
// returns nil if no texts remain. For the rules in none, no texts remain.
func withoutEnd(e *grammar.Expr, none map[*grammar.Rule]bool) *grammar.Expr {
	switch {
	case namesEnd(e):
		if ranges := classSet(e).Ranges(); len(ranges) > 0 {
			return newClass(e.Pos, false, ranges...)
		}
		return nil
	case e.Op == grammar.Ref && none[e.Rule]:
		return nil
	}
	c := *e
	c.Children, c.Weights, c.Labels = nil, nil, nil
	for i, k := range e.Children {
		child := withoutEnd(k, none)
		switch {
		case child != nil:
			c.Children = append(c.Children, child)
			if e.Weights != nil {
				c.Weights = append(c.Weights, e.Weights[i])
			}
			if e.Labels != nil {
				c.Labels = append(c.Labels, e.Labels[i])
			}
		case e.Op == grammar.Rep && e.Min == 0:
			return newSeq(e.Pos)
		case e.Op != grammar.Choice:
			return nil
		}
	}
	switch {
	case e.Op == grammar.Choice && len(c.Children) == 0:
		return nil
	case e.Op == grammar.Choice && len(c.Children) == 1:
		return c.Children[0]
	}
	return &c
}

// endRead returns e with the empty text in place of the end of the text. It replaces it
// also within references to the rules in none.
func endRead(e *grammar.Expr, none map[*grammar.Rule]bool) *grammar.Expr {
	switch {
	case namesEnd(e):
		if ranges := classSet(e).Ranges(); len(ranges) > 0 {
			return newRep(e.Pos, newClass(e.Pos, false, ranges...), 0, 1)
		}
		return newSeq(e.Pos)
	case e.Op == grammar.Ref && none[e.Rule] && !e.Rule.Recursive:
		return endRead(e.Rule.Body, none)
	}
	c := *e
	c.Children = make([]*grammar.Expr, len(e.Children))
	for i, k := range e.Children {
		c.Children[i] = endRead(k, none)
	}
	return &c
}
