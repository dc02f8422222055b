package antlr4

import (
	"slices"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/load/internal/syntax"
)

// EOF ends the text: what follows it in a derivation is empty. Where EOF stands only at the end of
// the start rule, it is an empty sequence. Elsewhere the rules under the start are taken apart: a
// rule r without the derivations that have an EOF, and, if there are such, r'EOF of these alone.
// It has no parts behind the EOF. The start has both. An EOF beside an empty alternative forbids
// nothing, and is one.

// ending takes rules apart.
type ending struct {
	isEOF func(e *syntax.Expr) bool
	rules map[string]*syntax.Rule
	empty map[string]bool // rules that can be empty, with or without EOF
	goes  map[string]bool // rules with a derivation without EOF
	ends  map[string]bool // rules with a derivation with EOF
}

// endTexts takes rules apart where EOF is not only at the end of the start rule. A start that other
// rules refer to stays as it is, with all rules.
func endTexts(rules []*syntax.Rule, entry string, isEOF func(e *syntax.Expr) bool) []*syntax.Rule {
	x := &ending{rules: map[string]*syntax.Rule{}, empty: map[string]bool{}, goes: map[string]bool{}, ends: map[string]bool{}}
	for _, r := range rules {
		if r.Kind == grammar.Syntax {
			x.rules[r.Name] = r
		}
	}
	optional := map[*syntax.Expr]bool{}
	for _, r := range x.rules {
		r.Body.Walk(func(e *syntax.Expr) {
			for _, k := range e.Children {
				optional[k] = e.Op == grammar.Choice && slices.ContainsFunc(e.Children, func(o *syntax.Expr) bool {
					return o.Op == grammar.Seq && len(o.Children) == 0 && !isEOF(o)
				})
			}
		})
	}
	x.isEOF = func(e *syntax.Expr) bool { return isEOF(e) && !optional[e] }
	start := x.rules[entry]
	if start == nil {
		return rules
	}
	reached, inside := x.reachable(start)
	if !inside && !x.early(start.Body, true) || slices.Contains(reached[1:], start) {
		return rules
	}
	for changed := true; changed; {
		changed = false
		for _, r := range reached {
			for _, of := range []struct {
				set map[string]bool
				has func(*syntax.Expr) bool
			}{{x.empty, x.nullable}, {x.goes, func(e *syntax.Expr) bool { return x.without(e) != nil }}, {x.ends, func(e *syntax.Expr) bool { return x.with(e) != nil }}} {
				if !of.set[r.Name] && of.has(r.Body) {
					of.set[r.Name], changed = true, true
				}
			}
		}
	}
	var more []*syntax.Rule
	bodies := make([]*syntax.Expr, len(reached))
	for i, r := range reached {
		without, with := x.without(r.Body), x.with(r.Body)
		switch {
		case r == start && without != nil && with != nil:
			without = syntax.NewChoice(r.Pos, without, with)
		case r == start && with != nil:
			without = with
		case with != nil:
			more = append(more, &syntax.Rule{Name: r.Name + "'EOF", Pos: r.Pos, Kind: r.Kind, Body: with})
		}
		bodies[i] = without
		if without == nil {
			bodies[i] = syntax.NewClass(r.Pos, false) // there is no such text
		}
	}
	for i, r := range reached {
		if x.ends[r.Name] || !x.goes[r.Name] {
			r.Body = bodies[i]
		}
	}
	return append(rules, more...)
}

// reachable returns the rules that lead from the start, it first, once more if others refer to it.
// inside reports whether others have an EOF.
func (x *ending) reachable(start *syntax.Rule) (reached []*syntax.Rule, inside bool) {
	reached = []*syntax.Rule{start}
	for i := 0; i < len(reached); i++ {
		reached[i].Body.Walk(func(e *syntax.Expr) {
			inside = inside || i > 0 && x.isEOF(e)
			if r := x.rules[e.Name]; e.Op == grammar.Ref && r != nil && (r == start || !slices.Contains(reached, r)) {
				reached = append(reached, r)
			}
		})
		if i > 0 && reached[i] == start {
			break
		}
	}
	return reached, inside
}

