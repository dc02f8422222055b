package lex

import "github.com/gramfuzz/gramfuzz/grammar"

// network is the syntax rules as recursive transition networks. Expectations are
// computed over it.
type network struct {
	nodes    []netNode
	entry    []int32 // by rule ID: where a syntax rule begins, -1 for others
	nullable []bool  // by rule ID
	start    int32   // calls the start rule
}

type netOp uint8

const (
	netTerm netOp = iota // a token of the kind arg
	netCall              // the rule with the ID arg, then next
	netFork              // each of to
	netEnd               // the end of the rule with the ID arg; -1: of the text
)

// netNode is a place in a rule. glued says that no layout may stand before the
// next token if the rule has been begun (see grammar.Rule.Glued).
type netNode struct {
	op    netOp
	glued bool
	tight bool // netTerm: no layout may stand before the token at all
	arg   int32
	next  int32
	to    []int32
}

// unrolled bounds the copies of the body of a counted repetition in a network. A
// repetition with more optional elements is read as if it were unbounded.
const unrolled = 32

type netBuilder struct {
	*network
	l     *Lexer
	facts *grammar.Facts
	glued bool
}

// newNetwork makes the networks of the syntax rules. The cost is linear in them.
func newNetwork(l *Lexer) *network {
	g := l.grammar
	b := &netBuilder{network: &network{entry: make([]int32, len(g.Rules)), nullable: make([]bool, len(g.Rules))},
		l: l, facts: g.Facts(nil, grammar.Structure)}
	for _, r := range g.Rules {
		b.entry[r.ID] = -1
		if r.Kind != grammar.Syntax {
			continue
		}
		b.glued = r.Glued
		b.entry[r.ID] = b.expr(r.Body, b.add(netNode{op: netEnd, arg: int32(r.ID)}))
		b.nullable[r.ID] = b.facts.Nullable(r.Body)
	}
	b.glued = false
	b.start = b.expr(g.Root, b.add(netNode{op: netEnd, arg: -1}))
	return b.network
}

func (b *netBuilder) add(n netNode) int32 {
	n.glued = b.glued
	b.nodes = append(b.nodes, n)
	return int32(len(b.nodes) - 1)
}

// expr adds e, followed by next, and returns where it begins.
func (b *netBuilder) expr(e *grammar.Expr, next int32) int32 {
	if !b.facts.Productive(e) {
		return b.add(netNode{op: netFork}) // no way on
	}
	switch e.Op {
	case grammar.Seq:
		for i := len(e.Children) - 1; i >= 0; i-- {
			next = b.expr(e.Children[i], next)
		}
		return next
	case grammar.Choice:
		to := make([]int32, len(e.Children))
		for i, k := range e.Children {
			to[i] = b.expr(k, next)
		}
		return b.add(netNode{op: netFork, to: to})
	case grammar.Rep:
		return b.rep(e, next)
	case grammar.Ref:
		switch {
		case e.Rule.Kind == grammar.Skip:
			return next // layout derives nothing among tokens
		case e.Rule.Kind == grammar.Syntax:
			return b.add(netNode{op: netCall, arg: int32(e.Rule.ID), next: next})
		}
	}
	if e.Op == grammar.Lit && e.Text == "" {
		return next
	}
	return b.add(netNode{op: netTerm, arg: int32(b.l.KindOf(e)), next: next, tight: e.Op == grammar.Ref && e.Rule.Glued})
}

func (b *netBuilder) rep(e *grammar.Expr, next int32) int32 {
	if e.Max < 0 || e.Max-e.Min > unrolled {
		loop := b.add(netNode{op: netFork})
		body := b.expr(e.Children[0], loop)
		b.nodes[loop].to = []int32{body, next}
		next = loop
	} else {
		for range e.Max - e.Min {
			next = b.add(netNode{op: netFork, to: []int32{b.expr(e.Children[0], next), next}})
		}
	}
	for range min(e.Min, unrolled) {
		next = b.expr(e.Children[0], next)
	}
	return next
}
