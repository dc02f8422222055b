package computed

import (
	"fmt"
	"slices"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/load/internal/syntax"
)

// never returns an expression for an element that is absent for some arguments of its rule: a
// choice without alternatives.
func never(pos grammar.Pos) *syntax.Expr { return &syntax.Expr{Op: grammar.Choice, Pos: pos} }

// prune removes alternatives with absent elements, and rules without remaining alternatives.
func (x *expander) prune() {
	gone := map[string]bool{}
	for changed := true; changed; {
		changed = false
		for name, r := range x.made {
			if !gone[name] && !possible(r.Body, gone) {
				gone[name], changed = true, true
			}
		}
	}
	for _, n := range x.rules {
		n.instances = slices.DeleteFunc(n.instances, func(i instance) bool {
			if gone[i.rule.Name] && i.values == nil {
				x.fail(n.rule.Pos, fmt.Sprintf("rule %q has nothing for the types and numbers that it takes", n.rule.Name), "give it an alternative without @when, or one that @some finds types for")
			}
			return gone[i.rule.Name]
		})
		for _, i := range n.instances {
			i.rule.Body = pruned(i.rule.Body, gone)
		}
	}
}

// possible reports whether e still has a derivation after the rules in gone are removed.
func possible(e *syntax.Expr, gone map[string]bool) bool {
	there := func(k *syntax.Expr) bool { return possible(k, gone) }
	switch e.Op {
	case grammar.Choice:
		return slices.ContainsFunc(e.Children, there)
	case grammar.Rep:
		return e.Min == 0 || there(e.Children[0])
	case grammar.Ref:
		return !gone[e.Name]
	}
	return !slices.ContainsFunc(e.Children, func(k *syntax.Expr) bool { return !there(k) })
}

// pruned returns e without its impossible alternatives. e itself is possible.
func pruned(e *syntax.Expr, gone map[string]bool) *syntax.Expr {
	c := *e
	c.Children = nil
	var weights []int
	var labels []string
	for i, k := range e.Children {
		if !possible(k, gone) {
			if e.Op == grammar.Rep {
				return &syntax.Expr{Op: grammar.Seq, Pos: e.Pos, Annotations: e.Annotations}
			}
			continue
		}
		c.Children = append(c.Children, pruned(k, gone))
		if e.Weights != nil {
			weights = append(weights, e.Weights[i])
		}
		if e.Labels != nil {
			labels = append(labels, e.Labels[i])
		}
	}
	c.Weights, c.Labels = weights, labels
	if e.Op == grammar.Choice && len(c.Children) == 1 {
		c.Op, c.Weights, c.Labels = grammar.Seq, nil, nil // keeps the annotations of choice and alternative
	}
	if c.Op == grammar.Seq && len(c.Children) == 1 && c.Annotations == nil {
		return c.Children[0]
	}
	return &c
}
