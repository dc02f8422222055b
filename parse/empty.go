package parse

import (
	"fmt"
	"math/big"
	"slices"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/base/graphs"
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

// emptyFragment returns the empty derivations of e, which must have one.
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

// emptyHead returns the empty derivations of elements i … Min of the repetition e.
func (l *lowering) emptyHead(e *grammar.Expr, i int) fragment {
	f := fragment{}
	one := elem(e).then(l.emptyFragment(e.Children[0]))
	for ; i < e.Min; i++ {
		f.steps = append(f.steps, one.steps...)
	}
	return f
}

// emptyPart returns the empty derivations of the rest of a repetition e after i complete
// elements. An unbounded repetition ends at its minimum.
func (l *lowering) emptyPart(e *grammar.Expr, i int) fragment {
	if e.Max < 0 {
		return l.emptyHead(e, i)
	}
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
			fs = append(fs, elem(e).then(l.emptyFragment(e.Children[0])).then(l.emptyPart(e, k.i+1)))
		}
		if k.i == 0 { // inner parts are already inside the node
			for i := range fs {
				fs[i] = fs[i].wrap(open)
			}
		}
	}
	id := l.byEmpty[k]
	for _, f := range fs {
		l.empties[id] = append(l.empties[id], int32(len(l.prods)))
		l.prods = append(l.prods, production{lhs: -1, steps: f.steps})
	}
}

// emptyParts returns the empty nonterminals contained in another one.
func (l *lowering) emptyParts(id int32) (ids []int32) {
	for _, p := range l.empties[id] {
		for _, s := range l.prods[p].steps {
			if s.op == opEmpty {
				ids = append(ids, s.arg)
			}
		}
	}
	return ids
}

// acyclic checks that every text has finitely many trees: no nonterminal derives just itself,
// with or without empty parts around it.
func (l *lowering) acyclic() error {
	n := len(l.nonterms)
	next := make([][]int32, n+len(l.empties))
	for i := range l.prods {
		p := &l.prods[i]
		if p.lhs >= 0 && len(p.rhs) == 1 && p.rhs[0] >= 0 {
			next[p.lhs] = append(next[p.lhs], p.rhs[0])
		}
	}
	for id := range l.empties {
		for _, k := range l.emptyParts(int32(id)) {
			next[n+id] = append(next[n+id], int32(n)+k)
		}
	}
	for _, c := range graphs.Components(len(next), func(id int32) []int32 { return next[id] }) {
		if len(c) == 1 && !slices.Contains(next[c[0]], c[0]) {
			continue
		}
		name := l.g.Start.Name
		if int(c[0]) < n {
			name = l.nonterms[c[0]].rule.Name
		}
		return fmt.Errorf("%w: in rule %s", ErrCyclic, name)
	}
	return nil
}

// countEmpties counts the derivations of every empty nonterminal. They do not depend on the
// text, so one count per table is enough.
func (t *table) countEmpties() {
	t.emptyCounts = make([]*big.Int, len(t.empties))
	for _, c := range graphs.Components(len(t.empties), t.emptyParts) { // parts come first
		sum := new(big.Int)
		for _, p := range t.empties[c[0]] {
			ways := big.NewInt(1)
			for _, s := range t.prods[p].steps {
				if s.op == opEmpty {
					ways.Mul(ways, t.emptyCounts[s.arg])
				}
			}
			sum.Add(sum, ways)
		}
		if sum.Cmp(one) == 0 {
			sum = one // the parsers compare the pointer
		} else {
			t.manyEmpties = true
		}
		t.emptyCounts[c[0]], t.emptyOrder = sum, append(t.emptyOrder, c[0])
	}
}
