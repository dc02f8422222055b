package derive

import "github.com/gramfuzz/gramfuzz/grammar"

// NewTree returns the tree with the given nodes, choices and gaps (nil: none),
// made by other means than a [Machine]: a parser knows the derivation already.
// The nodes have to be what replaying the choices would give. NewTree keeps the
// slices.
func NewTree(g *grammar.Grammar, nodes []Node, choices []int, gaps []string) *Tree {
	return &Tree{Grammar: g, Nodes: nodes, Gaps: gaps, choices: choices}
}
