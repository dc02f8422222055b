// Package bind ties the references of a parsed grammar to its rules.
//
//	b, ds := bind.Bind(g)    // binds names and finds recursion; no other package does
//	if r := b.Rules[0]; r.Recursive {
//		fmt.Println(r.Name, "leads to itself")
//	}
package bind

import (
	"fmt"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/base/graphs"
	"github.com/gramfuzz/gramfuzz/load/internal/syntax"
)

// Bind makes the nodes of the rule graph of g. It reports names that are defined twice; the first
// definition counts. References without a rule stay unbound, for later checks to decide about. The
// nodes share slices with g, so g must not be changed afterwards. Bind takes time linear in g.
func Bind(g *syntax.Grammar) (*grammar.Bound, grammar.Diagnostics) {
	b := &binder{Bound: &grammar.Bound{
		Name: g.Name, Notation: g.Notation, Entry: g.Entry, SHA256: g.SHA256,
		LenientUndefined: g.LenientUndefined, ContextLexing: g.ContextLexing,
		Rules: make([]*grammar.Rule, len(g.Rules)), Names: make(map[string]*grammar.Rule, len(g.Rules)),
	}}
	ds := b.declare(g.Rules)
	for i, r := range g.Rules {
		b.Rules[i].Body = b.expr(r.Body)
		b.ends = append(b.ends, len(b.refs))
	}
	b.findRecursion()
	return b.Bound, ds
}

type binder struct {
	*grammar.Bound
	nodes    []grammar.Expr // unused nodes
	pointers []*grammar.Expr
	refs     []int32 // the rules that the bodies refer to, body by body
	ends     []int   // by rule: where its references end in refs
}

// declare makes the rules without bodies, and allocates the expressions.
func (b *binder) declare(rules []*syntax.Rule) (ds grammar.Diagnostics) {
	made := make([]grammar.Rule, len(rules))
	count := 0
	for i, r := range rules {
		made[i] = grammar.Rule{Name: r.Name, Pos: r.Pos, Kind: r.Kind, Inline: r.Inline, Glued: r.Glued, Priority: r.Priority, Word: r.Word,
			Mode: r.Mode, Commands: r.Commands, Annotations: r.Annotations, ID: i}
		b.Rules[i] = &made[i]
		r.Body.Walk(func(*syntax.Expr) { count++ })
		if first := b.Names[r.Name]; first != nil {
			ds = append(ds, grammar.Diagnostic{Severity: grammar.Error, Pos: r.Pos, Code: "duplicate-rule", Rule: r.Name,
				Message: fmt.Sprintf("rule %q is defined twice (first at %v)", r.Name, first.Pos), Hint: "join both with | or rename one"})
			continue
		}
		b.Names[r.Name] = &made[i]
	}
	b.nodes, b.pointers = make([]grammar.Expr, count), make([]*grammar.Expr, count)
	return ds
}

// expr makes the nodes of e and of the expressions below it.
func (b *binder) expr(e *syntax.Expr) *grammar.Expr {
	n := &b.nodes[0]
	b.nodes = b.nodes[1:]
	*n = grammar.Expr{Op: e.Op, Pos: e.Pos, Text: e.Text, Ranges: e.Ranges, Negated: e.Negated,
		Weights: e.Weights, Labels: e.Labels, Min: e.Min, Max: e.Max, Lazy: e.Lazy, Name: e.Name, Annotations: e.Annotations}
	if e.Op == grammar.Ref {
		n.Rule = b.Names[e.Name]
		if n.Rule != nil {
			b.refs = append(b.refs, int32(n.Rule.ID))
		}
	}
	if count := len(e.Children); count > 0 {
		n.Children = b.pointers[:count:count]
		b.pointers = b.pointers[count:]
		for i, k := range e.Children {
			n.Children[i] = b.expr(k)
		}
	}
	return n
}

// findRecursion marks the rules that lead to themselves.
func (b *binder) findRecursion() {
	next := func(r int32) []int32 {
		begin := 0
		if r > 0 {
			begin = b.ends[r-1]
		}
		return b.refs[begin:b.ends[r]]
	}
	for _, component := range graphs.Components(len(b.Rules), next) {
		for _, r := range component {
			b.Rules[r].Recursive = len(component) > 1
		}
	}
	for i, r := range b.Rules {
		for _, to := range next(int32(i)) {
			r.Recursive = r.Recursive || to == int32(i)
		}
	}
}
