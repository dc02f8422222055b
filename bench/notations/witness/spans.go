package main

import (
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
)

// span is a part of a text derived from a rule.
type span struct {
	Rule     string
	From, To int // in bytes
}

// spansOf returns the spans of the rules in a tree's outline. Rules that derive the empty text are
// left out.
func spansOf(t *derive.Tree) (out []span) {
	nodes, gaps := t.Nodes(), t.Gaps()
	at := 0
	var walk func(i int) (next, from, to int)
	walk = func(i int) (next, from, to int) {
		n := &nodes[i]
		from, to = -1, -1
		if n.End == i+1 {
			size := len(n.Text)
			if n.Expr.Op == grammar.Lit {
				size = len(n.Expr.Text)
			}
			if gaps != nil {
				at += len(gaps[i])
			}
			if size > 0 {
				from, to = at, at+size
				at = to
			}
			return n.End, from, to
		}
		for k := i + 1; k < n.End; {
			var a, b int
			k, a, b = walk(k)
			if a >= 0 {
				if from < 0 {
					from = a
				}
				to = b
			}
		}
		if n.Expr.Op == grammar.Ref && n.Expr.Rule.Kind == grammar.Syntax && from >= 0 {
			out = append(out, span{n.Expr.Rule.Name, from, to})
		}
		return n.End, from, to
	}
	walk(0)
	return out
}
