package computed

import (
	"slices"

	"github.com/gramfuzz/gramfuzz/grammar"
)

// body is a rule's body with the parent of each expression.
type body struct {
	rule   *grammar.Rule
	parent map[*grammar.Expr]*grammar.Expr
	stands map[*grammar.Expr]*grammar.Expr // by element of a parallel list: the place of its text
	order  []*grammar.Expr
}

// newBody finds the parents in the body of a rule. It does not descend into computed fields.
func newBody(rule *grammar.Rule) *body {
	in := &body{rule: rule, parent: map[*grammar.Expr]*grammar.Expr{}, stands: map[*grammar.Expr]*grammar.Expr{}}
	todo := []*grammar.Expr{rule.Body}
	for len(todo) > 0 {
		e := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		in.order = append(in.order, e)
		if isField(e.Annotations) {
			continue
		}
		for _, k := range slices.Backward(e.Children) {
			in.parent[k] = e
			todo = append(todo, k)
		}
	}
	return in
}

// scopes returns the scopes around e, innermost first. A scope is an alternative, the element of a
// repetition, or the whole body.
func (b *body) scopes(e *grammar.Expr) (all []*grammar.Expr) {
	for {
		p := b.parent[e]
		if p == nil || p.Op != grammar.Seq {
			all = append(all, e)
		}
		if p == nil {
			return all
		}
		e = p
	}
}

// up returns the number of scopes from the scope of a field up to the scope of a part, or false if
// the field can occur without the part.
func (b *body) up(field, part *grammar.Expr) (int, bool) {
	n := slices.Index(b.scopes(field), b.scopes(part)[0])
	return n, n >= 0
}

// inside reports whether the text of e is within the text of part, and whether a repetition is
// between the two.
func (b *body) inside(e, part *grammar.Expr) (in, repeated bool) {
	for e != nil {
		if e == part {
			return true, repeated || e.Op == grammar.Rep
		}
		repeated = repeated || e.Op == grammar.Rep
		if place := b.stands[e]; place != nil {
			e = place
			continue
		}
		e = b.parent[e]
	}
	return false, false
}

// moved returns the number of elements of parallel lists that are around e but not around part.
// Such elements are scopes.
func (b *body) moved(e, part *grammar.Expr) (n int) {
	around := map[*grammar.Expr]bool{}
	for p := part; p != nil; p = b.parent[p] {
		around[p] = true
	}
	for ; e != nil && !around[e]; e = b.parent[e] {
		if b.stands[e] != nil {
			n++
		}
	}
	return n
}
