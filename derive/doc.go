// Package derive, which may change, turns sequences of choices into derivation trees, and trees
// into texts and records.
//
//	m := derive.NewMachine(g, derive.Options{})
//	tree, err := m.Run(ctx, derive.Replay(choices)) // choices to tree
//	choices = tree.Choices()                        // tree to choices
//	text := tree.Text()                             // tree to text
//
// A [Machine] expands the grammar and asks a [Chooser] at every decision. Walks, uniform
// sampling, reduction and mutation are choosers or make sequences for one. [Replay] is total:
// every sequence of integers gives a derivation, so every attempt is a sentence.
//
// A [Record] holds one sentence with everything needed to reproduce it, as a line of JSON:
// [Record.Append] writes it, [ParseRecord] and [ReadRecords] read it.
//
// Some grammars cut their texts into tokens before parsing. A [Layout] then puts
// separators between the tokens of a tree, in Tree.Gaps. Its choices, if it has
// any, follow those of the derivation.
//
// A tree is a flat list of nodes in pre-order. Nothing here is recursive, so a tree may be a
// million nodes deep.
package derive
