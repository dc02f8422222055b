package antlr4

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gramfuzz/gramfuzz/grammar"
)

// reportLosses reports each kind of omitted feature once, with a count. It also reports recursion
// that ANTLR refuses.
func (p *printer) reportLosses() {
	var weights, annotations, loops []grammar.Pos
	for _, r := range p.g.Rules {
		alts := map[*grammar.Expr]bool{} // those whose order says their precedences
		if body := p.body(r); carries(r, body) {
			for _, k := range body.Children {
				alts[k] = true
				if n := len(k.Children); k.Op == grammar.Seq && n > 0 && slices.Equal(precOf(k.Children[n-1]), asLongAsCanBe) {
					alts[k.Children[n-1]] = true
				}
			}
		}
		for _, a := range r.Annotations {
			annotations = append(annotations, a.Pos)
		}
		p.body(r).Walk(func(e *grammar.Expr) {
			if e.Weights != nil {
				weights = append(weights, e.Pos)
			}
			for _, a := range e.Annotations {
				if a.Name == "prec" && alts[e] {
					continue
				}
				annotations = append(annotations, a.Pos)
			}
		})
	}
	for _, r := range p.syntax {
		r.Body.Walk(func(e *grammar.Expr) {
			if e.Op == grammar.Rep && e.Max != 1 && p.facts.Nullable(e.Children[0]) {
				loops = append(loops, e.Pos)
			}
		})
	}
	report := func(at []grammar.Pos, sev grammar.Severity, code, what, hint string) {
		if len(at) > 0 {
			p.lose(sev, at[0], code, "", fmt.Sprintf("%s (%d)", what, len(at)), hint)
		}
	}
	report(weights, grammar.Warning, "weights", "weights of alternatives are left out", "ANTLR has none")
	report(annotations, grammar.Warning, "annotations", "annotations are left out", "ANTLR has none: names may be used that nothing defines")
	report(loops, grammar.Error, "empty-loop", "repetitions of what can be empty, which ANTLR refuses", "make the repeated element non-empty")
	p.reportLeftRecursion()
}

// reportLeftRecursion reports indirectly left-recursive rules. ANTLR refuses them, since it only
// rewrites direct left recursion.
func (p *printer) reportLeftRecursion() {
	next := map[*grammar.Rule][]*grammar.Rule{}
	for _, r := range p.syntax {
		p.leftmost(r.Body, func(to *grammar.Rule) { next[r] = append(next[r], to) })
	}
	reported := map[*grammar.Rule]bool{}
	for _, r := range p.syntax {
		if reported[r] {
			continue
		}
		if path := cycle(r, next); path != nil {
			names := make([]string, len(path))
			for i, on := range path {
				reported[on] = true
				names[i] = on.Name
			}
			p.lose(grammar.Error, r.Pos, "left-recursion", r.Name, "left recursion by way of other rules, which ANTLR refuses: "+strings.Join(append(names, r.Name), ", "),
				"put the rules of the cycle into one")
		}
	}
}

// leftmost calls f for every rule with which a text of e may begin.
func (p *printer) leftmost(e *grammar.Expr, f func(*grammar.Rule)) {
	switch e.Op {
	case grammar.Ref:
		if e.Rule != nil && e.Rule.Kind == grammar.Syntax {
			f(e.Rule)
		}
	case grammar.Seq:
		for _, k := range e.Children {
			p.leftmost(k, f)
			if !p.facts.Nullable(k) {
				return
			}
		}
	default:
		for _, k := range e.Children {
			p.leftmost(k, f)
		}
	}
}

// cycle returns the rules on a shortest path from r back to r through at least one other rule. It
// returns nil if there is none.
func cycle(r *grammar.Rule, next map[*grammar.Rule][]*grammar.Rule) []*grammar.Rule {
	from := map[*grammar.Rule]*grammar.Rule{}
	todo := []*grammar.Rule{r}
	for len(todo) > 0 {
		at := todo[0]
		todo = todo[1:]
		for _, to := range next[at] {
			if to == r && at != r {
				var path []*grammar.Rule
				for ; at != r; at = from[at] {
					path = append(path, at)
				}
				path = append(path, r)
				slices.Reverse(path)
				return path
			}
			if to != r && from[to] == nil {
				from[to] = at
				todo = append(todo, to)
			}
		}
	}
	return nil
}
