// Package derive holds the derivation: the tree, the choice sequence that
// makes it, and the one machine that expands a grammar by asking a [Chooser].
//
// A sentence has four faces: text, tree, choices, rank. This package makes the
// steps between the first three:
//
//	m := derive.NewMachine(g, derive.Options{})
//	tree, err := m.Run(ctx, derive.Replay(choices))  // choices to tree
//	tree.Choices()                                   // tree to choices
//	tree.Text()                                      // tree to text
//
// Replay is total: every sequence of integers is a derivation. Walks, uniform
// sampling, reduction and mutation all drive the same machine or make choices
// for it, so whatever they try is a sentence.
//
// Where texts are cut into tokens before they are parsed, a [Layout] says what
// stands between the tokens of a tree: [Tree.Gaps]. Its choices, if it has any,
// stand behind those of the derivation.
//
// The tree is a flat list of nodes in pre-order, so that neither expanding nor
// rendering nor numbering recurses: a tree a million nodes deep is as good as
// any other.
package derive