// early reports whether an EOF of e is not at its end, which is that of the start rule if last.
func (x *ending) early(e *syntax.Expr, last bool) bool {
	if x.isEOF(e) {
		return !last
	}
	for i, k := range e.Children {
		if x.early(k, last && e.Op != grammar.Rep && (e.Op != grammar.Seq || i == len(e.Children)-1)) {
			return true
		}
	}
	return false
}

func (x *ending) nullable(e *syntax.Expr) bool {
	switch e.Op {
	case grammar.Ref:
		return x.empty[e.Name]
	case grammar.Seq:
		return !slices.ContainsFunc(e.Children, func(k *syntax.Expr) bool { return !x.nullable(k) })
	case grammar.Choice:
		return slices.ContainsFunc(e.Children, x.nullable)
	case grammar.Rep:
		return e.Min == 0 || x.nullable(e.Children[0])
	}
	return e.Op == grammar.Lit && e.Text == ""
}

// without returns e without the derivations that have an EOF, nil if none is left.
func (x *ending) without(e *syntax.Expr) *syntax.Expr {
	if x.isEOF(e) || e.Op == grammar.Ref && x.rules[e.Name] != nil && !x.goes[e.Name] {
		return nil
	}
	out := *e
	out.Children, out.Labels = nil, nil
	for i, k := range e.Children {
		k = x.without(k)
		switch {
		case k != nil:
			out.Children = append(out.Children, k)
			if e.Labels != nil {
				out.Labels = append(out.Labels, e.Labels[i])
			}
		case e.Op == grammar.Rep && e.Min == 0:
			return syntax.NewSeq(e.Pos)
		case e.Op != grammar.Choice:
			return nil
		}
	}
	if e.Op == grammar.Choice && len(out.Children) < 2 {
		return append(out.Children, nil)[0]
	}
	return &out
}

// with returns the derivations of e that have an EOF, nil for none.
func (x *ending) with(e *syntax.Expr) *syntax.Expr {
	var ways []*syntax.Expr
	switch {
	case x.isEOF(e):
		return syntax.NewSeq(e.Pos)
	case e.Op == grammar.Ref && x.ends[e.Name]:
		return syntax.NewRef(e.Pos, e.Name+"'EOF")
	case e.Op == grammar.Choice:
		for _, k := range e.Children {
			ways = append(ways, x.with(k))
		}
	case e.Op == grammar.Rep:
		k := e.Children[0]
		least, most := max(0, e.Min-1), e.Max
		if most > 0 {
			most--
		}
		if x.nullable(k) {
			least = 0
		}
		end := x.with(k)
		if before := x.without(k); end != nil && before != nil && most != 0 {
			rep := syntax.NewRep(e.Pos, before, least, most)
			rep.Lazy = e.Lazy
			end = syntax.NewSeq(e.Pos, rep, end)
		} else if least > 0 {
			end = nil
		}
		ways = append(ways, end)
	case e.Op == grammar.Seq:
		var before []*syntax.Expr
		for i, k := range e.Children {
			rest := &syntax.Expr{Op: grammar.Seq, Children: e.Children[i+1:]}
			if end := x.with(k); end != nil && x.nullable(rest) {
				way := (&syntax.Expr{Op: grammar.Seq, Pos: e.Pos, Children: append(slices.Clone(before), end)}).Clone()
				way.Annotations = append(way.Annotations, e.Annotations...)
				ways = append(ways, way)
			}
			k = x.without(k)
			if k == nil {
				break
			}
			before = append(before, k)
		}
	}
	ways = slices.DeleteFunc(ways, func(w *syntax.Expr) bool { return w == nil })
	if len(ways) == 0 {
		return nil
	}
	return syntax.NewChoice(e.Pos, ways...)
}
