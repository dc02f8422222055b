package parse

import (
	"fmt"

	"github.com/gramfuzz/gramfuzz/grammar"
)

// empty returns the number of the empty nonterminal for k.
func (l *lowering) empty(k emptyKey) int32 {
	id, ok := l.byEmpty[k]
	if !ok {
		id = int32(len(l.empties))
		l.byEmpty[k] = id
		l.empties = append(l.empties, nil)
		l.emptyTodo = append(l.emptyTodo, k)
	}
	return id
}

func (l *lowering) emptyChild(k emptyKey) fragment {
	return fragment{steps: []step{{op: opEmpty, arg: l.empty(k)}}}
}

// emptyFragment returns the empty derivations of e, which has one.
func (l *lowering) emptyFragment(e *grammar.Expr) fragment {
	open := step{op: opOpen, expr: e}
	switch {
	case e.Op == grammar.Lit:
		return fragment{steps: []step{{op: opLit, expr: e}}}
	case e.Op == grammar.Rep && (e.Max == 0 || e.Min == 0 && (e.Max < 0 || !l.facts.Nullable(e.Children[0]))):
		return fragment{}.wrap(open)
	case e.Op == grammar.Ref && e.Rule.Kind == grammar.Skip && !e.Rule.Inline:
		return fragment{}.wrap(open)
	}
	return l.emptyChild(emptyKey{e, 0})
}

// nullableFrom reports whether all children i … of the sequence e can be empty.
func (l *lowering) nullableFrom(e *grammar.Expr, i int) bool {
	for _, k := range e.Children[i:] {
		if !l.facts.Nullable(k) {
			return false
		}
	}
	return true
}

// emptyRest returns the empty derivations of children i … of the sequence e.
func (l *lowering) emptyRest(e *grammar.Expr, i int) fragment {
	f := fragment{}
	for _, k := range e.Children[i:] {
		f = f.then(l.emptyFragment(k))
	}
	return f
}

// emptyHead returns the empty derivations of the elements i … Min of the
// repetition e.
func (l *lowering) emptyHead(e *grammar.Expr, i int) fragment {
	f := fragment{}
	one := elem.then(l.emptyFragment(e.Children[0]))
	for ; i < e.Min; i++ {
		f.steps = append(f.steps, one.steps...)
	}
	return f
}

// emptyPart returns the empty derivations of the bounded repetition e when i
// elements are complete.
func (l *lowering) emptyPart(e *grammar.Expr, i int) fragment {
	if i == e.Max || i >= e.Min && !l.facts.Nullable(e.Children[0]) {
		return fragment{}
	}
	return l.emptyChild(emptyKey{e, i})
}

// fillEmpty makes the productions of the empty nonterminal for k.
func (l *lowering) fillEmpty(k emptyKey) {
	e := k.expr
	var fs []fragment
	open := step{op: opOpen, expr: e}
	switch {
	case e.Op == grammar.Choice:
		for i, child := range e.Children {
			if l.facts.Nullable(child) {
				open.arg = int32(i)
				fs = append(fs, l.emptyFragment(child).wrap(open))
			}
		}
	case e.Op == grammar.Ref:
		fs = append(fs, l.emptyFragment(e.Rule.Body).wrap(open))
	case e.Op == grammar.Seq:
		fs = append(fs, l.emptyRest(e, 0))
	case e.Op == grammar.Rep && e.Max < 0:
		fs = append(fs, l.emptyHead(e, 0).wrap(open))
	case e.Op == grammar.Rep:
		if k.i >= e.Min {
			fs = append(fs, fragment{})
		}
		if k.i < e.Max && l.facts.Nullable(e.Children[0]) {
			fs = append(fs, elem.then(l.emptyFragment(e.Children[0])).then(l.emptyPart(e, k.i+1)))
		}
		if k.i == 0 { // inner parts stand inside of the node already
			for i := range fs {
				fs[i] = fs[i].wrap(open)
			}
		}
	default:
		fs = append(fs, l.emptyFragment(e))
	}
	id := l.byEmpty[k]
	for _, f := range fs {
		l.empties[id] = append(l.empties[id], int32(len(l.prods)))
		l.prods = append(l.prods, production{lhs: -1, steps: f.steps})
	}
}

// acyclic makes sure that every text has finitely many trees: that no
// nonterminal derives just itself, empty or not.
func (l *lowering) acyclic() error {
	n := len(l.nonterms)
	next := make([][]int32, n+len(l.empties))
	for i := range l.prods {
		p := &l.prods[i]
		if p.lhs >= 0 && len(p.rhs) == 1 && p.rhs[0] >= 0 {
			next[p.lhs] = append(next[p.lhs], p.rhs[0])
		}
	}
	for id, prods := range l.empties {
		for _, p := range prods {
			for _, s := range l.prods[p].steps {
				if s.op == opEmpty {
					next[n+id] = append(next[n+id], int32(n)+s.arg)
				}
			}
		}
	}
	state := make([]uint8, len(next)) // 0 new, 1 open, 2 done
	type visit struct {
		id   int32
		next int
	}
	for root := range next {
		if state[root] != 0 {
			continue
		}
		state[root] = 1
		stack := []visit{{int32(root), 0}}
		for len(stack) > 0 {
			v := &stack[len(stack)-1]
			if v.next == len(next[v.id]) {
				state[v.id] = 2
				stack = stack[:len(stack)-1]
				continue
			}
			k := next[v.id][v.next]
			v.next++
			switch state[k] {
			case 0:
				state[k] = 1
				stack = append(stack, visit{k, 0})
			case 1:
				name := l.g.Start.Name
				if int(k) < n {
					name = l.nonterms[k].rule.Name
				}
				return fmt.Errorf("%w: in rule %s", ErrCyclic, name)
			}
		}
	}
	return nil
}
