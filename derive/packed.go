package derive

import (
	"sync"

	"github.com/gramfuzz/gramfuzz/grammar"
)

// Row is a [Node] in 20 bytes without pointers. Large trees are made in a fraction of the
// time, and the garbage collector does not scan them. Expr is the [grammar.Expr]'s ID. For a
// node with a name it is the complement of the ID, and Val is the index of its text.
type Row struct{ Expr, Val, End, From, To int32 }

// Packed is the nodes of a tree as rows, for [NewPacked].
//
// Rows may leave out the nodes inside a token. A row of a reference with a negative Val stands
// for all of them, and Inside makes them on demand. Node and choice numbers are those of the
// whole tree.
type Packed struct {
	Rows    []Row
	Texts   []string // of the nodes with names
	Choices []int32  // without those inside tokens
	GapAt   []int32  // the nodes with layout before them, in order; the number of nodes stands for the end of the text
	Gaps    []string

	// Inside makes the inside of a row's token: its nodes, numbered from node on, or, if nodes
	// is nil, its choices. It may be called by several goroutines at once.
	Inside func(row Row, node int, nodes []Node, choices []int)
}

// NewPacked is [NewTree] for nodes in rows.
func NewPacked(g *grammar.Grammar, p Packed) *Tree {
	return &Tree{Grammar: g, packed: &packed{Packed: p, n: p.Rows[0].End}}
}

// packed is the nodes of a tree and its layout, expanded on demand.
type packed struct {
	Packed
	n     int32 // nodes
	made  sync.Once
	nodes []Node

	chosen sync.Once
	all    []int // choices

	laid    sync.Once
	spelled []string
}

// token reports whether a row also stands for the inside of a token.
func (r *Row) token() bool { return r.Expr >= 0 && r.Val < 0 }

// layout makes the layout of every node.
func (p *packed) layout() []string {
	p.laid.Do(func() {
		if len(p.Gaps) == 0 {
			return
		}
		p.spelled = make([]string, p.n+1)
		for i, at := range p.GapAt {
			p.spelled[at] = p.Gaps[i]
		}
	})
	return p.spelled
}

// open makes the nodes.
func (p *packed) open(g *grammar.Grammar) []Node {
	p.made.Do(func() {
		p.nodes = make([]Node, p.n)
		at := 0
		for _, r := range p.Rows {
			n := &p.nodes[at]
			at++
			n.Val, n.End, n.From, n.To = int(r.Val), int(r.End), int(r.From), int(r.To)
			switch {
			case r.Expr < 0:
				r.Expr, n.Name, n.Text, n.Val = ^r.Expr, true, p.Texts[r.Val], 0
			case r.token():
				n.Val = 0
				p.Inside(r, at, p.nodes[at:r.End], nil)
				at = n.End
			}
			n.Expr = g.Exprs[r.Expr]
		}
	})
	return p.nodes
}

// chain makes the choice sequence.
func (p *packed) chain() []int {
	p.chosen.Do(func() {
		p.all = make([]int, p.Rows[0].To)
		at, from := 0, p.Choices
		upTo := func(end int) {
			for i, c := range from[:end-at] {
				p.all[at+i] = int(c)
			}
			at, from = end, from[end-at:]
		}
		for _, r := range p.Rows {
			if r.token() {
				upTo(int(r.From))
				p.Inside(r, 0, nil, p.all[r.From:r.To])
				at = int(r.To)
			}
		}
		upTo(len(p.all))
	})
	return p.all
}
