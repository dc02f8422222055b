package swarm

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/core/marks"
)

// Feature is a part of the grammar that a configuration has or lacks.
type Feature struct {
	// Name names the feature in files and messages: "rule" for the single
	// production of a rule and for a token; "rule/2" for alternative 2 (from 0)
	// of the rule's first choice and "rule/1.2" of its choice 1, counted from 0
	// in the order written; "rule/'x'" and "rule/1.'x'" for a member of a class.
	Name string

	Rule *grammar.Rule // where it is written
	Expr *grammar.Expr // the choice or class; nil: the rule as a whole
	Alt  int           // index of the alternative, or of the member in Expr.Gen

	produces int   // the produced node
	consumes []use // the consumed nodes, each once
	self     bool  // the feature needs its own product
	coin     Coin
}

// label returns the name that the grammar gives the alternative, or "".
func (f *Feature) label() string {
	if f.Expr != nil && f.Expr.Op == grammar.Choice && f.Expr.Labels != nil {
		return f.Expr.Labels[f.Alt]
	}
	return ""
}

// use is a node that a feature consumes.
type use struct {
	node   int
	needed bool // the feature derives nothing without the node
}

// node is a product of features: a rule, or a choice or class within one.
type node struct {
	producers []int // features
	consumers []int // features with another product
}

// mostMembers bounds the features of a class; mostMembersEach bounds them where only "* members"
// demands them.
const (
	mostMembers     = 4096
	mostMembersEach = 256
)

// builder finds the features of a grammar.
type builder struct {
	s     *Swarm
	facts *grammar.Facts
	rules map[*grammar.Rule]int // nodes
	exprs map[*grammar.Expr]int
	todo  []*grammar.Rule
	names map[*grammar.Expr]string // of alternatives
	count map[*grammar.Rule]int    // classes found in a rule
	err   error
}

// build finds the features of every rule that the start rule reaches, in the order
// of the grammar.
func (s *Swarm) build() error {
	m := &builder{
		s: s, facts: s.g.Facts(nil, grammar.Exact),
		rules: map[*grammar.Rule]int{}, exprs: map[*grammar.Expr]int{}, names: map[*grammar.Expr]string{}, count: map[*grammar.Rule]int{},
	}
	for _, p := range marks.Parts(s.g) {
		m.names[p.Expr] = p.Name
	}
	if !m.facts.Productive(s.g.Root) {
		return fmt.Errorf("rule %s derives nothing", s.g.Start.Name)
	}
	s.start = m.rule(s.g.Start)
	for len(m.todo) > 0 && m.err == nil {
		r := m.todo[0]
		m.todo = m.todo[1:]
		m.features(r)
	}
	if m.err != nil {
		return m.err
	}
	slices.SortStableFunc(s.features, func(a, b *Feature) int { return a.Rule.ID - b.Rule.ID })
	return nil
}

// rule returns the node of a rule.
func (m *builder) rule(r *grammar.Rule) int {
	id, ok := m.rules[r]
	if !ok {
		id = m.newNode()
		m.rules[r] = id
		m.todo = append(m.todo, r)
	}
	return id
}

func (m *builder) newNode() int {
	m.s.nodes = append(m.s.nodes, node{})
	return len(m.s.nodes) - 1
}

// features finds the features of a rule.
func (m *builder) features(r *grammar.Rule) {
	f := &Feature{Name: r.Name, Rule: r, produces: m.rules[r]}
	switch {
	case !m.facts.Productive(r.Body):
	case m.s.closed(r):
		m.s.features = append(m.s.features, f)
	case r.Body.Op == grammar.Choice:
		m.alternatives(r, r.Body, m.rules[r])
	default:
		m.s.features = append(m.s.features, f)
		m.collect(f, r, r.Body, true)
	}
}

// closed reports whether a rule is one feature, without features inside.
func (s *Swarm) closed(r *grammar.Rule) bool {
	return r.Kind.Lexical() && s.o.Measure == grammar.Structure && !s.o.Coins.members(r.Name)
}

// alternatives makes the features that produce the node of a choice.
func (m *builder) alternatives(r *grammar.Rule, e *grammar.Expr, node int) {
	for i, child := range e.Children {
		if !m.facts.Productive(child) {
			continue // never taken, whichever other features are in
		}
		f := &Feature{Name: m.names[child], Rule: r, Expr: e, Alt: i, produces: node}
		m.s.features = append(m.s.features, f)
		m.collect(f, r, child, true)
	}
}

// collect adds the nodes that expression e in the body of f consumes; e is written
// in rule r.
func (m *builder) collect(f *Feature, r *grammar.Rule, e *grammar.Expr, needed bool) {
	switch e.Op {
	case grammar.Class:
		if m.s.o.Coins.members(r.Name) && e.Gen.Len() > 1 {
			m.class(f, r, e, needed)
		}
	case grammar.Seq:
		for _, k := range e.Children {
			m.collect(f, r, k, needed)
		}
	case grammar.Choice:
		if r.Inline {
			for _, k := range e.Children { // a choice that is not written in the grammar has no features
				m.collect(f, r, k, false)
			}
			return
		}
		id, ok := m.exprs[e]
		if !ok {
			id = m.newNode()
			m.exprs[e] = id
			m.alternatives(r, e, id)
		}
		f.consume(id, needed)
	case grammar.Rep:
		if e.Max != 0 {
			m.collect(f, r, e.Children[0], needed && e.Min > 0)
		}
	case grammar.Ref:
		switch {
		case e.Rule == nil || e.Rule.Kind == grammar.Skip && !e.Rule.Inline || !m.facts.Productive(e.Rule.Body):
		case e.Rule.Inline:
			m.collect(f, e.Rule, e.Rule.Body, needed)
		default:
			f.consume(m.rule(e.Rule), needed)
		}
	}
}

// class makes a feature of every member of a class.
func (m *builder) class(f *Feature, r *grammar.Rule, e *grammar.Expr, needed bool) {
	n := e.Gen.Len()
	switch {
	case n > mostMembersEach && !m.s.o.Coins.named(r.Name):
		return
	case n > mostMembers:
		m.err = grammar.Diagnostics{{Severity: grammar.Error, Pos: e.Pos, Code: "members", Rule: r.Name,
			Message: fmt.Sprintf("the class has %d members, too many to be features", n),
			Hint:    fmt.Sprintf("name rules whose classes have at most %d", mostMembers)}}
		return
	}
	id, ok := m.exprs[e]
	if !ok {
		id = m.newNode()
		m.exprs[e] = id
		which := ""
		if k := m.count[r]; k > 0 {
			which = strconv.Itoa(k) + "."
		}
		m.count[r]++
		for i := range n {
			m.s.features = append(m.s.features, &Feature{
				Name: r.Name + "/" + which + strconv.QuoteRune(e.Gen.At(i)), Rule: r, Expr: e, Alt: i, produces: id,
			})
		}
	}
	f.consume(id, needed)
}

func (f *Feature) consume(node int, needed bool) {
	for i := range f.consumes {
		if f.consumes[i].node == node {
			f.consumes[i].needed = f.consumes[i].needed || needed
			return
		}
	}
	f.consumes = append(f.consumes, use{node, needed})
}
