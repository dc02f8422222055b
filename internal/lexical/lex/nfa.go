package lex

import (
	"errors"
	"fmt"

	"github.com/gramfuzz/gramfuzz/grammar"
)

// Bounds of the automata, in states, and of the nesting of rules. Token rules of real
// grammars stay far below. Without the bounds, memory could grow without limit.
const (
	maxNFA   = 400_000
	maxDFA   = 40_000
	maxDepth = 2000
)

// errTooLarge is the error for an automaton beyond the bounds.
var errTooLarge = errors.New("its automaton would be too large")

// recursionError is the error for a recursive rule where a regular expression is needed.
type recursionError struct{ rule string }

func (e *recursionError) Error() string { return fmt.Sprintf("rule %q is recursive", e.rule) }

// nstate is a state of a non-deterministic automaton. It reads one of syms and goes to
// next. If syms is nil, it goes to any of eps without reading; eps is in order of
// preference.
type nstate struct {
	syms []sym
	next int32
	eps  []int32
	lazy bool // a decision of a non-greedy loop
}

// nfa is an automaton under construction. State 0 is the only final state.
type nfa struct {
	al     *alphabet
	bodies map[*grammar.Rule]*grammar.Expr // the replaced bodies of rules
	states []nstate
	lazy   bool // some decision is non-greedy
	flat   bool // a recursive reference has no texts; otherwise it is an error
	within []*grammar.Rule
	sets   map[string][]sym // of classes, by their ranges
	key    []byte
}

func newNFA(al *alphabet, bodies map[*grammar.Rule]*grammar.Expr) *nfa {
	return &nfa{al: al, bodies: bodies, states: make([]nstate, 1), sets: make(map[string][]sym)}
}

func (n *nfa) add(s nstate) (int32, error) {
	if len(n.states) >= maxNFA {
		return 0, errTooLarge
	}
	n.states = append(n.states, s)
	return int32(len(n.states) - 1), nil
}

// compile adds the states of e and returns its first one. After a text of e, reading
// continues at state next.
func (n *nfa) compile(e *grammar.Expr, next int32) (int32, error) {
	switch e.Op {
	case grammar.Lit:
		return n.text(e.Text, next)
	case grammar.Class:
		n.key = appendClass(n.key[:0], e)
		syms, ok := n.sets[string(n.key)]
		if !ok {
			syms = n.al.class(classSet(e))
			n.sets[string(n.key)] = syms
		}
		return n.add(nstate{syms: orNone(syms), next: next})
	case grammar.Seq:
		return n.seq(e.Children, next)
	case grammar.Choice:
		eps := make([]int32, len(e.Children))
		for i, k := range e.Children {
			s, err := n.compile(k, next)
			if err != nil {
				return 0, err
			}
			eps[i] = s
		}
		return n.add(nstate{eps: eps})
	case grammar.Rep:
		return n.rep(e, next)
	case grammar.Ref:
		return n.ref(e, next)
	}
	d, err := n.difference(e)
	if err != nil {
		return 0, err
	}
	return n.embed(d, next)
}

// orNone returns syms, but never nil. A state with nil syms has empty transitions; one
// with empty syms reads nothing at all.
func orNone(syms []sym) []sym {
	if syms == nil {
		return []sym{}
	}
	return syms
}

func (n *nfa) text(text string, next int32) (int32, error) {
	syms := n.al.text(text)
	for i := len(syms) - 1; i >= 0; i-- {
		s, err := n.add(nstate{syms: syms[i : i+1 : i+1], next: next})
		if err != nil {
			return 0, err
		}
		next = s
	}
	return next, nil
}

func (n *nfa) seq(children []*grammar.Expr, next int32) (int32, error) {
	var parts []*grammar.Expr
	for i := 0; i < len(children); {
		text, run := litRun(children[i:])
		if run > 1 {
			parts = append(parts, newLit(children[i].Pos, text))
			i += run
			continue
		}
		parts = append(parts, children[i])
		i++
	}
	for i := len(parts) - 1; i >= 0; i-- {
		s, err := n.compile(parts[i], next)
		if err != nil {
			return 0, err
		}
		next = s
	}
	return next, nil
}

func (n *nfa) rep(e *grammar.Expr, next int32) (int32, error) {
	n.lazy = n.lazy || e.Lazy
	at := next
	if e.Max < 0 {
		loop, err := n.add(nstate{eps: []int32{}, lazy: e.Lazy})
		if err != nil {
			return 0, err
		}
		body, err := n.compile(e.Children[0], loop)
		if err != nil {
			return 0, err
		}
		n.states[loop].eps = preferred(body, next, e.Lazy)
		at = loop
	}
	for i := e.Min; i < e.Max; i++ { // the optional elements, in reverse order
		body, err := n.compile(e.Children[0], at)
		if err != nil {
			return 0, err
		}
		if at, err = n.add(nstate{eps: preferred(body, next, e.Lazy), lazy: e.Lazy}); err != nil {
			return 0, err
		}
	}
	for i := 0; i < e.Min; i++ {
		before := len(n.states)
		body, err := n.compile(e.Children[0], at)
		if err != nil {
			return 0, err
		}
		if len(n.states) == before { // the element is the empty text
			return at, nil
		}
		at = body
	}
	return at, nil
}

func preferred(body, exit int32, lazy bool) []int32 {
	if lazy {
		return []int32{exit, body}
	}
	return []int32{body, exit}
}

func (n *nfa) ref(e *grammar.Expr, next int32) (int32, error) {
	if e.Rule == nil { // reported by the checks; it has no texts
		return n.add(nstate{syms: []sym{}})
	}
	return n.rule(e.Rule, next)
}

func (n *nfa) rule(r *grammar.Rule, next int32) (int32, error) {
	for _, w := range n.within {
		if w == r && n.flat {
			return n.add(nstate{syms: []sym{}})
		}
		if w == r {
			return 0, &recursionError{r.Name}
		}
	}
	if len(n.within) > maxDepth {
		return 0, errTooLarge
	}
	n.within = append(n.within, r)
	s, err := n.compile(bodyOf(n.bodies, r), next)
	n.within = n.within[:len(n.within)-1]
	return s, err
}

// difference builds the automaton of the texts of A that are not texts of B.
func (n *nfa) difference(e *grammar.Expr) (*dfa, error) {
	var ds [2]*dfa
	for i, k := range e.Children {
		sub := newNFA(n.al, n.bodies)
		sub.within, sub.sets = n.within, n.sets
		start, err := sub.compile(k, 0)
		if err != nil {
			return nil, err
		}
		if ds[i], err = sub.determinize(start); err != nil {
			return nil, err
		}
	}
	d, err := product(ds[0], ds[1], func(a, b bool) bool { return a && !b })
	if err != nil {
		return nil, err
	}
	return d.minimize(), nil
}

// embed adds a copy of d and returns its first state. After a text of d, reading continues
// at state next.
func (n *nfa) embed(d *dfa, next int32) (int32, error) {
	if d.empty() {
		return n.add(nstate{syms: []sym{}})
	}
	states := make([]int32, d.len())
	for s := range states {
		id, err := n.add(nstate{eps: []int32{}})
		if err != nil {
			return 0, err
		}
		states[s] = id
	}
	for s := range states {
		var eps []int32
		if d.accept[s] {
			eps = append(eps, next)
		}
		for _, edge := range d.edges(int32(s)) {
			id, err := n.add(nstate{syms: edge.syms, next: states[edge.to]})
			if err != nil {
				return 0, err
			}
			eps = append(eps, id)
		}
		n.states[states[s]].eps = eps
	}
	return states[0], nil
}
