package lex

import (
	"fmt"
	"slices"

	"github.com/gramfuzz/gramfuzz/grammar"
)

// nonEmpty takes the empty text from tokens that have others: no lexer returns it. Where other
// lexical rules refer to such a token, they mean all of it.
func (r *resolver) nonEmpty() {
	for _, rule := range r.rules {
		body := r.rewritten[rule]
		if body == nil {
			body = r.body(rule)
		}
		if rule.Kind == grammar.Token && !rule.Recursive && r.nullable(body) {
			if rest := r.some(body); rest != nil {
				r.rewritten[rule] = rest
				r.report(grammar.Warning, rule.Pos, "empty-token", rule.Name, fmt.Sprintf("token %q can match the empty text, which no lexer returns", rule.Name),
					"make it match at least one character, and let those who use it say ?")
			}
		}
	}
}

func (r *resolver) nullable(e *grammar.Expr) bool {
	switch e.Op {
	case grammar.Lit:
		return e.Text == ""
	case grammar.Ref:
		return e.Rule != nil && !e.Rule.Recursive && r.nullable(r.body(e.Rule))
	case grammar.Seq:
		return !slices.ContainsFunc(e.Children, func(k *grammar.Expr) bool { return !r.nullable(k) })
	case grammar.Choice:
		return slices.ContainsFunc(e.Children, r.nullable)
	case grammar.Rep:
		return e.Min == 0 || r.nullable(e.Children[0])
	}
	return false
}

// some returns e without the empty text, nil if nothing is left.
func (r *resolver) some(e *grammar.Expr) *grammar.Expr {
	if !r.nullable(e) {
		return clone(e)
	}
	var ways []*grammar.Expr
	var weights []int
	switch e.Op {
	case grammar.Ref:
		return r.some(r.body(e.Rule))
	case grammar.Rep:
		k := e.Children[0]
		k = r.some(k)
		if k == nil || e.Max == 0 {
			return nil
		}
		rep := newRep(e.Pos, k, 1, e.Max)
		rep.Lazy = e.Lazy
		return rep
	case grammar.Choice:
		for i, k := range e.Children {
			k = r.some(k)
			if k != nil {
				ways = append(ways, k)
				if e.Weights != nil {
					weights = append(weights, e.Weights[i])
				}
			}
		}
	case grammar.Seq:
		for i, k := range e.Children {
			k = r.some(k)
			if k != nil {
				seq := []*grammar.Expr{k}
				for _, after := range e.Children[i+1:] {
					seq = append(seq, clone(after))
				}
				ways = append(ways, newSeq(e.Pos, seq...))
			}
		}
	}
	if len(ways) < 2 {
		return append(ways, nil)[0]
	}
	choice := newChoice(e.Pos, ways...)
	choice.Weights = weights
	return choice
}
