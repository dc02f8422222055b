package derive

import (
	"sync"

	"github.com/gramfuzz/gramfuzz/grammar"
)

// Row is a [Node] in 20 bytes without a pointer: large trees are made in a fraction of
// the time, and nothing looks through them for garbage. Expr is the [grammar.Expr]'s ID.
// Of a node with a name it is the complement of that, and Val is the index of its text.
type Row struct{ Expr, Val, End, From, To int32 }

// RowGap is the layout before a node of that number; that of the end of the text is their
// count.
type RowGap struct {
	Node int32
	Text string
}

// NewPacked is [NewTree] with rows for nodes, the texts of those with names, and the
// layout of nodes that have some, in order.
func NewPacked(g *grammar.Grammar, rows []Row, texts []string, choices []int32, gaps []RowGap) *Tree {
	return &Tree{Grammar: g, packed: &packed{rows: rows, texts: texts, choices: choices, gaps: gaps, n: len(rows)}}
}

// packed is the nodes of a tree, and its layout, before and after they are asked for.
type packed struct {
	made  sync.Once
	rows  []Row
	texts []string
	nodes []Node

	chosen  sync.Once
	choices []int32
	wide    []int

	laid    sync.Once
	gaps    []RowGap
	n       int
	spelled []string
}

// chain makes the choice sequence.
func (p *packed) chain() []int {
	p.chosen.Do(func() {
		p.wide = make([]int, len(p.choices))
		for i, c := range p.choices {
			p.wide[i] = int(c)
		}
		p.choices = nil
	})
	return p.wide
}

// layout makes the layout of every node.
func (p *packed) layout() []string {
	p.laid.Do(func() {
		if len(p.gaps) == 0 {
			return
		}
		p.spelled = make([]string, p.n+1)
		for _, g := range p.gaps {
			p.spelled[g.Node] = g.Text
		}
		p.gaps = nil
	})
	return p.spelled
}

// open makes the nodes.
func (p *packed) open(g *grammar.Grammar) []Node {
	p.made.Do(func() {
		p.nodes = make([]Node, len(p.rows))
		for i, r := range p.rows {
			n := &p.nodes[i]
			if r.Expr < 0 {
				r.Expr, n.Name, n.Text, r.Val = ^r.Expr, true, p.texts[r.Val], 0
			}
			n.Expr, n.Val, n.End, n.From, n.To = g.Exprs[r.Expr], int(r.Val), int(r.End), int(r.From), int(r.To)
		}
		p.rows, p.texts = nil, nil
	})
	return p.nodes
}
