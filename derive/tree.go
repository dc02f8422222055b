package derive

import (
	"slices"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/base/rawbyte"
)

// Node is one node of a derivation tree. Literals, classes, choices, repetitions and
// references have nodes. A sequence has none; its elements take its place.
type Node struct {
	Expr *grammar.Expr

	// Val is the alternative taken at a choice, the number of elements of a
	// repetition, the character at a class, the value chosen at a name.
	Val int

	End int // the index after the last node of the subtree

	// From and To bound the part of the choice sequence that gives the subtree.
	From, To int

	// Name says that Text replaces the expression's own derivation, such as the name chosen at
	// @use(var).
	Name bool
	Text string
}

// Tree is a derivation tree: its nodes in pre-order, the root first. The root is
// the reference to the start rule. A finished Tree does not change, and any number
// of goroutines may read it.
type Tree struct {
	Grammar *grammar.Grammar

	// Raw holds encoded parts, and fields of groups of bits, whose form in the text that was
	// read differs from the one gramfuzz writes, in the order of their ends; "" for others.
	// They are kept until the tree is edited, because choices do not represent them.
	Raw []string

	nodes   []Node
	packed  *packed // nil, or the nodes as rows until they are expanded
	choices []int
	gaps    []string
}

// Nodes returns the nodes in pre-order, which the caller must not change. For a tree of
// [NewPacked] the first call makes them, in time linear in the tree.
func (t *Tree) Nodes() []Node {
	if t.packed != nil {
		return t.packed.open(t.Grammar)
	}
	return t.nodes
}

// Gaps returns the layout before each node, and one more for the end of the text. Only leaves
// have layout; "" is none. Gaps returns nil if the text has no layout.
func (t *Tree) Gaps() []string {
	if t.packed != nil {
		return t.packed.layout()
	}
	return t.gaps
}

// NewTree returns the tree with the given nodes, choices and gaps (nil: none). It is for
// parsers, which know the derivation without a [Machine]. Replaying the choices must give
// these nodes. For a binary grammar, the text follows from the choices alone if no node has a
// name. NewTree keeps the slices.
func NewTree(g *grammar.Grammar, nodes []Node, choices []int, gaps []string) *Tree {
	return &Tree{Grammar: g, nodes: nodes, gaps: gaps, choices: choices}
}

// Choices returns the choice sequence, which replays to this tree. The caller
// must not change it.
func (t *Tree) Choices() []int {
	if t.packed != nil {
		return t.packed.chain()
	}
	return t.choices
}

// Clone returns a copy of a tree of [Machine.Draft] that is never overwritten.
func (t *Tree) Clone() *Tree {
	return &Tree{Grammar: t.Grammar, Raw: t.Raw, nodes: slices.Clone(t.Nodes()), gaps: t.Gaps(), choices: slices.Clone(t.Choices())}
}

// Text returns the text of the sentence, layout included.
func (t *Tree) Text() string {
	return string(t.AppendText(nil))
}

// AppendText appends the text of the sentence to b. Computed fields are filled in.
func (t *Tree) AppendText(b []byte) []byte {
	if t.Grammar.Binary {
		return t.appendFields(b)
	}
	nodes, gaps := t.Nodes(), t.Gaps()
	for i := range nodes {
		if gaps != nil {
			b = append(b, gaps[i]...)
		}
		b = nodes[i].AppendText(b)
	}
	if gaps != nil {
		b = append(b, gaps[len(nodes)]...)
	}
	return b
}

// AppendText appends the text of the node itself to b; an inner node has none.
func (n *Node) AppendText(b []byte) []byte {
	switch {
	case n.Name:
		return append(b, n.Text...)
	case n.Expr.Silent:
		return b
	case n.Expr.Op == grammar.Lit:
		return append(b, n.Expr.Text...)
	case n.Expr.Op == grammar.Class:
		return rawbyte.Append(b, rune(n.Val))
	}
	return b
}

// SubText returns the text of the subtree of node i, without layout.
func (t *Tree) SubText(i int) string {
	var b []byte
	for j := i; j < t.Nodes()[i].End; j++ {
		b = t.Nodes()[j].AppendText(b)
	}
	return string(b)
}

// Children calls f with the index of every child of node i, in order, until f
// returns false.
func (t *Tree) Children(i int, f func(child int) bool) {
	for k := i + 1; k < t.Nodes()[i].End; k = t.Nodes()[k].End {
		if !f(k) {
			return
		}
	}
}
