package scope

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/core"
)

// Unsatisfied returns a warning for each use of a name, or of a bound text, that no derivation
// reaches with such a name in play, and for each scope that refuses every inside since it uses a name
// that cannot be defined there. It looks at the names of one type at a time, takes new names to be
// left always, and costs for each type about the time of looking ahead once with only its names.
// Errors: [StatesError], [core.MemoryError].
func (n *Names) Unsatisfied(facts *grammar.Facts) (grammar.Diagnostics, error) {
	came, possible, refused := map[*grammar.Expr]bool{}, map[*grammar.Expr]bool{}, map[*grammar.Expr]bool{}
	for c, ns := range n.namespaces {
		if ns.total(c) {
			continue
		}
		names := n.Keeping("")
		names.free = ^(1 << c)
		sp := &States{Names: names, endless: true}
		if err := sp.code(sp.roughly); err != nil {
			return nil, err
		}
		v := &visits{sp: sp, order: newOrder(sp), at: make([][]State, len(n.grammar.Exprs))}
		v.reach = core.NewReach(n.grammar, facts, ordered{sp, v.order}, 0, core.DefaultBudget, core.DefaultBudget).Loose()
		v.enter(n.grammar.Root, 0)
		for len(v.queue) > 0 && v.err == nil {
			next := v.queue[len(v.queue)-1]
			v.queue = v.queue[:len(v.queue)-1]
			v.visit(next.e, next.s)
		}
		if v.err != nil {
			return nil, n.ofNames(v.err)
		}
		for id, el := range n.at {
			e := n.grammar.Exprs[id]
			for _, s := range v.at[id] {
				switch {
				case el == nil:
				case (el.Kind == Use || el.Kind == Same) && el.Classes>>c&1 != 0:
					came[e] = true
					possible[e] = possible[e] || ns.forward > 0 || sp.space.Part(v.inside(el, s), c)&1 != 0
				case len(v.ends(e, s)) == 0 && slices.ContainsFunc(el.Wraps, func(w core.Wrap) bool { return w.Kind == Scope && w.Component == c && ns.forward > 0 }):
					refused[e] = true
				}
			}
		}
	}
	var uses, scopes grammar.Diagnostics
	for _, e := range n.grammar.Exprs {
		switch {
		case came[e] && !possible[e]:
			uses = append(uses, n.unsatisfied(e)...)
		case refused[e]:
			scopes = append(scopes, n.unsatisfied(e)...)
		}
	}
	if len(uses) > 0 { // scopes may be refused for them
		return uses, nil
	}
	return scopes, nil
}

// unsatisfied returns the warning about an element that no state before it makes possible.
func (n *Names) unsatisfied(e *grammar.Expr) grammar.Diagnostics {
	annotations := e.Annotations
	for _, r := range n.grammar.Rules {
		if r.Body == e {
			annotations = append(slices.Clone(annotations), r.Annotations...)
		}
	}
	for _, a := range annotations {
		d := grammar.Diagnostic{Severity: grammar.Warning, Pos: a.Pos, Code: "annotation"}
		switch {
		case a.Name == "same":
			d.Message, d.Hint = fmt.Sprintf("no text of %q is bound before this", a.Args[0]), "bind one with @bind before it"
		case a.Name == "use":
			of := ""
			if len(a.Args) > 1 {
				of = " of type " + strings.Join(a.Args[1:], " or ")
			}
			d.Message = fmt.Sprintf("no name%s in namespace %q can be visible here, so this is in no sentence", of, a.Args[0])
			d.Hint = "define one before it, in the same scope or around it"
		case a.Name == "scope" || a.Name == "forward":
			d.Message = fmt.Sprintf("a name of namespace %q is used here and cannot be defined in this scope, so this is in no sentence", a.Args[0])
			d.Hint = "let the scope have its definition"
		default:
			continue
		}
		return grammar.Diagnostics{d}
	}
	return nil
}

// visits finds the states in which derivations come to each expression.
type visits struct {
	sp    *States
	order *order
	reach *core.Reach
	at    [][]State // by Expr.ID: those that none of the others is at least
	queue []visit
	err   error
}

type visit struct {
	e *grammar.Expr
	s State
}

// enter notes that a derivation comes to e in state s.
func (v *visits) enter(e *grammar.Expr, s State) {
	if v.add(&v.at[e.ID], s) {
		v.queue = append(v.queue, visit{e, s})
	}
}

// add adds a state to a list if none there is at least it, and reports whether it did.
func (v *visits) add(list *[]State, s State) bool {
	if slices.ContainsFunc(*list, func(t State) bool { return v.order.atLeast(t, s) }) {
		return false
	}
	*list = append(slices.DeleteFunc(*list, func(t State) bool { return v.order.atLeast(s, t) }), s)
	return true
}

// ends returns the states after e.
func (v *visits) ends(e *grammar.Expr, s State) (ends []State) {
	outs, touch, err := v.reach.Outs(v.sp.Whole(e, grammar.Any), s)
	if err != nil {
		v.err = err
	}
	for _, o := range outs {
		ends = append(ends, v.sp.space.Merge(s, o.To, touch))
	}
	return ends
}

// inside returns the state at the beginning of an element's inside.
func (v *visits) inside(el *core.Action, s State) State {
	for _, w := range slices.Backward(el.Wraps) {
		s = v.sp.Enter(w, s)
	}
	return s
}

// visit enters the parts of e.
func (v *visits) visit(e *grammar.Expr, s State) {
	if el := v.sp.at[e.ID]; el != nil {
		s = v.inside(el, s)
		if el.Leaf {
			return
		}
	}
	switch e.Op {
	case grammar.Choice:
		for _, child := range e.Children {
			v.enter(child, s)
		}
	case grammar.Seq:
		states := []State{s}
		for _, child := range e.Children {
			var after []State
			for _, s := range states {
				v.enter(child, s)
				for _, end := range v.ends(child, s) {
					v.add(&after, end)
				}
			}
			states = after
		}
	case grammar.Rep:
		v.enter(e.Children[0], s)
		if e.Max == 1 {
			return
		}
		seen := []State{s}
		for i := 0; i < len(seen); i++ {
			for _, end := range v.ends(e.Children[0], seen[i]) {
				if v.add(&v.at[e.Children[0].ID], end) {
					v.queue = append(v.queue, visit{e.Children[0], end})
					seen = append(seen, end)
				}
			}
		}
	case grammar.Ref:
		if e.Rule != nil && !e.Rule.Kind.Lexical() {
			v.enter(e.Rule.Body, s)
		}
	}
}
